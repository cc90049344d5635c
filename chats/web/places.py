"""Where something is, in words: a field of the format, a message, an option."""

from __future__ import annotations

import re
from typing import Any

from django.utils.translation import gettext as _

from formats.web.sections import SECTIONS
from formats.web.shown import where
from neotavern.ground.errors import AppError, Detail

_MESSAGE = re.compile(r"^messages[.\[](\d+)")
MOST = 20
LONGEST = 400
LABELS = {field.path: field.label for section in SECTIONS for field in section.all_fields()}


def field_path(path: str) -> str:
    """Return the path inside the document; empty when the fault is elsewhere."""
    if path == "format":
        return ""
    return path.removeprefix("format.") if path.startswith("format.") else ""


def label_of(path: str) -> str:
    """Return the name of the nearest field of the form for a path inside the document."""
    steps = re.split(r"[.\[\]/]+", path)
    while steps:
        label = LABELS.get(".".join(steps))
        if label is not None:
            return str(label)
        steps.pop()
    return path


def place_of(path: str) -> str:
    """Return a place of the request in words."""
    message = _MESSAGE.match(path)
    if message:
        return _("Message %(n)d") % {"n": int(message[1]) + 1}
    inside = field_path(path)
    return label_of(inside) if inside else ""


def report_line(severity: str, path: str, message: str, line: int | None, column: int | None) -> dict[str, Any]:
    """Return one line for the page's script: where it belongs and what it says, short enough for a header."""
    return {
        "severity": severity,
        "path": field_path(path),
        "label": place_of(path),
        "where": where(line, column),
        "line": line,
        "column": column,
        "message": message[:LONGEST],
    }


def report_error(error: AppError) -> list[dict[str, Any]]:
    """Return the lines of a refusal."""
    details = error.details or (Detail("", error.message),)
    return [
        report_line("error", one.path, one.message or error.message, one.line, one.column) for one in details[:MOST]
    ]
