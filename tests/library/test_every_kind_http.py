"""Diff, tags, bulk and labels of every kind over HTTP, by Alice, Bob, Charlie and nobody."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.test import Client

from neotavern.accounts.models import AuditEntry, Team
from neotavern.library import kinds, services
from neotavern.library.kinds import Kind
from neotavern.library.rendering import renderer_of
from tests.library.samples import NOTE, all_kinds, document_of
from tests.teams import Person, TeamMixin

KINDS = [kind for kind in all_kinds() if kind.plural_path]
EVERY_KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
pytestmark = [pytest.mark.urls("tests.library.note_urls"), EVERY_KIND]


class Shelf(TeamMixin):
    """Two teams, and an object of the kind with two revisions."""

    def __init__(self, kind: Kind) -> None:
        self.client = Client()
        self.make_people()
        self.kind = kind
        self.base = f"/{'made-up' if kind is NOTE else 'api/v1'}/{kind.plural_path}"
        first = document_of(kind, 1)[1]
        self.slug: str = first["id"]
        self.item = services.create(self.alice.actor, kind=kind.name, document=first).item
        second = document_of(kind, 2)[1]
        services.save(self.alice.actor, item=self.item, document=second, base_revision=1)
        self.url = f"{self.base}/{self.slug}"

    def bulk(self, who: Any, action: str, slugs: list[str], **more: Any) -> Any:
        return self.post(who, f"{self.base}/bulk", {"action": action, "slugs": slugs, **more})

    def actions(self) -> list[str]:
        return list(AuditEntry.objects.filter(item_slug=self.slug).order_by("id").values_list("action", flat=True))


@pytest.fixture
def shelf(db: None, kind: Kind) -> Any:
    kinds.unregister(NOTE.name)
    kinds.register(NOTE)
    yield Shelf(kind)
    kinds.unregister(NOTE.name)


def test_two_revisions_are_compared_by_path_and_word(shelf: Shelf) -> None:
    answer = shelf.get(shelf.bob, f"{shelf.url}/diff?from=1&to=2").json()
    assert (answer["from"], answer["to"], len(answer["changes"])) == (1, 2, 1)
    change = answer["changes"][0]
    assert (change["kind"], "1" in str(change["before"]), "2" in str(change["after"])) == ("changed", True, True)
    if isinstance(change["before"], str):
        assert "".join(word["text"] for word in change["words"] if word["op"] != "insert") == change["before"]
        assert "".join(word["text"] for word in change["words"] if word["op"] != "delete") == change["after"]
    assert answer["unified"].startswith(f"--- 1/{change['path']}\n+++ 2/{change['path']}\n@@ ")
    assert "rendered" not in answer


def test_the_newest_is_compared_with_the_one_before_unless_told_otherwise(shelf: Shelf) -> None:
    told = shelf.get(shelf.bob, f"{shelf.url}/diff?from=1&to=latest").json()
    assert shelf.get(shelf.bob, f"{shelf.url}/diff").json() == told
    assert shelf.get(shelf.bob, f"{shelf.url}/diff?from=2&to=2").json()["changes"] == []


def test_labels_are_compared_too_and_unknown_ones_are_not_found(shelf: Shelf) -> None:
    services.move_label(shelf.alice.actor, item=shelf.item, name="production", number=1)
    assert shelf.get(shelf.bob, f"{shelf.url}/diff?from=production&to=2").json()["from"] == 1
    for query in ("from=9&to=1", "from=1&to=99999999999999", "from=staging", "from=1&to=%00", "from=0&to=1"):
        shelf.assert_error(shelf.get(shelf.bob, f"{shelf.url}/diff?{query}"), 404, "NOT_FOUND")


def test_side_by_side_lines_come_when_asked_for(shelf: Shelf) -> None:
    change = shelf.get(shelf.bob, f"{shelf.url}/diff?rows=true").json()["changes"][0]
    assert isinstance(change["rows"], list)
    assert "rows" not in shelf.get(shelf.bob, f"{shelf.url}/diff").json()["changes"][0]


def test_a_diff_is_for_readers_of_the_team(shelf: Shelf) -> None:
    shelf.assert_error(shelf.get(None, f"{shelf.url}/diff"), 401, "UNAUTHENTICATED")
    shelf.assert_error(shelf.get(shelf.charlie, f"{shelf.url}/diff"), 404, "NOT_FOUND", {"slug": shelf.slug})
    if renderer_of(shelf.kind.name) is None:
        return
    body = {"messages": [{"role": "user", "content": "Hi"}]}
    shelf.assert_error(shelf.post(shelf.charlie, f"{shelf.url}/diff", body), 404, "NOT_FOUND", {"slug": shelf.slug})
    shelf.assert_error(shelf.post(None, f"{shelf.url}/diff", body), 401, "UNAUTHENTICATED")


def test_a_tag_is_put_on_and_taken_off_without_a_revision(shelf: Shelf) -> None:
    before = shelf.get(shelf.bob, shelf.url)
    added = shelf.put(shelf.alice, f"{shelf.url}/tags/in%20use")
    assert added.json() == {"tags": ["in use"], "changed": True}
    shown = shelf.get(shelf.bob, shelf.url)
    assert (shown.json()["tags"], shown.json()["revision"]) == (["in use"], 2)
    assert shown["ETag"] == added["ETag"] != before["ETag"]
    assert shelf.get(shelf.bob, f"{shelf.base}?tag=in%20use&builtin=false").json()["items"][0]["slug"] == shelf.slug
    assert shelf.get(shelf.bob, f"{shelf.base}?search=USE+in&builtin=false").json()["items"] != []
    assert shelf.put(shelf.alice, f"{shelf.url}/tags/in%20use").json()["changed"] is False
    assert shelf.delete(shelf.alice, f"{shelf.url}/tags/in%20use").json() == {"tags": [], "changed": True}
    assert shelf.get(shelf.bob, f"{shelf.base}?search=USE+in&builtin=false").json()["items"] == []
    assert shelf.delete(shelf.alice, f"{shelf.url}/tags/in%20use").json()["changed"] is False
    assert shelf.actions() == ["item.create", "item.save", "tag.add", "tag.remove"]


def test_a_tag_outlives_saves_and_that_of_a_document_is_taken_out_by_a_save(shelf: Shelf) -> None:
    shelf.put(shelf.alice, f"{shelf.url}/tags/mine")
    tagged = document_of(shelf.kind, 3)[1] | {"tags": ["theirs"]}
    saved = shelf.put(shelf.alice, shelf.url, {"document": tagged, "baseRevision": 2}).json()
    assert saved["tags"] == ["mine", "theirs"]
    refused = shelf.delete(shelf.alice, f"{shelf.url}/tags/theirs")
    shelf.assert_error(refused, 409, "CONFLICT", {"slug": shelf.slug})
    without = shelf.put(shelf.alice, shelf.url, {"document": document_of(shelf.kind, 4)[1], "baseRevision": 3})
    assert without.json()["tags"] == ["mine"]


def test_who_may_tag(shelf: Shelf) -> None:
    for call in (shelf.put, shelf.delete):
        shelf.assert_error(call(shelf.bob, f"{shelf.url}/tags/x"), 403, "FORBIDDEN")
        shelf.assert_error(call(shelf.charlie, f"{shelf.url}/tags/x"), 404, "NOT_FOUND")
        shelf.assert_error(call(None, f"{shelf.url}/tags/x"), 401, "UNAUTHENTICATED")
        for tag in ("%20", "a%00b", "a%0Ab", "x" * 65):
            error = shelf.assert_error(call(shelf.alice, f"{shelf.url}/tags/{tag}"), 422, "VALIDATION")
            assert error["details"][0]["path"] == "tag"


def test_bulk_does_each_by_itself_and_once(shelf: Shelf) -> None:
    answer = shelf.bulk(shelf.alice, "tag", [shelf.slug, "nobody", shelf.slug], tag="old").json()
    gone = {"code": "NOT_FOUND", "message": "'nobody' does not exist.", "params": {"slug": "nobody"}, "details": []}
    assert answer == {
        "items": [
            {"slug": shelf.slug, "result": "done", "error": None},
            {"slug": "nobody", "result": "refused", "error": gone},
        ]
    }
    steps = [("tag", "unchanged"), ("untag", "done"), ("untag", "unchanged"), ("archive", "done")]
    steps += [("archive", "unchanged"), ("unarchive", "done"), ("restore", "unchanged"), ("delete", "done")]
    for action, result in steps:
        items = shelf.bulk(shelf.alice, action, [shelf.slug], tag="old").json()["items"]
        assert [item["result"] for item in items] == [result], action
    assert shelf.bulk(shelf.alice, "delete", [shelf.slug]).json()["items"][0]["error"]["code"] == "NOT_FOUND"


def test_bulk_export_is_a_zip_of_bare_files(shelf: Shelf) -> None:
    style = next(iter(shelf.kind.exporters))
    alone = shelf.get(shelf.bob, f"{shelf.url}/export?as={style}")
    answer = shelf.bulk(shelf.bob, "export", [shelf.slug, "nobody"], **{"as": style})
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    body = b"".join(answer.streaming_content)
    archive = zipfile.ZipFile(io.BytesIO(body))
    name = next(name for name in archive.namelist() if name.startswith(f"{shelf.slug}."))
    assert archive.read(name) == alone.content
    assert b'"slug": "nobody"' in archive.read("refused.json")
    again = shelf.bulk(shelf.bob, "export", [shelf.slug, "nobody"], **{"as": style})
    assert b"".join(again.streaming_content) == body
    unknown = shelf.assert_error(shelf.bulk(shelf.bob, "export", [shelf.slug], **{"as": "papyrus"}), 422, "VALIDATION")
    assert unknown["details"][0]["path"] == "as"


def test_who_may_do_what_in_bulk(shelf: Shelf) -> None:
    for action in ("archive", "unarchive", "tag", "untag", "delete"):
        shelf.assert_error(shelf.bulk(shelf.bob, action, [shelf.slug], tag="x"), 403, "FORBIDDEN")
        items = shelf.bulk(shelf.charlie, action, [shelf.slug], tag="x").json()["items"]
        assert [item["error"]["code"] for item in items] == ["NOT_FOUND"]
        shelf.assert_error(shelf.bulk(None, action, [shelf.slug]), 401, "UNAUTHENTICATED")
    theirs = shelf.bulk(shelf.charlie, "export", [shelf.slug], **{"as": next(iter(shelf.kind.exporters))})
    assert zipfile.ZipFile(io.BytesIO(b"".join(theirs.streaming_content))).namelist() == ["refused.json"]
    for body in ({"action": "burn", "slugs": []}, {"action": "tag", "slugs": []}, {"action": "tag"}):
        shelf.assert_error(shelf.post(shelf.alice, f"{shelf.base}/bulk", body), 422, "VALIDATION")
    many = shelf.bulk(shelf.alice, "archive", [f"s{number}" for number in range(1001)])
    assert shelf.assert_error(many, 422, "VALIDATION")["details"][0]["path"] == "slugs"


def test_a_protected_label_is_moved_and_removed_by_administrators(shelf: Shelf) -> None:
    Team.objects.filter(pk=shelf.team.pk).update(policy='{"protectedLabels":["production"]}')
    editor = _editor(shelf)
    url = f"{shelf.url}/labels/production"
    refused = {"needs": "admin", "label": "production"}
    shelf.assert_error(shelf.put(editor, url, {"revision": 1}), 403, "FORBIDDEN", refused)
    assert shelf.put(shelf.alice, url, {"revision": 1}).json() == {
        "label": "production",
        "revision": 1,
        "previous": None,
    }
    shelf.assert_error(shelf.delete(editor, url), 403, "FORBIDDEN", refused)
    shelf.assert_error(shelf.put(shelf.bob, url, {"revision": 2}), 403, "FORBIDDEN", {"needs": "write"})
    assert shelf.put(editor, f"{shelf.url}/labels/staging", {"revision": 2}).status_code == 200
    assert shelf.put(shelf.alice, url, {"revision": 2}).json()["previous"] == 1
    assert shelf.delete(shelf.alice, url).status_code == 204
    moves = AuditEntry.objects.filter(item_slug=shelf.slug, action__startswith="label.").order_by("id")
    assert list(moves.values_list("action", "before", "after", "from_number", "to_number")) == [
        ("label.move", "", "production", None, 1),
        ("label.move", "", "staging", None, 2),
        ("label.move", "production", "production", 1, 2),
        ("label.delete", "production", "", 2, None),
    ]


def _editor(shelf: Shelf) -> Any:
    return Person("edith", shelf.team, "editor")


def test_a_label_on_a_revision_that_can_not_exist(shelf: Shelf) -> None:
    for number in (0, -1, 9, 2**31, 2**63, 10**30):
        answer = shelf.put(shelf.alice, f"{shelf.url}/labels/staging", {"revision": number})
        assert answer.status_code in (404, 422), number
