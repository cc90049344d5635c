"""Faults that users of other programs reported, told in our own words; each has the right value here."""

from __future__ import annotations

from chats.lore import inject, injections
from tests.chats.lore.case import FixedRolls, book, run, uids


def test_a_short_key_does_not_fire_inside_words() -> None:
    made = book({"keys": ["AI"], "wholeWords": True, "caseSensitive": False})
    assert uids(run(made, "It ain't so in Maine.")) == []
    assert uids(run(made, "Then the AI answered.")) == ["0"]


def test_whole_words_work_where_no_spaces_are() -> None:
    assert uids(run(book({"keys": ["龙"], "wholeWords": True}), "红龙来了")) == ["0"]


def test_keys_in_slashes_keys_like_paths_and_keys_with_a_slash() -> None:
    made = book({"keys": ["/(?:^|[^а-я])Кент(?:а|ой|у)/g"]}, {"keys": ["/home/user"]}, {"keys": ["AC/DC"]})
    assert uids(run(made, "вижу Кента; ls /home/user; AC/DC on stage")) == ["0", "1", "2"]
    assert uids(run(made, "подКента, home, AC DC")) == []


def test_no_probability_is_never_even_when_the_dice_say_nothing() -> None:
    made = book(
        {"keys": ["x"], "probability": 0, "content": "A"},
        {"keys": [""], "content": "B"},
        {"keys": [], "constant": True, "content": "C"},
    )
    assert [hit.text for hit in run(made, "x", rolls=FixedRolls(0.0)).activated] == ["C"]


def test_a_lower_order_stands_first_at_one_depth() -> None:
    deep = {"constant": True, "position": "at_depth", "depth": 0}
    made = book({**deep, "content": "second", "order": 200}, {**deep, "content": "first", "order": 100})
    added = [(each.depth, (each.role, each.text)) for each in injections(run(made).activated)]
    assert inject([("user", "Hi")], added) == [("user", "Hi"), ("system", "first\nsecond")]


def test_a_depth_beyond_the_history_stays_below_the_system_prompt() -> None:
    made = book({"constant": True, "position": "at_depth", "depth": 10, "content": "N"})
    added = [(each.depth, (each.role, each.text)) for each in injections(run(made).activated)]
    history = [("assistant", "Hello."), ("user", "Hi")]
    assert [("system", "Main."), *inject(history, added)] == [("system", "Main."), ("system", "N"), *history]
