"""Why each piece of lore is in a prompt or out of it, in words, from the trace of the assembly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from chats.pipeline.context.placing import REMINDER
from chats.pipeline.sources import Rendered
from chats.web.chat.reasons import INFILL

LORE = "lore:"
KINDS = {"world": lazy("world"), "character": lazy("person"), "history": lazy("history")}


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its name, what it is, whether it is in, why, and the figures."""

    name: str
    kind: str
    is_in: bool
    why: str
    score: float
    tokens: int


@dataclass(frozen=True, slots=True)
class Reasons:
    """The lore of a prompt, what is in first; what the engine was; the lines about the reminder."""

    entries: list[Entry]
    engine: str
    reminder: list[str]


def reasons_of(rendered: Rendered) -> Reasons:
    """Return what the assembly said."""
    changes = [change for record in rendered.trace if record.stage == "assemble" for change in record.changes]
    entries = [
        _entry(change.kind == "added", change.reason, change.id or "", dict(change.data or {}))
        for change in changes
        if change.origin.startswith(LORE)
    ]
    engine = next((change.reason for change in changes if change.origin == "infill"), "")
    said = [
        _reminder(change.kind == "added", dict(change.data or {}))
        for change in changes
        if change.origin.startswith(REMINDER) and change.data and "says" in change.data
    ]
    return Reasons(sorted(entries, key=lambda one: not one.is_in), engine, said)


def _entry(is_in: bool, reason: str, uid: str, data: dict[str, Any]) -> Entry:
    return Entry(
        name=str(data.get("name") or uid),
        kind=str(KINDS.get(str(data.get("kind")), "")),
        is_in=is_in,
        why=str(INFILL.get(reason, reason)),
        score=float(data.get("score", 0.0)),
        tokens=int(data.get("tokens", 0)),
    )


def _reminder(is_in: bool, data: dict[str, Any]) -> str:
    """Return one line about the reminder: where it stands, or why its instructions are left out."""
    if not is_in:
        figures = {"tokens": f"{data['tokens']:,}", "trigger": f"{data['trigger']:,}"}
        return _("Its instructions are left out: %(tokens)s of %(trigger)s tokens.") % figures
    if data["says"] == "before the reply":
        return _("The reminder stands before the reply.")
    return _("The reminder stands before message %(n)d.") % {"n": data["at"] + 1}
