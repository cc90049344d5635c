"""Books of NovelAI, Agnai and Risu in: each is written as a card's book, which `read_book` knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from chats.documents.foreign import Loss, flag, number, text, texts
from chats.interchange import lorebook
from chats.interchange.reading import Reader, is_object


def is_novelai(document: Any) -> bool:
    """Return whether `document` is a NovelAI lorebook."""
    return is_object(document, "lorebookVersion", "entries")


def read_novelai(document: Any, name: str = "") -> tuple[dict[str, Any], list[Loss]]:
    """Return the book; patterns lose NovelAI's `&` in front, and what it knows of tokens and places is lost."""
    losses: list[Loss] = []
    entries = []
    for at, entry in enumerate(_objects(document["entries"])):
        config = entry.get("contextConfig")
        keys = [key.removeprefix("&") if key.startswith("&/") else key for key in texts(entry.get("keys"))]
        entries.append({
            "keys": keys,
            "content": text(entry.get("text")),
            "name": text(entry.get("displayName"), 500),
            "enabled": flag(entry.get("enabled"), default=True),
            "constant": flag(entry.get("forceActivation")),
            "insertion_order": number(config.get("budgetPriority"), 400) if isinstance(config, Mapping) else 400,
            "extensions": {},
        })  # fmt: skip
        if "searchRange" in entry:
            losses.append(Loss(f"entries[{at}].searchRange", "counts characters; books here count messages"))
    return _book({"name": document.get("name")}, entries, name, losses)


def is_agnai(document: Any) -> bool:
    """Return whether `document` is a memory book of Agnai."""
    return is_object(document, "kind", "entries") and document["kind"] == "memory" and "content" not in document


def read_agnai(document: Any, name: str = "") -> tuple[dict[str, Any], list[Loss]]:
    """Return the book. Agnai's weight orders entries, its priority keeps them when the budget is short."""
    entries = [
        {
            "keys": texts(entry.get("keywords")),
            "content": text(entry.get("entry")),
            "name": text(entry.get("name"), 500),
            "enabled": flag(entry.get("enabled"), default=True),
            "insertion_order": number(entry.get("weight"), 100),
            "priority": number(entry.get("priority"), 0),
            "extensions": {},
        }
        for entry in _objects(document["entries"])
    ]
    book = {
        "name": document.get("name"),
        "description": document.get("description"),
        "scan_depth": document.get("scanDepth"),
        "token_budget": document.get("tokenBudget"),
        "recursive_scanning": document.get("recursiveScanning"),
    }
    return _book(book, entries, name, [])


def is_risu(document: Any) -> bool:
    """Return whether `document` is a lorebook of Risu."""
    return is_object(document, "type", "data") and document["type"] == "risu" and isinstance(document["data"], list)


def read_risu(document: Any, name: str = "") -> tuple[dict[str, Any], list[Loss]]:
    """Return the book; folders are lost."""
    losses: list[Loss] = []
    entries = []
    for at, entry in enumerate(_objects(document["data"])):
        if entry.get("mode") == "folder":
            losses.append(Loss(f"data[{at}]", "is a folder"))
            continue
        entries.append({
            "keys": texts(entry.get("key")),
            "secondary_keys": texts(entry.get("secondkey")),
            "content": text(entry.get("content")),
            "name": text(entry.get("comment"), 500),
            "constant": flag(entry.get("alwaysActive")),
            "selective": flag(entry.get("selective")),
            "insertion_order": number(entry.get("insertorder"), 100),
            "use_regex": flag(entry.get("useRegex")),
            "extensions": {"probability": number(entry.get("activationPercent"), 100, low=0, high=100)},
        })  # fmt: skip
    return _book({"name": document.get("name")}, entries, name, losses)


def _book(
    book: dict[str, Any], entries: list[dict[str, Any]], name: str, losses: list[Loss]
) -> tuple[dict[str, Any], list[Loss]]:
    given = {key: value for key, value in book.items() if value is not None}
    # `extensions` and `insertion_order` say that this is a card's book, so no entry is taken for one of ours
    made, more = lorebook.read({"extensions": {}, **given, "entries": entries}, name)
    return made, [*losses, *more]


def _objects(values: Any) -> Iterable[Mapping[str, Any]]:
    listed = values.values() if isinstance(values, Mapping) else values if isinstance(values, list) else ()
    return [one for one in listed if isinstance(one, Mapping)]


READERS: Final = (
    Reader("lorebook", "NovelAI lorebook", "novelai", is_novelai, read_novelai),
    Reader("lorebook", "Agnai memory book", "agnai", is_agnai, read_agnai),
    Reader("lorebook", "Risu lorebook", "risu", is_risu, read_risu),
)
