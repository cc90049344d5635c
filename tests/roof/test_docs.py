"""Fails when something that others rely on is not documented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from formats import handlebars
from neotavern.api.app import api
from neotavern.ground.errors import STATUS, ErrorCode
from neotavern.library import kinds

ROOT = Path(__file__).resolve().parents[2]
DOCS = {path.name: path.read_text("utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}
EVERYTHING = "\n".join(DOCS.values())
OUR_APPS = ("neotavern", "formats", "chats")


def settings_read() -> set[str]:
    """Names of the environment variables that settings.py reads."""
    source = (ROOT / "neotavern" / "settings.py").read_text("utf-8")
    return set(re.findall(r"ENV\.\w+\(\s*\"([A-Z_]+)\"", source))


def operations() -> list[tuple[str, str, str]]:
    """(method, path below /api/v1, status) of every operation in the OpenAPI document."""
    schema = api.get_openapi_schema(path_prefix="")
    return [
        (method.upper(), path, str(status))
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
        for status in operation["responses"]
    ]


@pytest.mark.parametrize("name", sorted(settings_read()))
def test_a_setting_has_a_row(name: str) -> None:
    assert f"| `{name}` |" in DOCS["settings.md"]


@pytest.mark.parametrize("code", list(ErrorCode))
def test_an_error_code_has_a_row_with_its_status(code: ErrorCode) -> None:
    assert f"| `{code.value}` | {STATUS[code]} |" in DOCS["errors.md"]


@pytest.mark.parametrize("name", sorted(name for name, app in get_commands().items() if app.startswith(OUR_APPS)))
def test_a_command_has_a_row(name: str) -> None:
    assert f"`manage.py {name}" in DOCS["commands.md"]


@pytest.mark.parametrize(
    "name", sorted({*handlebars.CONTEXT_HELPERS.helpers, "if", "unless", "each", "with", "lookup"})
)
def test_a_helper_is_explained(name: str) -> None:
    assert f"`{name}" in DOCS["handlebars.md"]


@pytest.mark.parametrize(("method", "path"), sorted({(method, path) for method, path, _ in operations()}))
def test_an_operation_is_explained(method: str, path: str) -> None:
    assert any(f"`{method} {place}" in EVERYTHING for place in (path, described_at(path)))


def described_at(path: str) -> str:
    """The verbs that every stored kind has are described once, for formats."""
    for kind in kinds.kinds():
        own = f"/{kind.plural_path}"
        if kind.plural_path and (path == own or path.startswith(own + "/")):
            return "/formats" + path.removeprefix(own)
    return path


@pytest.mark.parametrize("path", [kind.plural_path for kind in kinds.kinds() if kind.plural_path])
def test_a_kind_is_explained(path: str) -> None:
    assert f"`/{path}`" in EVERYTHING


@pytest.mark.parametrize("status", sorted({status for _, _, status in operations() if status >= "400"}))
def test_a_status_has_a_code(status: str) -> None:
    assert f" | {status} | " in DOCS["errors.md"]
