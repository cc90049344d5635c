"""What the list of entries changes when it is sent: switches and numbers typed in rows, their order, and one action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from chats.documents.fields import NUMBER_LIMIT
from chats.entry_reading import shown
from chats.lore_rows import rows_at
from chats.models import LoreEntryRow
from chats.services.lorebooks import Edits, read_entry
from neotavern.ground.errors import Detail
from neotavern.library.models import Item

ORDER = "d.e"
"""The field with the rows in order; those of a row begin with it. Drafts keep what begins with `d.`."""

NUMBERS = ("order", "priority")
BATCH = 500


@dataclass(slots=True)
class Typed:
    """The rows of the form: per uid what is to change, the uids in the order shown, and numbers that are none."""

    changes: dict[str, dict[str, Any]] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    faults: list[Detail] = field(default_factory=list)
    texts: dict[tuple[str, str], str] = field(default_factory=dict)


def read_typed(post: Mapping[str, str]) -> Typed:
    """Return what the rows of the list say."""
    typed = Typed()
    for name in post.get(ORDER, "").split():
        uid = post.get(f"{ORDER}.{name}.uid")
        if uid is None or uid in typed.changes:
            continue
        typed.order.append(uid)
        typed.changes[uid] = {"enabled": f"{ORDER}.{name}.enabled" in post}
        for key in NUMBERS:
            text = post.get(f"{ORDER}.{name}.{key}", "").strip()
            typed.texts[uid, key] = text
            try:
                typed.changes[uid][key] = max(-NUMBER_LIMIT, min(int(text), NUMBER_LIMIT))
            except ValueError:
                typed.faults.append(Detail(f"{uid}.{key}", _("This is not a whole number.")))
    return typed


def edits_of(book: Item, typed: Typed, action: str, ticked: Sequence[str]) -> Edits:
    """Return everything that the form asks for as one change of the book."""
    rows = _rows(book, {*typed.order, *ticked})
    picked = [uid for uid in ticked if uid in rows]
    removed = picked if action == "delete" else []
    wanted = {uid: dict(typed.changes.get(uid, {})) for uid in rows}
    if action in ("enable", "disable"):
        for uid in picked:
            wanted[uid]["enabled"] = action == "enable"
    places = _places(typed.order, rows, removed)
    saved = []
    for uid, changes in wanted.items():
        document = _changed(shown(rows[uid]), changes)
        if uid not in removed and (document != shown(rows[uid]) or uid in places):
            saved.append(document)
    if action == "copy":
        saved += [{key: value for key, value in shown(rows[uid]).items() if key != "uid"} for uid in picked]
    return Edits(save=[read_entry(document) for document in saved], remove=removed, places=places)


def _rows(book: Item, uids: set[str]) -> dict[str, LoreEntryRow]:
    listed = sorted(uid for uid in uids if uid.isprintable())
    found: dict[str, LoreEntryRow] = {}
    for start in range(0, len(listed), BATCH):
        rows = rows_at(book.pk, book.last_number).filter(uid__in=listed[start : start + BATCH])
        found |= {row.uid: row for row in rows}
    return found


def _changed(document: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry with other values; one that says the usual without the key goes on leaving it out."""
    usual = {"enabled": True, "order": 100, "priority": 0}
    return document | {key: value for key, value in changes.items() if key in document or value != usual.get(key)}


def _places(order: Sequence[str], rows: Mapping[str, LoreEntryRow], removed: Sequence[str]) -> dict[str, int]:
    """Return new positions of the rows that the form shows elsewhere: they share out the positions that they have."""
    kept = [uid for uid in order if uid in rows and uid not in removed]
    positions = sorted(rows[uid].position for uid in kept)
    if len(set(positions)) < len(positions):
        return {}
    return {uid: place for uid, place in zip(kept, positions, strict=True) if rows[uid].position != place}
