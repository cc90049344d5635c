"""The keyword engine: what each signal is worth, what is always in, and how the rest is filled in."""

from __future__ import annotations

import json
from math import exp
from pathlib import Path

import pytest

from chats.infill.registry import engine
from chats.infill.types import Candidate, Options, Said, Scene, Selection
from chats.infill.words import words_of
from tests.chats.infill.samples import lore, messages, reasons, scene, scores

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "serene_pub" / "keyword_scores.json"


def chosen(scene_: Scene, candidates: list[Candidate], budget: int | None = None, **options: object) -> Selection:
    return engine("keyword", Options(**options)).select(scene_, candidates, budget)


def parts(selection: Selection, id_: str) -> dict[str, float]:
    found = next(decision for decision in selection.decisions if decision.id == id_)
    return {name: round(part, 4) for name, part in found.parts.items()}


class TestSignals:
    def test_keys_count_as_the_share_that_was_said(self) -> None:
        made = chosen(scene("The lamp went out."), [lore("a", "lamp,lighthouse")])
        assert parts(made, "a")["keyword"] == 0.5

    def test_a_name_counts_as_a_word_of_its_own(self) -> None:
        made = chosen(scene("Also a start."), [lore("a", name="Al"), lore("b", name="Start")])
        assert (parts(made, "a"), parts(made, "b")["name"]) == ({}, 1.0)

    def test_lore_that_names_someone_of_the_scene(self) -> None:
        found = chosen(scene("Hi", names=("Mira",)), [lore("a", name="Mira's debt"), lore("b", "admiral")])
        assert (parts(found, "a"), parts(found, "b")) == ({"company": 1.0}, {})

    def test_lore_about_a_character_who_spoke_counts_by_id(self) -> None:
        told = Scene((Said("Hi", speaker="mira-7"),))
        about = [lore("a", kind="character", subject="mira-7"), lore("b", kind="character", subject="mira-8")]
        assert scores(chosen(told, about)) == {"a": 0.2, "b": 0.0}

    def test_what_was_said_long_ago_fades(self) -> None:
        made = chosen(scene("A kraken!", *["…"] * 19), [lore("a", "kraken")])
        assert parts(made, "a") == {"keyword": 0.0, "lastSaid": round(exp(-0.2), 4)}

    def test_a_word_of_every_message_says_nothing(self) -> None:
        made = chosen(scene("the sea", "the sky"), [lore("a", name="the")])
        assert "tfidf" not in parts(made, "a")

    @pytest.mark.parametrize(
        ("text", "key"), [("Der Straßenkönig kam.", "STRASSENKÖNIG"), ("狐火を見た。", "狐火"), ("Идёт дождь", "ДОЖДЬ")]
    )
    def test_keys_of_any_script_match_in_any_case(self, text: str, key: str) -> None:
        assert parts(chosen(scene(text), [lore("a", key)]), "a")["keyword"] == 1.0

    @pytest.mark.parametrize(
        ("text", "words"), [("Été à Nîmes", ("été", "nîmes")), ("狐火を見", ("狐火", "火を", "を見"))]
    )
    def test_words_are_of_any_script(self, text: str, words: tuple[str, ...]) -> None:
        assert words_of(text) == words

    def test_a_pattern_keeps_its_classes_when_case_does_not_matter(self) -> None:
        assert parts(chosen(scene("ABCD"), [lore("a", r"\D{4}", use_regex=True)]), "a")["keyword"] == 1.0

    def test_a_comma_does_not_split_a_pattern(self) -> None:
        one = Candidate("a", "world", "x", keys=("ba{2,3}h",), use_regex=True)
        assert parts(chosen(scene("baaah"), [one]), "a")["keyword"] == 1.0

    def test_a_bad_pattern_is_a_finding_and_matches_nothing(self) -> None:
        made = chosen(scene("(("), [lore("a", "((", use_regex=True, name="Broken")])
        assert [(one.code, one.message[:35]) for one in made.findings] == [
            ("LORE_PATTERN", "Broken: the key '((' can not be sea")
        ]
        assert scores(made) == {"a": 0.0}

    def test_a_blank_key_means_nothing(self) -> None:
        assert scores(chosen(scene("Hi"), [lore("a", " ")])) == {"a": 0.0}

    def test_settings_count_as_said_just_now(self) -> None:
        made = chosen(scene("Hello.", settings=("A night at the lighthouse.",)), [lore("a", "lighthouse")])
        assert parts(made, "a") == {"keyword": 1.0, "lastSaid": 0.0}

    @pytest.mark.parametrize(("priority", "score"), [(-1, 0.0), (0, 0.0), (1, 0.15), (2, 0.3), (100, 0.3)])
    def test_priority_adds_a_flat_bonus(self, priority: int, score: float) -> None:
        assert scores(chosen(scene("Hi"), [lore("a", priority=priority)])) == {"a": score}

    def test_later_history_counts_more_and_undated_not_at_all(self) -> None:
        dated = [
            lore("a", kind="history", date=(411, 2, 0)),
            lore("b", kind="history", date=(411, 11, 3)),
            lore("c", kind="history"),
            lore("d", kind="history", date=(411, 5, 0)),
        ]
        assert scores(chosen(scene("Hi"), dated)) == {"a": 0.0, "b": 0.2, "c": 0.0, "d": 0.1}


class TestSelection:
    def test_the_last_ten_messages_are_in_whatever_they_score(self) -> None:
        texts = [f"line {at}" for at in range(12)]
        made = chosen(scene(*texts), messages(texts), budget=105)
        assert [decision.reason.value for decision in made.decisions] == ["budget"] * 2 + ["recent"] * 10

    def test_pinned_is_in_beyond_budget_and_cap(self) -> None:
        made = chosen(scene("Hi"), [lore("a", pinned=True, tokens=500)], budget=10, caps={"world": 0})
        assert (made.chosen, made.tokens, reasons(made)) == (("a",), 500, {"a": "pinned"})

    def test_what_is_off_or_hidden_is_out_even_pinned(self) -> None:
        made = chosen(scene("Hi"), [lore("a", enabled=False, pinned=True), lore("b", is_visible=False, pinned=True)])
        assert reasons(made) == {"a": "disabled", "b": "hidden"}

    def test_best_first_and_equal_ones_by_place(self) -> None:
        made = chosen(scene("lamp"), [lore("a", order=2), lore("b", order=1), lore("c", "lamp", order=3)])
        assert made.chosen == ("c", "b", "a")
        assert reasons(made) == {"a": "zeroScore", "b": "zeroScore", "c": "scored"}

    def test_one_that_is_too_long_does_not_stop_a_shorter_one(self) -> None:
        made = chosen(scene("lamp"), [lore("a", "lamp", tokens=30), lore("b", tokens=20)], budget=25)
        assert (made.chosen, reasons(made)) == (("b",), {"a": "budget", "b": "zeroScore"})

    @pytest.mark.parametrize(("kind", "cap"), [("world", 20), ("character", 15), ("history", 10), ("message", 50)])
    def test_caps(self, kind: str, cap: int) -> None:
        told = scene(*["…"] * 100)
        made = chosen(told, [lore(str(at), kind=kind, tokens=1, order=at) for at in range(60)])
        assert (len(made.chosen), list(reasons(made).values()).count("cap")) == (cap, 60 - cap)

    def test_a_minimum_score_keeps_out_what_nothing_speaks_for(self) -> None:
        made = chosen(scene("lamp"), [lore("a", "lamp"), lore("b")], min_score=0.1)
        assert reasons(made) == {"a": "scored", "b": "lowScore"}

    def test_lore_and_older_messages_are_one_pool(self) -> None:
        texts = ["a long time ago", "the lamp"] + ["…"] * 9 + ["lamp"]
        made = chosen(scene(*texts), [lore("a", "lamp"), *messages(texts)], budget=115)
        assert (made.chosen[-1], made.tokens) == ("a", 110)

    def test_messages_first_fills_half_of_what_is_free_and_says_so(self) -> None:
        texts = ["…"] * 210
        told, given = scene(*texts), [lore("a", "…", tokens=600), *messages(texts, tokens=100)]
        one_pool = chosen(told, given, budget=3000, messages_first=False)
        first = chosen(told, given, budget=3000, messages_first=True)
        assert [sum(id_.startswith("m") for id_ in made.chosen) - 10 for made in (one_pool, first)] == [14, 10]
        assert first.options == {"messagesFirst": True, "byDate": False, "minScore": 0.0}

    def test_history_may_be_told_by_date(self) -> None:
        given = [
            lore("old", "lamp", kind="history", date=(1, 0, 0)),
            lore("w", "lamp,lamp", name="lamp"),
            lore("new", kind="history", date=(3, 0, 0)),
        ]
        assert chosen(scene("lamp"), given).chosen == ("w", "old", "new")
        assert chosen(scene("lamp"), given, by_date=True).chosen == ("w", "new", "old")

    def test_costs_are_asked_for_only_where_there_may_be_room(self) -> None:
        asked: list[str] = []

        def cost(one: Candidate) -> int:
            asked.append(one.id)
            return 10

        given = [lore(str(at), order=at, tokens=None) for at in range(100)]
        made = engine("keyword").select(scene("Hi"), given, 30, cost)
        assert (made.chosen, asked) == (("0", "1", "2"), ["0", "1", "2"])

    def test_the_same_input_gives_the_same_answer(self) -> None:
        texts = [f"lamp {at % 3}" for at in range(30)]
        given = [*(lore(str(at), "lamp,1", order=at) for at in range(30)), *messages(texts)]
        assert chosen(scene(*texts), given, budget=200) == chosen(scene(*texts), given, budget=200)


class TestEmpty:
    def test_no_candidates(self) -> None:
        assert chosen(scene("Hi"), []).chosen == ()

    def test_no_messages(self) -> None:
        assert chosen(Scene(), [lore("a", "lamp")]).chosen == ("a",)


@pytest.mark.conformance
@pytest.mark.skipif(not SHARED.exists(), reason="no measuring data")
def test_scores_are_those_of_the_reference_with_its_defects_mended() -> None:
    data = json.loads(SHARED.read_text("utf-8"))
    said = tuple(Said(one["content"], str(one["characterId"] or "")) for one in data["chat"]["messages"])
    given = [_entry(one, kind) for kind in ("world", "character", "history") for one in data["chat"][kind]]
    given += [Candidate(f"message{at + 1}", "message", one.text, order=at) for at, one in enumerate(said[:4])]
    made = chosen(Scene(said, tuple(data["chat"]["names"])), given)
    expected = {f"{one['type']}{one['id']}": round(one["total"], 4) for one in data["fixed"]}
    expected["world5"] = round(0.35 + 0.10 * exp(-0.01), 4)  # the reference still lower-cases \D
    assert scores(made) == expected


def _entry(one: dict, kind: str) -> Candidate:
    regex = one.get("useRegex", False)
    return Candidate(
        f"{kind}{one['id']}",
        kind,
        one.get("content", ""),
        name=one.get("name", ""),
        keys=(one["keys"],) if regex else tuple(key.strip() for key in one["keys"].split(",")),
        use_regex=regex,
        priority=one.get("priority", 1) - 1,
        date=(one["year"], one.get("month") or 0, one.get("day") or 0) if "year" in one else None,
        subject=str(one.get("boundCharacterId", "")),
        order=one["id"],
    )
