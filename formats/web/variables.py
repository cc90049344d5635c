"""The custom variables of the settings as rows of name and value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from formats.web.editor import FieldEditor
from formats.web.field import Field, Rows, Section, Variant
from formats.web.form import ALL
from formats.web.rows import applied, rows_of
from formats.web.shown_items import ShownRows
from neotavern.ground.errors import AppError, Detail, ErrorCode
from neotavern.library.kinds import Finding

VARIABLES = "variables"
ROWS = Rows(
    VARIABLES,
    lazy("Variables"),
    (
        Variant(
            "variable",
            lazy("Variable"),
            (
                Field("name", lazy("Name"), "line", "", "place"),
                Field("text", lazy("Value"), "text", "", "the harbour café"),
            ),
            {"name": "", "text": ""},
        ),
    ),
    lambda row: row.get("name") or "",
    help=lazy("Source texts use them as macros: {{place}}. A request's own win. At most 64."),
    shape="map",
    is_inline=True,
)
EDITOR = FieldEditor(VARIABLES, (Section(VARIABLES, lazy("Variables"), lambda _document: "", (ROWS,)),))


def read_rows(post: Mapping[str, str], base: Mapping[str, Any]) -> dict[str, str] | None:
    """Return the variables of the rows, None for a form without them. Raises VALIDATION, each fault at its row."""
    if f"d.{VARIABLES}" not in post:
        return None
    draft = EDITOR.read({name: post[name] for name in post} | {ALL: "1"}, {VARIABLES: base.get(VARIABLES) or {}})
    if draft.faults:
        raise AppError(ErrorCode.VALIDATION, _("Some variables can not be saved."), details=draft.faults)
    return dict(draft.document[VARIABLES])


def drafted(post: Mapping[str, str], document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows to show: as typed in the form that was sent, else as stored."""
    if f"d.{VARIABLES}" not in post:
        return rows_of(document, ROWS)
    post = applied(post, EDITOR.sections)
    prefix = f"d.{VARIABLES}."
    return [
        {"name": post.get(f"{prefix}{name}.name", ""), "text": post.get(f"{prefix}{name}.text", "")}
        for name in post[f"d.{VARIABLES}"].split()
    ]


def shown_variables(rows: Sequence[Mapping[str, Any]], details: Sequence[Detail]) -> ShownRows:
    """Return the rows with their faults. A fault that names a variable stands at its row."""
    findings = [Finding("error", "", one.message, _place(one, rows)) for one in details]
    as_objects = Rows(**{**{name: getattr(ROWS, name) for name in ROWS.__slots__}, "shape": "objects"})
    section = Section(VARIABLES, ROWS.label, lambda _document: "", (as_objects,))
    shown = FieldEditor(VARIABLES, (section,)).show({VARIABLES: list(rows)}, findings, {})
    found: ShownRows = shown.context["sections"][0].items[0]
    return found


def _place(detail: Detail, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return where a fault belongs: the service says which variable it is about in the message or the path."""
    for at, row in enumerate(rows):
        name = str(row.get("name") or "").strip()
        if detail.path == f"{VARIABLES}.{name}" or (
            name and detail.path == VARIABLES and repr(name[:80]) in detail.message
        ):
            return f"{VARIABLES}[{at}].{'text' if 'more than' in detail.message else 'name'}"
    return detail.path
