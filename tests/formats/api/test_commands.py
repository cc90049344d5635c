"""`manage.py formats check` and `manage.py load_builtins`."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from formats.builtin import builtin, builtin_slugs
from formats.lint import checks
from neotavern.library.models import Item, Revision
from tests.library.samples import instruct_format


def check(*files: Path) -> tuple[int, str, str]:
    """Return exit status, output, errors."""
    out, err = StringIO(), StringIO()
    try:
        call_command("formats", "check", *map(str, files), stdout=out, stderr=err, no_color=True)
    except SystemExit as ended:
        return int(ended.code or 0), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_findings_are_lines_with_their_place(tmp_path: Path) -> None:
    broken = write(tmp_path, "broken.json", json.dumps(instruct_format(user="ab\n{{#if content}}")))
    status, out, _ = check(broken)
    assert status == 1
    assert out.startswith(f"{broken}:user:2:")
    assert " error TEMPLATE_SYNTAX " in out


def test_unreadable_files_are_2_whatever_the_others_are(tmp_path: Path) -> None:
    broken = write(tmp_path, "broken.json", json.dumps(instruct_format(user="{{")))
    no_json = write(tmp_path, "no.json", "{")
    status, out, err = check(broken, no_json, tmp_path / "missing.json")
    assert status == 2
    assert str(broken) in out
    assert [line.split(": ")[0] for line in err.splitlines()] == [str(no_json), str(tmp_path / "missing.json")]


@pytest.mark.parametrize("slug", builtin_slugs())
def test_a_built_in_has_no_error(slug: str) -> None:
    import formats.builtin

    file = next(Path(formats.builtin.__file__).parent.rglob(f"{slug}.json"))
    found = [finding for finding in checks(builtin(slug)).findings if finding.severity != "info"]
    code, _, errors = check(file)
    assert (code, errors) == (1 if found else 0, "")
    assert all(finding.severity != "error" for finding in found)


@pytest.mark.django_db
def test_loading_the_built_ins_is_idempotent_and_a_changed_file_is_a_revision() -> None:
    for _ in range(2):
        call_command("load_builtins", verbosity=0)
    formats = Item.objects.filter(kind="instruct-format")
    assert sorted(formats.values_list("slug", flat=True)) == builtin_slugs()
    assert set(Revision.objects.values_list("number", "checks")) == {(1, "green")}
    Revision.objects.filter(item__slug="chatml").update(content_hash="an older release")
    call_command("load_builtins", verbosity=0)
    chatml = Item.objects.get(slug="chatml")
    assert (chatml.team_id, chatml.head, chatml.last_number) == (None, 2, 2)


@pytest.mark.django_db
def test_a_built_in_that_left_the_release_is_archived_and_comes_back() -> None:
    call_command("load_builtins", verbosity=0)
    Item.objects.filter(slug="chatml").update(slug="gone")
    out = StringIO()
    call_command("load_builtins", stdout=out)
    assert out.getvalue() == "new: chatml\nchanged: none\ngone: gone\n"
    assert Item.objects.get(slug="gone").archived_at is not None
