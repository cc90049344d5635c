"""World Info files out: entries by number, as the most used front end writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from chats.documents import InlineLorebook
from chats.documents.books import LOGICS, POSITIONS, ROLES
from chats.documents.foreign import Loss

_MATCHES: Final = {
    "persona": "matchPersonaDescription",
    "description": "matchCharacterDescription",
    "personality": "matchCharacterPersonality",
    "character_note": "matchCharacterDepthPrompt",
    "scenario": "matchScenario",
    "creator_notes": "matchCreatorNotes",
}
_UNSAID: Final = ("category", "kind", "pinned", "priority", "binding", "date", "use_regex")
"""Fields of ours that World Info has no word for."""

_IN_CARDS: Final = {
    "excludeRecursion": "exclude_recursion",
    "preventRecursion": "prevent_recursion",
    "delayUntilRecursion": "delay_until_recursion",
    "groupOverride": "group_override",
    "groupWeight": "group_weight",
    "scanDepth": "scan_depth",
    "matchWholeWords": "match_whole_words",
    "useGroupScoring": "use_group_scoring",
    "caseSensitive": "case_sensitive",
    "ignoreBudget": "ignore_budget",
    "characterFilter": "character_filter",
}
_OF_THE_ENTRY: Final = frozenset({
    "uid", "key", "keysecondary", "comment", "content", "constant", "selective", "order", "disable",
})  # fmt: skip
"""What a card's entry says itself, outside its extensions."""


def export_world_info(document: Mapping[str, Any]) -> tuple[dict[str, Any], list[Loss]]:
    """Return a book as a World Info file, and what that can not say."""
    book = InlineLorebook.model_validate(dict(document))
    losses = [
        Loss(key, "World Info has no such field")
        for key in ("description", "scan_depth", "token_budget", "bindings", "relationships")
        if getattr(book, key)
    ]
    entries: dict[str, Any] = {}
    for at, one in enumerate(book.entries):
        entry = one.model_dump(mode="json")
        entries[str(at)] = world_entry(entry, str(at))
        given = one.model_fields_set
        losses += [
            Loss(f"entries[{at}].{key}", "World Info has no such field")
            for key in _UNSAID
            if key in given and entry[key] and entry[key] != "world"
        ]
    made: dict[str, Any] = {"entries": entries}
    return ({"name": book.name} if book.name else {}) | made, losses


def world_entry(entry: Mapping[str, Any], uid: str, *, inside: bool = False) -> dict[str, Any]:
    """Return an entry (snake_case, defaults spelled out) as World Info's; `inside` a card's `extensions`."""
    made = {
        **entry["extensions"],
        "uid": int(uid) if uid.isascii() and uid.isdigit() and len(uid) < 10 else uid,
        "key": entry["keys"],
        "keysecondary": entry["secondary_keys"],
        "comment": entry["name"],
        "content": entry["content"],
        "constant": entry["constant"],
        "selective": entry["selective"],
        "selectiveLogic": LOGICS.index(entry["secondary_logic"]),
        "order": entry["order"],
        "position": POSITIONS.index(entry["position"]),
        "disable": not entry["enabled"],
        "probability": entry["probability"],
        "useProbability": True,
        "depth": entry["depth"],
        "role": ROLES.index(entry["role"]),
        "group": ", ".join(entry["groups"]),
        "groupOverride": entry["group_override"],
        "groupWeight": entry["group_weight"],
        "useGroupScoring": entry["group_scoring"],
        "scanDepth": entry["scan_depth"],
        "caseSensitive": entry["case_sensitive"],
        "matchWholeWords": entry["whole_words"],
        "excludeRecursion": entry["exclude_recursion"],
        "preventRecursion": entry["prevent_recursion"],
        "delayUntilRecursion": entry["delay_until_recursion"],
        "sticky": entry["sticky"],
        "cooldown": entry["cooldown"],
        "delay": entry["delay"],
        "ignoreBudget": entry["ignore_budget"],
        "triggers": entry["triggers"],
        **{name: place in entry["also_scan"] for place, name in _MATCHES.items()},
    }
    who = entry["character_filter"]
    if who["names"] or who["tags"]:
        made["characterFilter"] = {"names": who["names"], "tags": who["tags"], "isExclude": who["exclude"]}
    if not inside:
        return made
    return {_IN_CARDS.get(key, key): value for key, value in made.items() if key not in _OF_THE_ENTRY}
