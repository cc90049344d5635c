"""Books in, whatever program wrote them; out as a V3 book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from chats.documents import InlineLorebook, dump, read_book
from chats.documents.foreign import Loss
from chats.interchange.reading import Reader, is_object, stem
from chats.interchange.worldinfo import world_entry

_WORDS: Final = {"before_character": "before_char", "after_character": "after_char"}


def is_v3(document: Any) -> bool:
    """Return whether `document` is a V3 book by itself."""
    return is_object(document, "spec", "data") and document["spec"] == "lorebook_v3"


def is_world_info(document: Any) -> bool:
    """Return whether `document` is a World Info file: entries by number."""
    return is_object(document, "entries") and "kind" not in document and isinstance(document["entries"], Mapping)


def is_card_book(document: Any) -> bool:
    """Return whether `document` is the book of a card, without the card."""
    entries = document.get("entries") if isinstance(document, Mapping) and "kind" not in document else None
    if not isinstance(entries, Sequence) or isinstance(entries, str) or "lorebookVersion" in document:
        return False
    return all(is_object(entry, "keys") for entry in entries) and bool(entries)


def read(document: Any, name: str = "") -> tuple[dict[str, Any], list[Loss]]:
    """Return the book in our shape, entries inside; one without a name is called like its file."""
    book, losses = read_book(document)
    made = {"kind": "lorebook", "version": 1, **{key: value for key, value in dump(book).items() if key != "id"}}
    if not str(made.get("name", "")).strip():
        made["name"] = stem(name)[:255] or "Lorebook"
    return made, losses


def export_lorebook_v3(document: Mapping[str, Any]) -> tuple[dict[str, Any], list[Loss]]:
    """Return a book as a V3 book, and what that can not say."""
    book = InlineLorebook.model_validate(dict(document))
    losses = [Loss(key, "a V3 book has no such field") for key in ("bindings", "relationships") if getattr(book, key)]
    data: dict[str, Any] = {"name": book.name, "description": book.description, "extensions": dict(book.extensions)}
    given = {"scan_depth": book.scan_depth, "token_budget": book.token_budget, "recursive_scanning": book.recursive}
    data |= {key: value for key, value in given.items() if value is not None}
    data["entries"] = [_entry(dict(one), at) for at, one in enumerate(book.model_dump(mode="json")["entries"])]
    return {"spec": "lorebook_v3", "data": data}, losses


def _entry(entry: dict[str, Any], at: int) -> dict[str, Any]:
    """Return a V3 entry; what only World Info has a name for stands under its `extensions`, where readers look."""
    uid = entry["uid"] if entry["uid"] is not None else str(at)
    made = {
        "id": int(uid) if uid.isascii() and uid.isdigit() and len(uid) < 10 else uid,
        "name": entry["name"],
        "comment": entry["name"],
        "keys": entry["keys"],
        "secondary_keys": entry["secondary_keys"],
        "content": entry["content"],
        "enabled": entry["enabled"],
        "constant": entry["constant"],
        "selective": entry["selective"],
        "insertion_order": entry["order"],
        "priority": entry["priority"],
        "use_regex": bool(entry["use_regex"]),
        "position": _WORDS.get(entry["position"], "after_char"),
        "extensions": world_entry(entry, uid, inside=True),
    }
    if entry["case_sensitive"] is not None:
        made["case_sensitive"] = entry["case_sensitive"]
    return made


READERS: Final = (
    Reader("lorebook", "lorebook V3", "lorebook", is_v3, read),
    Reader("lorebook", "world info", "worldinfo", is_world_info, read),
    Reader("lorebook", "card book", "lorebook", is_card_book, read),
)
