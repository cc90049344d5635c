"""What each document takes, refuses, and gives back."""

from __future__ import annotations

from typing import Any

import pytest

from chats.documents import (
    DOCUMENTS,
    Character,
    ChatSettings,
    DocumentError,
    InlineLorebook,
    Lorebook,
    LoreEntry,
    Memory,
    Persona,
    dump,
    keep_unknown,
    validate,
)
from formats.prompt.errors import UNSUPPORTED_VERSION

SMALLEST: dict[str, dict[str, Any]] = {
    "character": {"name": "Ana"},
    "persona": {"name": "Bob"},
    "lorebook": {},
    "lore-entry": {},
    "inline-lorebook": {"entries": [{"keys": ["x"], "content": "L"}]},
    "memory": {"content": "Bob likes tea."},
    "chat": {"name": "At sea"},
}


def faults(kind: str, document: Any, path: str = "") -> list[tuple[str, str]]:
    with pytest.raises(DocumentError) as caught:
        validate(DOCUMENTS[kind], document, path)
    return [(fault.path, fault.message) for fault in caught.value.faults]


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_the_smallest_document_comes_back_as_it_was(kind: str) -> None:
    assert dump(validate(DOCUMENTS[kind], SMALLEST[kind])) == SMALLEST[kind]


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_the_whole_document_can_be_read_again(kind: str) -> None:
    value = validate(DOCUMENTS[kind], SMALLEST[kind])
    assert validate(DOCUMENTS[kind], dump(value, whole=True)) == value


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_an_unknown_key_is_named(kind: str) -> None:
    assert faults(kind, {**SMALLEST[kind], "colour": 1}) == [("colour", "unknown field")]


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_extensions_survive(kind: str) -> None:
    document = {**SMALLEST[kind], "extensions": {"program/x": {"deep": [1, None, {"snake_case": True}]}}}
    assert dump(validate(DOCUMENTS[kind], document)) == document


@pytest.mark.parametrize("kind", DOCUMENTS)
@pytest.mark.parametrize("value", [None, [], "text", 3])
def test_what_is_no_object_is_refused(kind: str, value: Any) -> None:
    assert faults(kind, value, "here") == [("here", "must be an object")]


@pytest.mark.parametrize("kind", sorted(set(DOCUMENTS) - {"lore-entry"}))
def test_another_version_is_not_known(kind: str) -> None:
    with pytest.raises(DocumentError) as caught:
        validate(DOCUMENTS[kind], {**SMALLEST[kind], "version": 2}, "body")
    assert (caught.value.path, caught.value.code) == ("body.version", UNSUPPORTED_VERSION)


@pytest.mark.parametrize("kind", sorted(set(DOCUMENTS) - {"inline-lorebook"}))
def test_a_document_has_at_most_a_mebibyte(kind: str) -> None:
    big = {**SMALLEST[kind], "extensions": {"x": "é" * 524_289}}
    ((path, message),) = faults(kind, big)
    assert (path, message.partition(",")[0]) == ("", "must have at most 1048576 bytes")


def test_every_fault_is_told_with_its_place() -> None:
    document = {"name": " ", "firstMes": 3, "tags": ["ok", 1], "assets": [{"type": "icon"}], "what": 0}
    assert sorted(faults("character", document, "character")) == [
        ("character.assets[0].uri", "is required"),
        ("character.firstMes", "must be a string"),
        ("character.name", "must not be blank"),
        ("character.tags[1]", "must be a string"),
        ("character.what", "unknown field"),
    ]


def test_both_spellings_are_read_and_never_together() -> None:
    assert validate(Character, {"name": "A", "first_mes": "Hi"}).first_mes == "Hi"
    assert validate(Character, {"name": "A", "firstMes": "Hi"}).first_mes == "Hi"
    assert faults("character", {"name": "A", "first_mes": "", "firstMes": ""}, "c") == [
        ("c", "both 'firstMes' and 'first_mes' are given: keep one")
    ]
    entries = {"entries": [{"scan_depth": 1, "scanDepth": 1}]}
    assert faults("inline-lorebook", entries, "lorebooks[0]") == [
        ("lorebooks[0].entries[0]", "both 'scanDepth' and 'scan_depth' are given: keep one")
    ]


@pytest.mark.parametrize(
    ("kind", "change", "path", "message"),
    [
        ("lore-entry", {"probability": 101}, "probability", "must be at most 100.0"),
        ("lore-entry", {"probability": -1}, "probability", "must be at least 0.0"),
        ("lore-entry", {"probability": float("nan")}, "probability", "must be a finite number"),
        ("lore-entry", {"keys": "a, b"}, "keys", "must be an array"),
        ("lore-entry", {"keys": ["x" * 1_001]}, "keys[0]", "must have at most 1000 characters"),
        ("lore-entry", {"keys": ["x"] * 257}, "keys", "must have at most 256 entries"),
        ("lore-entry", {"content": "x" * 100_001}, "content", "must have at most 100000 characters"),
        ("lore-entry", {"content": "a\0b"}, "content", "must not contain a NUL character"),
        ("lore-entry", {"content": "\ud800"}, "content", "must be valid Unicode"),
        ("lore-entry", {"kind": "place"}, "kind", "must be one of 'world', 'character' or 'history'"),
        ("lore-entry", {"depth": -1}, "depth", "must be at least 0"),
        ("lore-entry", {"order": 1.5}, "order", "must be a whole number"),
        ("lore-entry", {"enabled": "yes"}, "enabled", "must be true or false"),
        ("lore-entry", {"date": {"year": 2, "day": 1}}, "date", "a day needs a month"),
        ("lore-entry", {"date": {"year": 2, "month": 13}}, "date.month", "must be at most 12"),
        ("lorebook", {"bindings": [{"number": 1, "name": "A"}] * 2}, "", "two bindings have the same number"),
        (
            "lorebook",
            {"relationships": [{"source": 1, "target": 2, "type": "kin"}]},
            "",
            "a relationship names binding 1, which the book does not have",
        ),
        (
            "lorebook",
            {"bindings": [{"number": 1, "name": "A", "character": "a", "persona": "b"}]},
            "bindings[0]",
            "bind it to a character or to a persona, not to both",
        ),
        ("lorebook", {"entries": []}, "entries", "unknown field"),
        ("inline-lorebook", {"entries": [{"uid": "a"}, {"uid": "a"}]}, "", "two entries have the uid 'a'"),
        ("memory", {"scope": "character"}, "", "a memory of scope character needs `character`"),
        ("memory", {"scope": "chat"}, "", "a memory of scope chat needs `chat`"),
        ("memory", {"content": ""}, "content", "must have at least 1 character"),
        ("chat", {"variables": {"x": 3}}, "variables.x", "must be a string"),
        ("chat", {"variables": {str(at): "" for at in range(65)}}, "variables", "must have at most 64 entries"),
        (
            "chat",
            {"character": "no slug!"},
            "character",
            "must be a slug, with @label or @number behind it where it names another object",
        ),
        ("character", {"characterBook": {"entries": "x"}}, "characterBook", "entries: must be an array or an object"),
    ],
)
def test_limits(kind: str, change: dict[str, Any], path: str, message: str) -> None:
    assert faults(kind, SMALLEST[kind] | change) == [(path, message)]


@pytest.mark.parametrize("reference", ["ana", "ana@production", "ana@7", "A.b_c-1"])
def test_references(reference: str) -> None:
    assert validate(ChatSettings, {"name": "C", "character": reference}).character == reference


@pytest.mark.parametrize(("given", "level"), [(False, 0), (True, 1), (None, 0), (3, 3)])
def test_delay_until_recursion_is_a_switch_or_a_level(given: Any, level: int) -> None:
    assert validate(LoreEntry, {"delayUntilRecursion": given}).delay_until_recursion == level


def test_an_inline_book_has_the_fields_of_the_contract() -> None:
    entry = {
        "name": "Roses",
        "kind": "history",
        "keys": ["rose"],
        "secondaryKeys": ["red"],
        "content": "They bloom.",
        "pinned": False,
        "constant": False,
        "useRegex": False,
        "caseSensitive": False,
        "wholeWords": True,
        "priority": 3,
        "enabled": True,
        "date": {"year": 12, "month": 3, "day": 1},
    }
    assert dump(validate(InlineLorebook, {"name": "B", "entries": [entry]})) == {"name": "B", "entries": [entry]}


def test_a_book_and_its_settings() -> None:
    book = validate(InlineLorebook, {"name": "B", "scanDepth": 3, "entries": [{"keys": ["x"]}]})
    assert book.settings == validate(Lorebook, {"name": "B", "scanDepth": 3})


def test_a_value_can_not_be_changed() -> None:
    persona = validate(Persona, {"name": "Bob"})
    with pytest.raises(ValueError, match="frozen"):
        persona.name = "Eve"  # type: ignore[misc]


def test_a_value_is_not_read_again() -> None:
    memory = validate(Memory, {"content": "x"})
    assert validate(Memory, memory) is memory


def test_unknown_keys_of_a_card_move_to_extra() -> None:
    card = {"name": "Ana", "chat": "2023", "fav": False, "extra": {"kept": 1}}
    document, moved = keep_unknown(card)
    assert (document, moved) == ({"name": "Ana", "extra": {"kept": 1, "chat": "2023", "fav": False}}, ["chat", "fav"])
    assert dump(validate(Character, document)) == document


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ({"prompt": "N", "depth": 2, "role": "user"}, ("N", 2, "user")),
        ({"prompt": "N", "depth": "2", "role": "narrator"}, ("N", 4, "system")),
        ({"prompt": "N", "depth": -3}, ("N", 4, "system")),
        ({"prompt": " "}, None),
        ("N", None),
        (None, None),
    ],
)
def test_the_note_of_a_card(note: Any, expected: tuple[str, int, str] | None) -> None:
    found = validate(Character, {"name": "A", "extensions": {"depth_prompt": note}}).depth_prompt
    assert (found and (found.prompt, found.depth, found.role)) == expected


def test_the_nickname_is_the_shown_name() -> None:
    assert validate(Character, {"name": "Keeper"}).shown_name == "Keeper"
    assert validate(Character, {"name": "Keeper", "nickname": "Ama"}).shown_name == "Ama"
