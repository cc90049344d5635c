"""Inclusion groups."""

from __future__ import annotations

from collections import Counter
from typing import Any

from chats.lore import LoreSettings, LoreState, SeededRolls, Timed
from chats.lore.compiled import EntryRef
from tests.chats.lore.case import FixedRolls, book, reasons, run, uids


def member(uid: str, **fields: Any) -> dict[str, Any]:
    return {"uid": uid, "keys": ["x"], "groups": ["g"], **fields}


def test_one_of_a_group_is_in_and_the_others_say_who_won() -> None:
    answer = run(book(member("a"), member("b")), "x", rolls=FixedRolls(0.5))
    assert (uids(answer), reasons(answer)) == (
        ["b"],
        {"a": {"code": "group", "params": {"group": "g", "winner": "b", "book": "book", "by": "weight"}}},
    )


def test_weights_are_shares() -> None:
    made = book(member("rare", groupWeight=10), member("often", groupWeight=30), member("never", groupWeight=0))
    won = Counter(uids(run(made, "x", rolls=SeededRolls(seed)))[0] for seed in range(400))
    assert set(won) == {"rare", "often"}
    assert 240 < won["often"] < 360


def test_no_weight_at_all_takes_the_most_important() -> None:
    assert uids(run(book(member("a", groupWeight=0), member("b", groupWeight=0, order=101)), "x")) == ["b"]


def test_an_override_wins_by_the_highest_order() -> None:
    made = book(
        member("a", groupOverride=True, order=1), member("b", groupOverride=True, order=2), member("c", order=9)
    )
    answer = run(made, "x")
    assert uids(answer) == ["b"]
    assert {uid: reason["params"]["by"] for uid, reason in reasons(answer).items()} == {
        "a": "override",
        "c": "override",
    }


def test_scores_decide_before_override_and_chance() -> None:
    made = book(
        member("one", groupScoring=True, groupOverride=True),
        member("two", keys=["x", "y"], groupScoring=True),
    )
    answer = run(made, "x y")
    assert uids(answer) == ["two"]
    assert reasons(answer)["one"]["params"] == {
        "group": "g", "winner": "two", "book": "book", "by": "score", "score": 1, "best": 2,
    }  # fmt: skip


def test_the_book_may_ask_for_scores() -> None:
    made = book(member("one"), member("two", secondaryKeys=["y"]), groupScoring=True)
    assert uids(run(made, "x y")) == ["two"]


def test_negative_secondary_keys_add_no_score() -> None:
    made = book(member("not", secondaryKeys=["p", "q"], secondaryLogic="not_any"), member("plain"), groupScoring=True)
    assert [hit.score for hit in run(made, "x", rolls=FixedRolls(0)).activated] == [1]


def test_a_group_filled_in_an_earlier_step_is_closed() -> None:
    made = book(member("a", content="calls y"), member("b", keys=["y"]))
    answer = run(made, "x", settings=LoreSettings(recursive=True))
    assert (uids(answer), reasons(answer)["b"]["params"]["by"]) == (["a"], "held")


def test_pinned_and_sticky_hold_their_group() -> None:
    answer = run(book(member("a"), member("b", pinned=True)), "x", rolls=FixedRolls(0))
    assert uids(answer) == ["b"]
    made = book(member("a"), member("b", sticky=5, keys=["y"]))
    state = LoreState(message_count=3, entries={EntryRef("book", "b"): Timed(7, 7)})
    assert uids(run(made, "x", state=state, rolls=FixedRolls(0))) == ["b"]


def test_an_entry_of_two_groups_has_to_win_both() -> None:
    made = book(member("a", groupOverride=True), member("b", groups=["g", "h"]), member("c", groups=["h"]))
    assert uids(run(made, "x", rolls=FixedRolls(0))) == ["a", "c"]


def test_a_winner_that_loses_its_roll_leaves_the_group_empty() -> None:
    made = book(member("a", groupOverride=True, probability=0), member("b"))
    answer = run(made, "x")
    assert (uids(answer), reasons(answer)["a"]["code"], reasons(answer)["b"]["code"]) == ([], "probability", "group")


def test_groups_are_of_all_books_together() -> None:
    answer = run([book(member("a"), book_id="1"), book(member("b"), book_id="2")], "x")
    assert len(answer.activated) == 1
