"""Entries that call entries."""

from __future__ import annotations

from typing import Any

import pytest

from chats.lore import Budget, EntryRef, LoreSettings
from tests.chats.lore.case import book, reasons, run, uids, words

CHAIN: list[dict[str, Any]] = [
    {"uid": "a", "keys": ["start"], "content": "see bravo"},
    {"uid": "b", "keys": ["bravo"], "content": "see charlie"},
    {"uid": "c", "keys": ["charlie"], "content": "see alpha, start"},
]
ON = LoreSettings(recursive=True)


def test_one_text_calls_the_next_and_a_circle_ends() -> None:
    answer = run(book(*CHAIN), "start", settings=ON)
    assert [(hit.ref.uid, hit.step, hit.reason.wire()) for hit in answer.activated] == [
        ("a", 0, {"code": "key", "params": {"key": "start", "depth": 0}}),
        ("b", 1, {"code": "recursion", "params": {"key": "bravo", "by": "a", "book": "book"}}),
        ("c", 2, {"code": "recursion", "params": {"key": "charlie", "by": "b", "book": "book"}}),
    ]
    assert answer.activated[1].by == EntryRef("book", "a")


@pytest.mark.parametrize(("books", "caller", "expected"), [(None, False, 1), (True, False, 3), (False, True, 1)])
def test_recursion_is_off_unless_book_or_caller_say_so(books: bool | None, caller: bool, expected: int) -> None:
    answer = run(book(*CHAIN, recursive=books), "start", settings=LoreSettings(recursive=caller))
    assert len(answer.activated) == expected


@pytest.mark.parametrize(
    ("steps", "expected"), [(0, ["a"]), (1, ["a", "b"]), (2, ["a", "b", "c"]), (9, ["a", "b", "c"])]
)
def test_steps_are_limited(steps: int, expected: list[str]) -> None:
    answer = run(book(*CHAIN), "start", settings=LoreSettings(recursive=True, max_recursion_steps=steps))
    assert uids(answer) == expected
    if steps == 1:
        assert reasons(answer) == {"c": {"code": "recursionLimit", "params": {"steps": 1}}}


def test_exclude_recursion_is_not_called_by_texts() -> None:
    made = book(CHAIN[0], {**CHAIN[1], "excludeRecursion": True})
    answer = run(made, "start", settings=ON)
    assert (uids(answer), reasons(answer)) == (["a"], {"b": {"code": "recursionExcluded", "params": {}}})
    assert uids(run(made, "start", "bravo", settings=ON)) == ["a", "b"]


def test_prevent_recursion_calls_nobody() -> None:
    assert uids(run(book({**CHAIN[0], "preventRecursion": True}, *CHAIN[1:]), "start", settings=ON)) == ["a"]


def test_delay_until_recursion_waits_though_its_key_is_there() -> None:
    made = book({"uid": "late", "keys": ["start"], "delayUntilRecursion": True}, CHAIN[0])
    answer = run(made, "start", settings=ON)
    assert [(hit.ref.uid, hit.step) for hit in answer.activated] == [("late", 1), ("a", 0)]
    off = run(made, "start")
    assert (uids(off), reasons(off)) == (
        ["a"],
        {"late": {"code": "recursionOnly", "params": {"level": 1, "recursive": False}}},
    )


def test_levels_come_one_after_the_other() -> None:
    made = book(
        {"uid": "three", "keys": ["x"], "delayUntilRecursion": 3, "content": "end"},
        {"uid": "one", "keys": ["x"], "delayUntilRecursion": 1, "content": "more"},
        {"uid": "more", "keys": ["more"]},
        {"uid": "end", "keys": ["end"]},
    )
    steps = {hit.ref.uid: hit.step for hit in run(made, "x", settings=ON).activated}
    assert steps == {"one": 1, "more": 2, "three": 3, "end": 4}


def test_a_constant_entry_may_wait_too() -> None:
    answer = run(book({"constant": True, "delayUntilRecursion": 1}), settings=ON)
    assert [(hit.ref.uid, hit.step) for hit in answer.activated] == [("0", 1)]


def test_a_secondary_key_may_come_from_a_text() -> None:
    made = book({"uid": "both", "keys": ["start"], "secondaryKeys": ["bravo"]}, CHAIN[0])
    assert uids(run(made, "start", settings=ON)) == ["both", "a"]


def test_a_key_beyond_the_depth_may_come_from_a_text() -> None:
    made = book(CHAIN[0], {**CHAIN[1], "scanDepth": 1}, {"keys": ["nothing"], "scanDepth": 9})
    assert uids(run(made, "bravo", "start", settings=ON)) == ["a", "b"]


def test_what_is_left_out_calls_nobody() -> None:
    settings = LoreSettings(recursive=True, budget=Budget(tokens=1))
    assert uids(run(book(*CHAIN), "start", settings=settings, count=words)) == []


def test_texts_are_scanned_as_expanded_and_each_once() -> None:
    seen: list[str] = []

    def expand(text: str) -> str:
        seen.append(text)
        return text.replace("{{next}}", "bravo")

    made = book({"uid": "a", "keys": ["start"], "content": "{{next}}"}, CHAIN[1])
    assert uids(run(made, "start", settings=ON, expand=expand)) == ["a", "b"]
    assert seen == ["{{next}}", "see charlie"]


def test_books_without_recursion_neither_call_nor_are_called() -> None:
    first = book(CHAIN[0], book_id="1", recursive=True)
    closed = book(CHAIN[1], book_id="2", recursive=False)
    opened = book(CHAIN[1], book_id="3", recursive=True)
    assert [hit.ref.book for hit in run([first, closed, opened], "start").activated] == ["1", "3"]


def test_a_long_chain_is_linear() -> None:
    made = book(*({"keys": [f"k{at:04}"], "content": f"k{at + 1:04}"} for at in range(2_000)))
    answer = run(made, "k0000", settings=ON)
    assert (len(answer.activated), answer.steps) == (2_000, 1_999)
