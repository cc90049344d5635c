"""The vector and hybrid engines: meaning without shared words, the floor, budgets, and what happens without vectors."""

from __future__ import annotations

import numpy as np
import pytest

from chats.infill.registry import engine
from chats.infill.semantic.search import Block, nearest, varied
from chats.infill.types import Candidate, Options, Scene, Selection
from tests.chats.infill.meanings import meaning
from tests.chats.infill.samples import lore, messages, reasons, scene, scores

KEEPER = lore("keeper", text="Osk of the lighthouse")
BEAST = lore("beast", text="The dragon sleeps", order=1)
TAX = lore("tax", text="The guild takes its toll", order=2)


def chosen(
    scene_: Scene, candidates: list[Candidate], budget: int | None = None, *, choice: str = "vector", **more: object
) -> Selection:
    return engine(choice, Options(), meaning(**more)).select(scene_, candidates, budget)


class TestVector:
    def test_what_means_the_same_is_in_and_what_does_not_is_out(self) -> None:
        made = chosen(scene("Who lit the beacon?"), [KEEPER, BEAST])
        assert (made.engine, made.chosen, reasons(made)) == (
            "vector",
            ("keeper",),
            {"keeper": "scored", "beast": "unlike"},
        )

    def test_off_topic_talk_brings_in_no_lore_at_all(self) -> None:
        assert chosen(scene("Shall we play cards?"), [KEEPER, BEAST, TAX]).chosen == ()

    def test_pinned_is_in_whatever_it_means(self) -> None:
        made = chosen(scene("Shall we play cards?"), [KEEPER._replace(pinned=True)], budget=1)
        assert (made.chosen, reasons(made)) == (("keeper",), {"keeper": "pinned"})

    def test_the_newest_two_messages_come_before_the_three_before_them(self) -> None:
        made = chosen(scene("The toll is due.", "The toll is due.", "Hm.", "See that beacon?", "Yes."), [TAX, KEEPER])
        assert made.chosen == ("keeper", "tax")

    def test_messages_beyond_the_fifth_from_the_end_are_not_looked_with(self) -> None:
        assert chosen(scene("A dragon!", "1", "2", "3", "4", "5"), [BEAST]).chosen == ()

    def test_priority_decides_between_two_that_are_as_near(self) -> None:
        made = chosen(scene("beacon"), [KEEPER, lore("lamp", text="lamp", order=5, priority=1)])
        assert made.chosen == ("lamp", "keeper")

    def test_one_that_says_something_else_comes_before_one_that_says_the_same_again(self) -> None:
        given = [
            KEEPER,
            lore("again", text="The lighthouse, a lamp", order=3),
            lore("sea", text="harbour water, lamp", order=4),
        ]
        assert chosen(scene("lamp, water"), given).chosen[:2] == ("sea", "keeper")

    def test_a_kind_that_would_fill_everything_leaves_the_others_their_share(self) -> None:
        worlds = [lore(f"w{at}", text=f"lamp {at}", tokens=100, order=at) for at in range(8)]
        given = [*worlds, lore("c", kind="character", text="lamp, too", tokens=100, order=9)]
        made = chosen(scene("lamp"), given, budget=400)
        assert (sum(id_.startswith("w") for id_ in made.chosen), "c" in made.chosen, made.tokens) == (3, True, 400)

    def test_where_there_is_room_a_chat_stays_whole_newest_first(self) -> None:
        texts = ["a dragon", *(f"line {at}" for at in range(19)), "beast"]
        made = chosen(scene(*texts), messages(texts), budget=10 * 15)
        assert [one for one in made.chosen if one not in {f"m{at}" for at in range(11, 21)}] == [
            "m0",
            "m10",
            "m9",
            "m8",
            "m7",
        ]

    def test_messages_without_vectors_are_taken_by_age_and_it_says_so(self) -> None:
        texts = ["a dragon", *(f"line {at}" for at in range(19)), "beast"]
        made = chosen(scene(*texts), [BEAST, *messages(texts)], budget=1_200, without=("a dragon",))
        assert [one.code for one in made.findings] == ["INFILL_MESSAGES_BY_AGE"]
        assert made.chosen[10:13] == ("beast", "m10", "m9")

    def test_the_trace_says_how_near_it_was(self) -> None:
        made = chosen(scene("beacon"), [KEEPER])
        assert made.decisions[0].wire() == {"score": 1.0, "tokens": 10, "parts": {"similarity": 1.0, "pass": 1.0}}


class TestHybrid:
    def test_keys_and_meaning_both_count(self) -> None:
        made = chosen(scene("beacon"), [KEEPER, lore("key", "beacon", order=3), BEAST], choice="hybrid")
        assert (made.engine, made.chosen[:2]) == ("hybrid", ("key", "keeper"))
        assert scores(made) == {"keeper": 0.35, "key": 0.449, "beast": 0.0}


class TestFallback:
    @pytest.mark.parametrize("choice", ["vector", "hybrid", "auto"])
    def test_lore_without_vectors(self, choice: str) -> None:
        made = chosen(scene("beacon"), [KEEPER, BEAST], choice=choice, without=(BEAST.text,))
        asked = "hybrid" if choice == "hybrid" else "vector"
        assert (made.engine, made.asked) == ("keyword", asked)
        assert made.findings[0].data == {"asked": asked, "used": "keyword", "reason": "1 of 2 texts have no vector yet"}

    def test_a_model_that_fails(self) -> None:
        assert chosen(scene("x"), [KEEPER], fails=True).findings[0].data["reason"] == "The model is asleep"

    def test_nothing_said(self) -> None:
        assert chosen(scene(), [KEEPER]).findings[0].data["reason"] == "no message says anything yet"

    def test_no_model_is_a_finding_where_it_was_asked_for_and_none_for_auto(self) -> None:
        asked, auto = (engine(choice).select(scene("x"), [KEEPER], None) for choice in ("vector", "auto"))
        assert ([one.code for one in asked.findings], auto.findings) == (["INFILL_FALLBACK"], ())
        assert (asked.engine, auto.engine) == ("keyword", "keyword")


class TestSearch:
    rows = np.array([[1, 0], [0.8, 0.6], [0, 1]], np.float32)

    def test_ranks_are_fused_over_queries_and_the_floor_is_a_cosine(self) -> None:
        near = nearest([Block(self.rows, [0, 0, 0])], [np.array([[1, 0], [0.6, 0.8]], np.float32)], 0.85)
        assert near.similarity == pytest.approx([1.0, 0.96, 0.8])
        assert near.fused == ({0: 1.0, 1: 1.0},)

    def test_ranks_of_one_group_are_apart_from_those_of_another(self) -> None:
        near = nearest([Block(self.rows, [0, 1, 1])], [np.array([[1, 0]], np.float32)], 0.1)
        assert near.fused == ({0: 1.0, 1: 1.0},)

    def test_rows_are_counted_through_the_blocks(self) -> None:
        blocks = [Block(self.rows[:2], [0, 0]), Block(self.rows[2:], [0])]
        assert nearest(blocks, [np.array([[0, 1]], np.float32)], 0.7).fused == ({2: 1.0},)

    def test_no_rows(self) -> None:
        assert nearest([Block(self.rows[:0], [])], [self.rows], 0.1).fused == ({},)

    def test_variety_within_caps(self) -> None:
        rows = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
        assert varied(lambda few: rows[few], {0: 1.0, 1: 0.9, 2: 0.7}, {0: 2}, lambda _row: 0) == [0, 2]
