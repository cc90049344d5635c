"""Where lore stands."""

from __future__ import annotations

from chats.lore import by_position, inject, injections
from tests.chats.lore.case import book, run

DEEP = {"constant": True, "position": "at_depth"}


def test_each_position_in_prompt_order() -> None:
    positions = ["before_character", "after_character", "note_top", "note_bottom", "examples_top", "examples_bottom"]
    entries = [{"constant": True, "content": f"{place} {at}", "position": place, "order": -at}
               for place in positions for at in (1, 2)]  # fmt: skip
    placed = by_position(run(book(*entries)).activated)
    assert {place: [hit.text for hit in hits] for place, hits in placed.items()} == {
        place: [f"{place} 2", f"{place} 1"] for place in positions
    }


def test_blank_texts_stand_nowhere() -> None:
    answer = run(book({"constant": True, "content": " \n"}, {**DEEP, "content": ""}))
    assert (len(answer.activated), by_position(answer.activated), injections(answer.activated)) == (2, {}, [])


def test_one_message_for_each_depth_and_role() -> None:
    made = book(
        {**DEEP, "content": "late", "depth": 1, "order": 2},
        {**DEEP, "content": "early", "depth": 1, "order": 1},
        {**DEEP, "content": "said", "depth": 1, "role": "assistant"},
        {**DEEP, "content": "far", "depth": 7, "role": "user"},
    )
    found = [(each.depth, each.role, each.text, len(each.hits)) for each in injections(run(made).activated)]
    assert found == [(7, "user", "far", 1), (1, "assistant", "said", 1), (1, "system", "early\nlate", 2)]


def test_items_are_put_before_the_end_and_never_above_the_first() -> None:
    added = [(9, "N"), (1, "one"), (1, "two"), (0, "end")]
    assert inject(["a", "b"], added) == ["N", "a", "one", "two", "b", "end"]
    assert inject([], [(3, "N")]) == ["N"]
