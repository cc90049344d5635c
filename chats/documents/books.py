"""Books in the shapes that are about: ours, a card's own book (V2, V3), and World Info files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError

from chats.documents.decorators import apply_decorators
from chats.documents.errors import DocumentError, error_of
from chats.documents.foreign import Loss, flag, number, optional_count, optional_flag, text, texts
from chats.documents.lorebook import InlineLorebook
from formats.prompt.errors import Fault

POSITIONS: Final = (
    "before_character", "after_character", "note_top", "note_bottom", "at_depth", "examples_top", "examples_bottom",
)  # fmt: skip
"""World Info's numbers 0 to 6."""
_WORDS: Final = {"before_char": "before_character", "after_char": "after_character"}
ROLES: Final = ("system", "user", "assistant")
LOGICS: Final = ("and_any", "not_all", "not_any", "and_all")
_CARD_KEYS: Final = frozenset({"insertion_order", "id", "comment"})
_CARD_FIELDS: Final = frozenset({
    "keys", "secondary_keys", "content", "extensions", "enabled", "insertion_order", "case_sensitive", "name",
    "priority", "id", "comment", "selective", "constant", "position", "use_regex",
})  # fmt: skip
_WORLD_FIELDS: Final = frozenset({
    "uid", "key", "keysecondary", "comment", "content", "constant", "selective", "selectiveLogic", "order",
    "position", "disable", "excludeRecursion", "preventRecursion", "delayUntilRecursion", "probability",
    "useProbability", "depth", "group", "groupOverride", "groupWeight", "scanDepth", "caseSensitive",
    "matchWholeWords", "useGroupScoring", "role", "sticky", "cooldown", "delay", "characterFilter", "triggers",
    "ignoreBudget", "matchPersonaDescription", "matchCharacterDescription", "matchCharacterPersonality",
    "matchCharacterDepthPrompt", "matchScenario", "matchCreatorNotes",
})  # fmt: skip
_PLACES: Final = {
    "PersonaDescription": "persona",
    "CharacterDescription": "description",
    "CharacterPersonality": "personality",
    "CharacterDepthPrompt": "character_note",
    "Scenario": "scenario",
    "CreatorNotes": "creator_notes",
}


def read_book(document: Any, path: str = "") -> tuple[InlineLorebook, list[Loss]]:
    """Return the book that `document` is, whichever known shape it has, and what it could not keep.

    Raises DocumentError for what is no book at all, or has values that no reading makes sense of.
    """
    if not isinstance(document, Mapping):
        raise DocumentError(Fault(path, "a book must be an object"))
    if document.get("spec") == "lorebook_v3" and isinstance(document.get("data"), Mapping):
        return read_book(document["data"], f"{path}.data" if path else "data")
    entries, foreign = document.get("entries", ()), not _is_ours(document)
    if not isinstance(entries, Sequence | Mapping) or isinstance(entries, str):
        raise DocumentError(Fault("entries", "must be an array or an object").within(path))
    losses: list[Loss] = []
    ready = _book(document, losses) if foreign else dict(document)
    try:
        return InlineLorebook.model_validate(ready), losses
    except ValidationError as error:
        raise error_of(error, path) from None


def _is_ours(document: Mapping[str, Any]) -> bool:
    entries = document.get("entries", ())
    if isinstance(entries, Mapping) or "scan_depth" in document or "recursive_scanning" in document:
        return False
    return not (isinstance(entries, Sequence) and any(_is_foreign(entry) for entry in entries))


def _is_foreign(entry: Any) -> bool:
    if not isinstance(entry, Mapping):
        return False
    return "key" in entry or not _CARD_KEYS.isdisjoint(entry) or _word(entry) is not None


def _book(document: Mapping[str, Any], losses: list[Loss]) -> dict[str, Any]:
    listed = document.get("entries") or ()
    pairs = list(listed.items()) if isinstance(listed, Mapping) else list(enumerate(listed))
    entries: list[dict[str, Any]] = []
    seen: set[str] = set()
    for key, entry in pairs:
        place = f"entries.{key}" if isinstance(listed, Mapping) else f"entries[{key}]"
        if not isinstance(entry, Mapping):
            losses.append(Loss(place, "is no object"))
            continue
        entries.append(read_entry(entry, str(key), losses, place))
        if entries[-1]["uid"] in seen:
            entries[-1]["uid"] = f"{entries[-1]['uid']}-{len(entries)}"
        seen.add(entries[-1]["uid"])
    extensions = document.get("extensions")
    return {
        "name": text(document.get("name"), 500),
        "description": text(document.get("description")),
        "scanDepth": optional_count(document.get("scan_depth")),
        "tokenBudget": optional_count(document.get("token_budget")),
        "recursive": optional_flag(document.get("recursive_scanning")),
        "extensions": dict(extensions) if isinstance(extensions, Mapping) else {},
        "entries": entries,
    }


def read_entry(entry: Mapping[str, Any], uid: str, losses: list[Loss], path: str = "") -> dict[str, Any]:
    """Return one foreign entry as a document of ours; what has no field here stays under `extensions`."""
    ready = _card_entry(entry, uid, losses, path) if "keys" in entry else _world_entry(entry, uid, losses, path)
    return apply_decorators(ready, losses, path)


def _card_entry(entry: Mapping[str, Any], uid: str, losses: list[Loss], path: str) -> dict[str, Any]:
    given = entry.get("extensions")
    kept: dict[str, Any] = dict(given) if isinstance(given, Mapping) else {}
    ready = _details({_WORLD_NAMES.get(key, key): value for key, value in kept.items()}, losses, path)
    # One front end writes `use_regex: true` into every card, and means no more than "a key may be /written so/"
    is_pattern = entry.get("use_regex") is True and "selectiveLogic" not in kept
    if (word := _word(entry)) and "position" not in kept:
        ready["position"] = word
    if (sensitive := optional_flag(entry.get("case_sensitive"))) is not None:
        ready["caseSensitive"] = sensitive
    unknown = {key: value for key, value in entry.items() if key not in _CARD_FIELDS}
    return ready | {
        "uid": text(str(entry["id"]) if entry.get("id") is not None else uid, 500) or uid,
        "name": text(entry.get("name"), 500) or text(entry.get("comment"), 500),
        "keys": texts(entry.get("keys")),
        "secondaryKeys": texts(entry.get("secondary_keys")),
        "content": text(entry.get("content")),
        "enabled": flag(entry.get("enabled"), default=True),
        "constant": flag(entry.get("constant")),
        "selective": flag(entry.get("selective")),
        "order": number(entry.get("insertion_order"), 100),
        "priority": number(entry.get("priority"), 0),
        "useRegex": True if is_pattern else None,
        "extensions": kept | unknown,
    }


def _word(entry: Mapping[str, Any]) -> str | None:
    """Return the place that a card's entry names by a word."""
    position = entry.get("position")
    return _WORDS.get(position) if isinstance(position, str) else None


def _world_entry(entry: Mapping[str, Any], uid: str, losses: list[Loss], path: str) -> dict[str, Any]:
    return _details(entry, losses, path) | {
        "uid": text(str(entry["uid"]) if entry.get("uid") is not None else uid, 500) or uid,
        "name": text(entry.get("comment"), 500),
        "keys": texts(entry.get("key")),
        "secondaryKeys": texts(entry.get("keysecondary")),
        "content": text(entry.get("content")),
        "enabled": not flag(entry.get("disable")),
        "constant": flag(entry.get("constant")),
        "selective": flag(entry.get("selective"), default=True),
        "order": number(entry.get("order"), 100),
        "extensions": {key: value for key, value in entry.items() if key not in _WORLD_FIELDS},
    }


def _details(entry: Mapping[str, Any], losses: list[Loss], path: str) -> dict[str, Any]:
    """Return the fields that World Info files and the extensions of cards share."""
    chance = number(entry.get("probability"), 100, low=0, high=100)
    return {
        "secondaryLogic": LOGICS[number(entry.get("selectiveLogic"), 0, low=0, high=3)],
        "position": _position(entry.get("position"), losses, path),
        "depth": number(entry.get("depth"), 4, low=0, high=9_999),
        "role": ROLES[number(entry.get("role"), 0, low=0, high=2)],
        "probability": chance if flag(entry.get("useProbability"), default=True) else 100,
        "excludeRecursion": flag(entry.get("excludeRecursion")),
        "preventRecursion": flag(entry.get("preventRecursion")),
        "delayUntilRecursion": number(entry.get("delayUntilRecursion"), 0, low=0, high=100),
        "groups": [name for name in map(str.strip, text(entry.get("group")).split(",")) if name][:64],
        "groupOverride": flag(entry.get("groupOverride")),
        "groupWeight": number(entry.get("groupWeight"), 100, low=0),
        "groupScoring": optional_flag(entry.get("useGroupScoring")),
        "scanDepth": optional_count(entry.get("scanDepth")),
        "caseSensitive": optional_flag(entry.get("caseSensitive")),
        "wholeWords": optional_flag(entry.get("matchWholeWords")),
        "sticky": optional_count(entry.get("sticky")),
        "cooldown": optional_count(entry.get("cooldown")),
        "delay": optional_count(entry.get("delay")),
        "ignoreBudget": flag(entry.get("ignoreBudget")),
        "triggers": [name for name in texts(entry.get("triggers")) if name in _TRIGGERS],
        "characterFilter": _filter(entry.get("characterFilter")),
        "alsoScan": [place for name, place in _PLACES.items() if flag(entry.get(f"match{name}"))],
    }


def _position(value: Any, losses: list[Loss], path: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and value >= len(POSITIONS):
        losses.append(Loss(f"{path}.position", f"position {value} is not known here: it stands before the character"))
        return POSITIONS[0]
    return POSITIONS[number(value, 0, low=0, high=len(POSITIONS) - 1)]


def _filter(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        return {}
    return {
        "names": texts(value.get("names")),
        "tags": texts(value.get("tags")),
        "exclude": flag(value.get("isExclude")),
    }


_TRIGGERS: Final = frozenset({"normal", "continue", "regenerate", "impersonate", "quiet"})
_WORLD_NAMES: Final = {
    "exclude_recursion": "excludeRecursion",
    "prevent_recursion": "preventRecursion",
    "delay_until_recursion": "delayUntilRecursion",
    "group_override": "groupOverride",
    "group_weight": "groupWeight",
    "scan_depth": "scanDepth",
    "match_whole_words": "matchWholeWords",
    "use_group_scoring": "useGroupScoring",
    "case_sensitive": "caseSensitive",
    "ignore_budget": "ignoreBudget",
    "character_filter": "characterFilter",
    "match_persona_description": "matchPersonaDescription",
    "match_character_description": "matchCharacterDescription",
    "match_character_personality": "matchCharacterPersonality",
    "match_character_depth_prompt": "matchCharacterDepthPrompt",
    "match_scenario": "matchScenario",
    "match_creator_notes": "matchCreatorNotes",
}
"""Names in the extensions of a card's entries → names of World Info files."""
