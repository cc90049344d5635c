"""Anything a book may say: every candidate is in or out for a reason, and the same question has the same answer."""

from __future__ import annotations

import time
from typing import Any

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from chats.lore import Budget, EntryRef, LoreSettings, LoreState, SeededRolls, Timed
from chats.lore.folding import ScanText
from chats.lore.keys import parse_key
from chats.lore.patterns import Patterns, Work
from tests.chats.lore.case import book, reasons, run, uids, words

key = st.sampled_from(["rose", "red", "thorn", "/ro.e/i", "", "龙"])
entry = st.fixed_dictionaries(
    {"keys": st.lists(key, max_size=2), "content": st.sampled_from(["", "rose red", "thorn", "龙 x"])},
    optional={
        "secondaryKeys": st.lists(key, max_size=2),
        "secondaryLogic": st.sampled_from(["and_any", "not_all", "not_any", "and_all"]),
        "constant": st.booleans(),
        "pinned": st.booleans(),
        "enabled": st.booleans(),
        "probability": st.sampled_from([0, 50, 100]),
        "scanDepth": st.integers(0, 3),
        "excludeRecursion": st.booleans(),
        "preventRecursion": st.booleans(),
        "delayUntilRecursion": st.integers(0, 3),
        "groups": st.lists(st.sampled_from("gh"), max_size=2),
        "groupOverride": st.booleans(),
        "groupScoring": st.booleans(),
        "groupWeight": st.integers(0, 2),
        "sticky": st.integers(0, 3),
        "cooldown": st.integers(0, 3),
        "delay": st.integers(0, 9),
        "order": st.integers(-1, 1),
        "priority": st.integers(-1, 1),
        "ignoreBudget": st.booleans(),
    },
)
options = st.builds(
    LoreSettings,
    scan_depth=st.integers(0, 3),
    recursive=st.booleans(),
    max_recursion_steps=st.none() | st.integers(0, 2),
    min_activations=st.integers(0, 3),
    budget=st.builds(Budget, tokens=st.none() | st.integers(0, 6)),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(entry, max_size=6), st.lists(st.sampled_from(["rose", "red thorn", "-"]), max_size=4), options)
def test_every_candidate_is_in_or_out_and_the_answer_is_one(
    entries: list[dict[str, Any]], texts: list[str], chosen: LoreSettings
) -> None:
    made = book(*entries)
    state = LoreState(5, {EntryRef("book", "0"): Timed(6, 8)})
    answer = run(made, *texts, settings=chosen, rolls=SeededRolls(3), state=state, count=words)
    inside, outside = uids(answer), set(reasons(answer))
    assert len(inside) == len(set(inside))
    assert outside.isdisjoint(inside)
    assert answer == run(made, *texts, settings=chosen, rolls=SeededRolls(3), state=state, count=words)
    for at, document in enumerate(entries):
        if document.get("pinned") and document.get("enabled", True):
            assert str(at) in inside
        if document.get("enabled") is False:
            assert str(at) not in inside
    counted = [hit for hit in answer.activated if not hit.compiled.entry.ignore_budget]
    if answer.budget is not None and not any(hit.is_required for hit in counted):
        assert sum(hit.tokens or 0 for hit in counted) <= answer.budget
    for group in "gh":
        members = [hit for hit in answer.activated if group in hit.compiled.entry.groups]
        assert len([hit for hit in members if hit.reason.code not in ("pinned", "sticky")]) <= 1


patterns = st.sampled_from(["k", "straße", "İ", "ſt", "K", "дракон", "[а-я]+н", "a|龙", ".*", r"\d", "Σ"])


@given(
    st.lists(st.tuples(patterns, st.booleans()), max_size=8),
    st.text("kKſsStTßß iİıДРАКОНдракон龙σςΣ7\u212a", max_size=30),
)
def test_the_filter_before_the_patterns_loses_none(listed: list[tuple[str, bool]], text: str) -> None:
    sources = [f"(?i){pattern}" if folded else pattern for pattern, folded in listed]
    found: set[int] = set()
    Patterns(list(enumerate(sources))).scan(ScanText(text).encoded, found, Work())
    assert found == {at for at, source in enumerate(sources) if re2.search(source, ScanText(text).exact)}


@given(st.text(st.sampled_from("/\\ab[]^u{}0gim41(.*"), max_size=12))
def test_any_key_means_something_and_raises_nothing(typed: str) -> None:
    made = book({"keys": [typed]}, {"keys": [typed], "useRegex": True})
    run(made, "a/b\\u0041 [x] {0}")
    assert (parse_key(typed, sensitive=False, whole=False, regex=False) is None) is (not typed.strip())


# time


def _seconds(document: list[dict[str, Any]], texts: list[str], **options: Any) -> float:
    made = book(*document)
    start = time.process_time()
    run(made, *texts, **options)
    return time.process_time() - start


@pytest.mark.parametrize(
    ("entries", "text"),
    [
        ([{"keys": ["a"]}], "a"),
        ([{"keys": ["a" * 500 + "b"]}], "a"),
        ([{"keys": ["a a"], "wholeWords": True}, {"keys": ["ba"], "wholeWords": True}], "a "),
        ([{"keys": [f"{'a' * 30}{at:04}"]} for at in range(2_000)], "a"),
        ([{"keys": ["/(a*)*b/"]}], "a"),
        ([{"keys": ["é", "İ"]}], "İe\u0301"),
    ],
)
def test_time_grows_with_the_text_and_no_faster(entries: list[dict[str, Any]], text: str) -> None:
    small, large = (min(_seconds(entries, [text * size]) for _ in range(3)) for size in (20_000, 160_000))
    assert large < max(small, 0.002) * 8 * 2.5


def test_many_entries_that_all_fire_are_linear() -> None:
    def crowd(size: int) -> list[dict[str, Any]]:
        return [{"keys": ["x"], "groups": [f"g{at}", "all"], "content": "x y"} for at in range(size)]

    small, large = (min(_seconds(crowd(size), ["x"]) for _ in range(3)) for size in (500, 4_000))
    assert large < max(small, 0.002) * 8 * 2.5
