"""Who is in, who is out, and why."""

from __future__ import annotations

from typing import Any

import pytest

from chats.lore import Budget, EntryRef, LoreSettings
from tests.chats.lore.case import FixedRolls, book, reasons, run, uids, words

# secondary keys

LOGICS = [
    ("and_any", "rose", []),
    ("and_any", "rose red", ["0"]),
    ("and_any", "rose red thorn", ["0"]),
    ("and_any", "red thorn", []),
    ("and_all", "rose red", []),
    ("and_all", "rose red thorn", ["0"]),
    ("not_any", "rose", ["0"]),
    ("not_any", "rose red", []),
    ("not_any", "rose red thorn", []),
    ("not_all", "rose", ["0"]),
    ("not_all", "rose red", ["0"]),
    ("not_all", "rose red thorn", []),
    ("not_all", "red", []),
]


@pytest.mark.parametrize(("logic", "text", "expected"), LOGICS)
def test_the_four_logics(logic: str, text: str, expected: list[str]) -> None:
    entry = {"keys": ["rose"], "secondaryKeys": ["red", "thorn"], "secondaryLogic": logic}
    assert uids(run(book(entry), text)) == expected


def test_secondary_keys_are_passed_over_when_not_selective() -> None:
    assert uids(run(book({"keys": ["rose"], "secondaryKeys": ["red"], "selective": False}), "rose")) == ["0"]


def test_blank_secondary_keys_are_none() -> None:
    assert uids(run(book({"keys": ["rose"], "secondaryKeys": ["", " "], "secondaryLogic": "and_all"}), "rose")) == ["0"]


def test_a_secondary_key_in_another_message_counts() -> None:
    assert uids(run(book({"keys": ["rose"], "secondaryKeys": ["red"]}), "red", "rose")) == ["0"]


def test_a_key_does_not_reach_over_two_messages() -> None:
    assert uids(run(book({"keys": ["red rose"]}), "red ", "rose")) == []


# what is in, and why


def test_a_hit_tells_everything() -> None:
    made = book({"uid": "r", "keys": ["rose", "lily", "tulip"], "secondaryKeys": ["red", "old"], "content": "Roses."})
    (hit,) = run(made, "an old lily", "a Rose, red", "nothing").activated
    told = (hit.ref, hit.text, hit.reason.wire(), hit.keys, hit.secondary, hit.depth, hit.by, hit.score, hit.step)
    assert told == (
        EntryRef("book", "r"),
        "Roses.",
        {"code": "key", "params": {"key": "rose", "depth": 1}},
        ("rose", "lily"),
        ("red", "old"),
        1,
        None,
        4,
        0,
    )
    assert hit.relevance == pytest.approx(2 / 3)


def test_the_reason_names_the_key_of_the_newest_message() -> None:
    (hit,) = run(book({"keys": ["rose", "lily"]}), "rose", "lily", "-").activated
    assert hit.reason.wire() == {"code": "key", "params": {"key": "lily", "depth": 1}}


def test_constant_and_pinned_need_no_key_and_are_required() -> None:
    made = book({"constant": True}, {"pinned": True}, {"keys": ["x"]})
    answer = run(made, "x")
    assert [(hit.ref.uid, hit.reason.code.value, hit.is_required) for hit in answer.activated] == [
        ("0", "constant", True),
        ("1", "pinned", True),
        ("2", "key", False),
    ]


def test_nothing_to_scan() -> None:
    assert uids(run(book({"keys": ["x"]}, {"constant": True}))) == ["1"]
    assert uids(run([], "x")) == []


def test_why_the_others_are_out() -> None:
    made = book(
        {"uid": "off", "keys": ["x"], "enabled": False},
        {"uid": "keyless"},
        {"uid": "other", "keys": ["y"]},
        {"uid": "deep", "keys": ["z"], "scanDepth": 1},
        {"uid": "quiet", "keys": ["x"], "triggers": ["quiet"]},
        {"uid": "hers", "keys": ["x"], "characterFilter": {"names": ["Mina"]}},
        {"uid": "both", "keys": ["x"], "secondaryKeys": ["p", "z"], "secondaryLogic": "and_all"},
        {"uid": "in", "keys": ["x"]},
    )
    answer = run(made, "z", "x")
    told = {entry.ref.uid: answer.explain(made, entry.ref.uid).wire() for entry in made.entries}
    assert told == {
        "off": {"code": "disabled", "params": {}},
        "keyless": {"code": "noKeys", "params": {}},
        "other": {"code": "notMatched", "params": {}},
        "deep": {"code": "beyondDepth", "params": {"key": "z", "depth": 1, "scanDepth": 1}},
        "quiet": {"code": "trigger", "params": {"generationType": "normal", "triggers": ["quiet"]}},
        "hers": {"code": "character", "params": {"speaker": ""}},
        "both": {"code": "secondary", "params": {"logic": "and_all", "matched": ["z"], "of": 2}},
        "in": {"code": "key", "params": {"key": "x", "depth": 0}},
    }
    assert answer.explain(made, "nobody").wire() == {"code": "unknown", "params": {}}


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"names": ["mina"]}, ["0"]),
        ({"names": ["Ana"]}, []),
        ({"names": ["Ana"], "exclude": True}, ["0"]),
        ({"names": ["Mina"], "exclude": True}, []),
        ({"tags": ["sea"]}, ["0"]),
        ({"tags": ["sky"]}, []),
        ({"names": [], "tags": [], "exclude": True}, ["0"]),
    ],
)
def test_the_character_filter(chosen: dict[str, Any], expected: list[str]) -> None:
    settings = LoreSettings(speaker="Mina", speaker_tags=frozenset({"sea"}))
    assert uids(run(book({"keys": ["x"], "characterFilter": chosen}), "x", settings=settings)) == expected


# depth


@pytest.mark.parametrize(
    ("own", "books", "expected"),
    [(None, None, ["0"]), (None, 1, []), (2, 1, ["0"]), (1, 5, []), (0, None, []), (3, None, ["0"])],
)
def test_scan_depth_of_entry_book_and_caller(own: int | None, books: int | None, expected: list[str]) -> None:
    made = book({"keys": ["x"], "scanDepth": own}, scanDepth=books)
    assert uids(run(made, "x", "newest", settings=LoreSettings(scan_depth=2))) == expected


def test_the_newest_message_and_ten_before_it_are_scanned() -> None:
    made = book({"keys": ["x"]})
    assert uids(run(made, "x", *["-"] * 10)) == ["0"]
    assert uids(run(made, "x", *["-"] * 11)) == []


def test_two_books_look_at_different_depths() -> None:
    near, far = book({"keys": ["x"]}, book_id="near", scanDepth=1), book({"keys": ["x"]}, book_id="far", scanDepth=9)
    answer = run([near, far], "x", "-", "-")
    assert [hit.ref for hit in answer.activated] == [EntryRef("far", "0")]


def test_named_texts_are_scanned_for_those_that_ask() -> None:
    made = book({"keys": ["x"], "alsoScan": ["scenario"]}, {"keys": ["x"]}, {"keys": ["x"], "alsoScan": ["persona"]})
    answer = run(made, "-", settings=LoreSettings(places={"scenario": "an X", "persona": "y"}))
    assert [(hit.ref.uid, hit.reason.wire()) for hit in answer.activated] == [
        ("0", {"code": "place", "params": {"key": "x", "place": "scenario"}})
    ]


def test_min_activations_reads_on_until_there_are_enough() -> None:
    made = book({"keys": ["a"]}, {"keys": ["b"]}, {"keys": ["c"]}, {"keys": ["d"], "scanDepth": 1})
    texts = ["c", "-", "b", "d", "a"]
    for least, expected in ((0, ["0"]), (1, ["0"]), (2, ["0", "1"]), (3, ["0", "1", "2"]), (9, ["0", "1", "2"])):
        assert uids(run(made, *texts, settings=LoreSettings(scan_depth=1, min_activations=least))) == expected
    limited = LoreSettings(scan_depth=1, min_activations=3, max_scan_depth=3)
    assert uids(run(made, *texts, settings=limited)) == ["0", "1"]


def test_min_activations_reaches_what_was_read_for_another() -> None:
    made = book({"keys": ["far"]}, {"keys": ["nothing"], "scanDepth": 5})
    settings = LoreSettings(scan_depth=1, min_activations=1)
    assert uids(run(made, "far", "-", settings=settings)) == ["0"]


# chance


def test_probability_is_a_roll_below_it() -> None:
    made = book({"keys": ["x"], "probability": 50})
    assert uids(run(made, "x", rolls=FixedRolls(0.499))) == ["0"]
    answer = run(made, "x", rolls=FixedRolls(0.5))
    assert (uids(answer), reasons(answer)) == (
        [],
        {"0": {"code": "probability", "params": {"roll": 50.0, "probability": 50.0}}},
    )


def test_one_entry_s_chance_does_not_depend_on_the_others() -> None:
    entry = {"uid": "e", "keys": ["x"], "probability": 50}
    alone = [uids(run(book(entry), "x", rolls=_seeded(seed))) for seed in range(30)]
    among = [
        [
            uid
            for uid in uids(run(book({"keys": ["x"], "probability": 30}, entry), "x", rolls=_seeded(seed)))
            if uid == "e"
        ]
        for seed in range(30)
    ]
    assert alone == among
    assert 5 < sum(map(len, alone)) < 25


def _seeded(seed: int) -> Any:
    from chats.lore import SeededRolls

    return SeededRolls(seed)


def test_pinned_never_rolls() -> None:
    rolls = FixedRolls(0.999)
    assert uids(run(book({"pinned": True, "probability": 0}), rolls=rolls)) == ["0"]
    assert rolls.asked == []


# order


def test_prompt_order_is_order_then_book_then_place() -> None:
    first = book({"keys": ["x"], "order": 5, "uid": "b"}, {"keys": ["x"], "order": 1, "uid": "a"}, book_id="1")
    second = book({"keys": ["x"], "order": 5, "uid": "c"}, {"keys": ["x"], "order": -2, "uid": "z"}, book_id="2")
    assert uids(run([first, second], "x")) == ["z", "a", "b", "c"]


# budget


def test_priority_then_order_decide_who_is_paid_first() -> None:
    made = book(
        {"uid": "low", "keys": ["x"], "content": "a b", "order": 1},
        {"uid": "high", "keys": ["x"], "content": "c d", "order": 9},
        {"uid": "first", "keys": ["x"], "content": "e f", "priority": 1, "order": 0},
    )
    answer = run(made, "x", settings=LoreSettings(budget=Budget(tokens=4)), count=words)
    assert (uids(answer), answer.tokens, answer.budget) == (["first", "high"], 4, 4)
    assert reasons(answer) == {
        "low": {"code": "budget", "params": {"scope": "lore", "tokens": 2, "used": 4, "budget": 4}}
    }


def test_what_does_not_fit_leaves_room_for_what_does() -> None:
    made = book(
        {"uid": "big", "keys": ["x"], "content": "a b c d e", "priority": 1},
        {"uid": "small", "keys": ["x"], "content": "f"},
    )
    assert uids(run(made, "x", settings=LoreSettings(budget=Budget(tokens=3)), count=words)) == ["small"]


def test_required_lore_is_counted_and_never_left_out() -> None:
    made = book(
        {"uid": "must", "constant": True, "content": "a b c d e"},
        {"uid": "free", "keys": ["x"], "content": "f g", "ignoreBudget": True},
        {"uid": "late", "keys": ["x"], "content": "h", "priority": 9},
    )
    answer = run(made, "x", settings=LoreSettings(budget=Budget(tokens=5)), count=words)
    assert ([(hit.ref.uid, hit.tokens) for hit in answer.activated], answer.tokens) == ([("must", 5), ("free", 2)], 5)


@pytest.mark.parametrize(
    ("budget", "context", "limit"),
    [
        (Budget(), 1000, None),
        (Budget(tokens=7), None, 7),
        (Budget(percent=25), 1000, 250),
        (Budget(percent=25), None, None),
        (Budget(percent=25, tokens=100), 1000, 100),
        (Budget(percent=1, tokens=100), 1000, 10),
        (Budget(tokens=0), 1000, 0),
    ],
)
def test_the_budget_as_a_number_or_a_share(budget: Budget, context: int | None, limit: int | None) -> None:
    assert budget.limit(context) == limit


def test_a_book_has_its_own_budget() -> None:
    small = book({"keys": ["x"], "content": "a"}, {"keys": ["x"], "content": "b"}, book_id="small", tokenBudget=1)
    large = book({"keys": ["x"], "content": "c"}, {"keys": ["x"], "content": "d"}, book_id="large")
    answer = run([small, large], "x", count=words)
    assert [hit.text for hit in answer.activated] == ["a", "c", "d"]
    assert reasons(answer)["1"]["params"] == {"scope": "book", "tokens": 1, "used": 1, "budget": 1}


def test_texts_are_counted_as_expanded() -> None:
    made = book({"keys": ["x"], "content": "{{long}}"})
    settings = LoreSettings(budget=Budget(tokens=2))
    answer = run(made, "x", settings=settings, count=words, expand=lambda text: "one two three")
    assert reasons(answer)["0"]["params"]["tokens"] == 3


# several books


def test_a_book_given_twice_is_used_once() -> None:
    one = book({"keys": ["x"], "content": "L"})
    again = book({"keys": ["x"], "content": "L"}, book_id="again")
    again = type(again)(**{name: getattr(again, name) for name in again.__slots__} | {"digest": one.digest})
    answer = run([one, one, again], "x")
    assert [hit.ref for hit in answer.activated] == [EntryRef("book", "0")]
    assert [(rejected.ref, rejected.reason.wire()) for rejected in answer.rejected] == [
        (EntryRef("book", "*"), {"code": "duplicateBook", "params": {"book": "book", "of": "book"}}),
        (EntryRef("again", "*"), {"code": "duplicateBook", "params": {"book": "again", "of": "book"}}),
    ]
    assert answer.explain(again, "0").code.value == "duplicateBook"


def test_entries_without_uid_are_called_by_their_place() -> None:
    made = book({"uid": "1", "keys": ["x"]}, {"keys": ["x"]}, {"keys": ["x"]})
    assert uids(run(made, "x")) == ["1", "#1", "2"]
