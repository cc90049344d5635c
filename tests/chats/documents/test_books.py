"""Books in other programs' shapes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chats.documents import Character, DocumentError, InlineLorebook, dump, keep_unknown, read_book, validate
from chats.lore import activate, compile_book
from chats.lore.settings import LoreSettings
from tests.chats.lore.case import FixedRolls

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "data" / "samples"
needs_samples = pytest.mark.skipif(not SAMPLES.is_dir(), reason="no ../shared/data/samples")


def entries(document: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = dump(read_book(document)[0], whole=True)["entries"]
    return found


def some(entry: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: entry[name] for name in names}


def test_our_own_shape_is_read_as_it_is() -> None:
    document = {"name": "B", "entries": [{"keys": ["x"], "secondaryKeys": ["y"], "content": "L"}]}
    assert (dump(read_book(document)[0]), read_book(document)[1]) == (document, [])


def test_a_book_with_an_array_and_the_names_of_cards() -> None:
    first = {"keys": ["rose"], "content": "R.", "enabled": True, "insertion_order": 10, "id": 0, "selective": False}
    second = {"keys": ["lily"], "content": "L.", "enabled": False, "insertion_order": 20, "secondary_keys": ["w"]}
    names = ("uid", "keys", "secondaryKeys", "selective", "content", "enabled", "order")
    assert [tuple(entry[name] for name in names) for entry in entries({"entries": [first, second]})] == [
        ("0", ["rose"], [], False, "R.", True, 10),
        ("1", ["lily"], ["w"], False, "L.", False, 20),
    ]


def test_world_info_with_an_object() -> None:
    entry = {
        "uid": 0,
        "key": ["rose"],
        "keysecondary": [],
        "content": "R.",
        "disable": False,
        "order": 100,
        "position": 0,
    }
    (found,) = entries({"entries": {"0": entry}})
    assert some(found, "keys", "secondaryKeys", "content", "enabled", "order", "position") == {
        "keys": ["rose"],
        "secondaryKeys": [],
        "content": "R.",
        "enabled": True,
        "order": 100,
        "position": "before_character",
    }


def test_every_field_of_world_info() -> None:
    entry = {
        "uid": 3, "key": ["k"], "keysecondary": ["s"], "comment": "t", "content": "C", "constant": True,
        "selective": True, "selectiveLogic": 2, "order": 50, "position": 1, "disable": True, "caseSensitive": True,
        "matchWholeWords": False, "depth": 4, "role": None, "probability": 30, "useProbability": False,
        "group": "a, b,", "groupWeight": 7, "useGroupScoring": True, "sticky": 2, "delayUntilRecursion": True,
        "scanDepth": 0, "matchScenario": True, "ignoreBudget": True, "automationId": "kept",
        "characterFilter": {"isExclude": True, "names": ["Ana"], "tags": []}, "triggers": ["normal", "swipe"],
    }  # fmt: skip
    (found,) = entries({"entries": {"3": entry}})
    assert {name: value for name, value in found.items() if value != _DEFAULTS[name]} == {
        "uid": "3", "name": "t", "keys": ["k"], "secondaryKeys": ["s"], "content": "C", "constant": True,
        "secondaryLogic": "not_any", "order": 50, "position": "after_character", "enabled": False,
        "caseSensitive": True, "wholeWords": False, "groups": ["a", "b"], "groupWeight": 7, "groupScoring": True,
        "sticky": 2, "delayUntilRecursion": 1, "scanDepth": 0, "alsoScan": ["scenario"], "ignoreBudget": True,
        "characterFilter": {"names": ["Ana"], "tags": [], "exclude": True}, "triggers": ["normal"],
        "extensions": {"automationId": "kept"},
    }  # fmt: skip


_DEFAULTS = dump(validate(InlineLorebook, {"entries": [{}]}), whole=True)["entries"][0]


@pytest.mark.parametrize("at", range(7))
def test_positions(at: int) -> None:
    names = [
        "before_character",
        "after_character",
        "note_top",
        "note_bottom",
        "at_depth",
        "examples_top",
        "examples_bottom",
    ]
    assert entries({"entries": {"0": {"key": ["x"], "position": at}}})[0]["position"] == names[at]


def test_a_position_that_does_not_exist_here_is_told() -> None:
    book, losses = read_book({"entries": {"5": {"key": ["x"], "position": 7}}})
    assert book.entries[0].position == "before_character"
    assert [(loss.path, loss.reason) for loss in losses] == [
        ("entries.5.position", "position 7 is not known here: it stands before the character")
    ]


@pytest.mark.parametrize(("extensions", "expected"), [({}, True), ({"other": 1}, True), ({"selectiveLogic": 0}, None)])
def test_use_regex_of_cards(extensions: dict[str, Any], expected: bool | None) -> None:
    entry = {"keys": ["a.b"], "insertion_order": 1, "use_regex": True, "extensions": extensions}
    assert entries({"entries": [entry]})[0]["useRegex"] is expected


@pytest.mark.parametrize(
    ("field", "value", "name", "expected"),
    [
        ("key", "a, b", "keys", ["a", "b"]),
        ("key", None, "keys", []),
        ("key", ["a", None, "", 3], "keys", ["a"]),
        ("order", "7", "order", 7),
        ("order", "x", "order", 100),
        ("order", 1e99, "order", 1_000_000),
        ("order", float("nan"), "order", 100),
        ("probability", 250, "probability", 100),
        ("disable", "true", "enabled", False),
        ("disable", 1, "enabled", False),
        ("role", "x", "role", "system"),
        ("position", None, "position", "before_character"),
        ("content", 5, "content", ""),
        ("comment", "x" * 900, "name", "x" * 500),
        ("sticky", -4, "sticky", 0),
    ],
)
def test_wrong_types_are_read_as_meant(field: str, value: Any, name: str, expected: Any) -> None:
    assert entries({"entries": {"0": {"key": ["k"], field: value}}})[0][name] == expected


def test_two_entries_with_one_uid_and_one_that_is_nothing() -> None:
    book, losses = read_book({"entries": [{"key": ["a"], "uid": 1}, {"key": ["b"], "uid": 1}, None]})
    assert [entry.uid for entry in book.entries] == ["1", "1-2"]
    assert [(loss.path, loss.reason) for loss in losses] == [("entries[2]", "is no object")]


@pytest.mark.parametrize(
    ("content", "change"),
    [
        ("@@depth 2\n@@role user\n\nText", {"position": "at_depth", "depth": 2, "role": "user"}),
        ("@@activate\nText", {"constant": True}),
        ("@@dont_activate\nText", {"enabled": False}),
        ("@@position after_desc\nText", {"position": "after_character"}),
        ("@@scan_depth 9\nText", {"scanDepth": 9}),
        ("@@activate_only_after 3\nText", {"delay": 3}),
        ("@@exclude_keys a,b\nText", {"secondaryKeys": ["a", "b"], "secondaryLogic": "not_any", "selective": True}),
        ("@@unheard_of 1\n@@@depth 5\nText", {"position": "at_depth", "depth": 5}),
        ("@@depth 1\n@@@depth 5\nText", {"position": "at_depth", "depth": 1}),
    ],
)
def test_decorators_are_obeyed_and_not_printed(content: str, change: dict[str, Any]) -> None:
    (plain,) = entries({"entries": [{"keys": ["k"], "insertion_order": 1, "content": "Text"}]})
    (found,) = entries({"entries": [{"keys": ["k"], "insertion_order": 1, "content": content}]})
    lines = [line for line in content.split("\n") if line.startswith("@@")]
    assert found == plain | change | {"extensions": {"decorators": lines}}


def test_a_decorator_that_is_not_known_is_told() -> None:
    _, losses = read_book({"entries": [{"keys": ["k"], "id": 1, "content": "@@is_greeting 1\nText"}]})
    assert [(loss.path, loss.reason) for loss in losses] == [
        ("entries[0].content", "decorator @@is_greeting is not obeyed here")
    ]


@pytest.mark.parametrize(
    ("document", "path", "message"),
    [
        ([], "", "a book must be an object"),
        ({"entries": "x"}, "entries", "must be an array or an object"),
        ({"entries": [3]}, "entries[0]", "must be an object"),
        ({"entries": [{"keys": ["x"], "colour": 1}]}, "entries[0].colour", "unknown field"),
    ],
)
def test_what_is_no_book(document: Any, path: str, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read_book(document)
    assert [(fault.path, fault.message) for fault in caught.value.faults] == [(path, message)]


@needs_samples
@pytest.mark.parametrize("name", ["st-worldinfo", "lorebook-v3"])
def test_the_samples_of_books_are_read_and_fire(name: str) -> None:
    book, losses = read_book(json.loads((SAMPLES / f"{name}.json").read_text("utf-8")))
    made = compile_book(book, book_id=name)
    settings = LoreSettings(speaker="Keeper")
    answer = activate([made], ["a storm at the lighthouse"], settings, FixedRolls(0))
    assert (losses, made.findings, answer.explain(made, "0").code.value) == ([], (), "key")
    assert (answer.activated[-1].compiled.entry.depth, answer.activated[-1].compiled.entry.role) == (2, "user")


@needs_samples
@pytest.mark.parametrize("name", ["card-v2", "card-v3"])
def test_the_samples_of_cards_are_characters(name: str) -> None:
    card = json.loads((SAMPLES / f"{name}.json").read_text("utf-8"))["data"]
    character = validate(Character, card)
    assert (keep_unknown(card)[1], character.extensions) == ([], card["extensions"])
    assert character.model_dump(mode="json", exclude_unset=True) == card
    book = character.book()
    assert book is not None
    assert (book.name, book.scan_depth, book.token_budget) == ("Quay book", 4, 300)


def test_a_book_without_a_name_has_the_character_s() -> None:
    book = validate(Character, {"name": "Ana", "character_book": {"entries": []}}).book()
    assert book is not None
    assert book.name == "Ana"
    assert validate(Character, {"name": "Ana"}).book() is None
