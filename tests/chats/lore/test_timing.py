"""Sticky, cooldown and delay: read from what a chat remembers, proposed, never written."""

from __future__ import annotations

from typing import Any

import pytest

from chats.lore import Activation, LoreState, Timed
from chats.lore.compiled import EntryRef
from tests.chats.lore.case import book, reasons, run, uids

REF = EntryRef("book", "0")
ENTRY: dict[str, Any] = {"keys": ["x"], "sticky": 3, "cooldown": 2}


def at(count: int, *texts: str, entry: dict[str, Any] | None = None, timed: Timed | None = None) -> Activation:
    state = LoreState(count, {} if timed is None else {REF: timed})
    return run(book(entry or ENTRY), *texts, state=state)


def test_an_activation_proposes_what_to_remember() -> None:
    answer = at(10, "x")
    assert (uids(answer), answer.changes) == (["0"], ((REF, 13, 15),))


def test_without_a_stored_chat_nothing_is_proposed_or_delayed() -> None:
    answer = run(book({**ENTRY, "delay": 99}), "x")
    assert (uids(answer), answer.changes) == (["0"], ())


@pytest.mark.parametrize(
    ("count", "text", "expected", "code"),
    [
        (10, "x", True, None),  # the prompt that began it, made again
        (10, "-", False, None),
        (11, "-", True, "sticky"),
        (12, "x", True, "sticky"),
        (13, "x", False, "cooldown"),
        (14, "x", False, "cooldown"),
        (15, "x", True, "key"),
        (15, "-", False, None),
        (9, "-", False, None),  # cut back to before it began
        (9, "x", True, "key"),
    ],
)
def test_sticky_then_cooldown_then_free(count: int, text: str, expected: bool, code: str | None) -> None:
    answer = at(count, text, timed=Timed(13, 15))
    assert (uids(answer) == ["0"]) is expected
    if code is not None:
        assert answer.explain(book(ENTRY), "0").code == code


def test_while_it_lasts_nothing_new_is_proposed() -> None:
    assert at(12, "x", timed=Timed(13, 15)).changes == ()
    assert at(14, "x", timed=Timed(13, 15)).changes == ()


def test_what_is_over_or_cut_off_is_forgotten() -> None:
    assert at(20, "-", timed=Timed(13, 15)).changes == ((REF, None, None),)
    assert at(9, "-", timed=Timed(13, 15)).changes == ((REF, None, None),)
    assert at(20, "x", timed=Timed(13, 15)).changes == ((REF, 23, 25),)


def test_cooldown_alone() -> None:
    entry = {"keys": ["x"], "cooldown": 4}
    assert at(10, "x", entry=entry).changes == ((REF, 10, 14),)
    held = at(12, "x", entry=entry, timed=Timed(10, 14))
    assert reasons(held) == {"0": {"code": "cooldown", "params": {"until": 14, "messages": 12}}}


@pytest.mark.parametrize(("count", "expected"), [(4, []), (5, ["0"])])
def test_delay_waits_for_so_many_messages(count: int, expected: list[str]) -> None:
    answer = at(count, "x", entry={"keys": ["x"], "delay": 5})
    assert uids(answer) == expected
    if not expected:
        assert reasons(answer) == {"0": {"code": "delay", "params": {"from": 5, "messages": 4}}}


def test_a_sticky_entry_rolls_no_dice() -> None:
    answer = at(11, "-", entry={**ENTRY, "probability": 0}, timed=Timed(13, 15))
    assert uids(answer) == ["0"]


def test_a_disabled_or_lost_entry_is_not_sticky() -> None:
    assert uids(at(11, "-", entry={**ENTRY, "enabled": False}, timed=Timed(13, 15))) == []
    state = LoreState(11, {EntryRef("book", "gone"): Timed(13, 15), EntryRef("other", "0"): Timed(13, 15)})
    assert uids(run(book(ENTRY), "-", state=state)) == []
