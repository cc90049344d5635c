"""`random`, `pick` and `roll` follow from the seed."""

from __future__ import annotations

from collections import Counter

import pytest

from chats.macros import MacroScope, expand
from tests.chats.macros.base import codes, scope, text


def seen(source: str, seeds: int = 200, **changes: object) -> set[str]:
    return {text(source, seed=seed, **changes) for seed in range(seeds)}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{random::a::b::c}}", {"a", "b", "c"}),
        ("{{random:a::b}}", {"a", "b"}),
        ("{{random a~b}}", {"a", "b"}),
        ("{{random: one ~ two ~ }}", {"one", "two"}),
        ("{{random: ~ }}", {""}),
        ("{{random::a, b ,c}}", {"a", "b", "c"}),
        ("{{random::a~b::c,d}}", {"a~b", "c,d"}),
        ("{{random:a,b~c}}", {"a,b", "c"}),
        (r"{{random:a\, b,c}}", {"a, b", "c"}),
        ("{{random:: a ::}}", {" a ", ""}),
        ("{{random:only}}", {"only"}),
        ("{{random:{{user}}~x}}", {"Bob", "x"}),
        ("{{random:{{list}},x}}", {"a,b::c~d", "x"}),
        ("{{pick::a::b}}", {"a", "b"}),
        (
            "{{random::None::{{random::Alice::Bob}} appears.::The world ends.}}",
            {"None", "Alice appears.", "Bob appears.", "The world ends."},
        ),
    ],
)
def test_the_options(source: str, expected: set[str]) -> None:
    assert seen(source, variables={"list": "a,b::c~d"}) == expected


def test_the_same_seed_draws_the_same() -> None:
    source = "{{random::a::b::c}}{{roll::3d20}}{{pick::a::b::c}}" * 5
    assert text(source, seed=1) == text(source, seed=1) != text(source, seed=2)


def test_places_in_a_text_draw_for_themselves() -> None:
    shown = text("{{random::0::1}}" * 200)
    assert 70 < Counter(shown)["1"] < 130
    assert 70 < Counter(text("{{pick::0::1}}" * 200))["1"] < 130


def test_equal_texts_draw_different_numbers_and_pick_the_same() -> None:
    shared = scope()
    drawn = {expand("{{roll::1000000}}", shared).text for _ in range(20)}
    picked = {expand("{{pick::" + "::".join(map(str, range(99))) + "}}", shared).text for _ in range(20)}
    assert (len(drawn), len(picked)) == (20, 1)


def test_what_a_message_drew_does_not_change_when_the_chat_grows() -> None:
    """So that the beginning of a prompt stays what it was, and the caches of back ends hold."""
    one, other = scope(), scope()
    before = [expand(f"{{{{roll::1000000}}}} {number}", one).text for number in range(3)]
    expand("{{random::new::texts}} are put before", other)
    assert [expand(f"{{{{roll::1000000}}}} {number}", other).text for number in range(3)] == before


@pytest.mark.parametrize(
    ("dice", "low", "high"),
    [("20", 1, 20), ("d6", 1, 6), ("1d6", 1, 6), ("D6", 1, 6), ("3d2", 3, 6), ("2d1 + 5", 7, 7), ("2d1-5", -3, -3)],
)
def test_rolls(dice: str, low: int, high: int) -> None:
    rolled = {int(text(f"{{{{roll::{dice}}}}}", seed=seed)) for seed in range(100)}
    assert (min(rolled), max(rolled)) == (low, high) == (low, min(high, max(rolled)))


@pytest.mark.parametrize("dice", ["", "x", "0", "0d6", "d0", "1001d6", "d1000001", "1d6d6", "d", "d²", "-1d6"])
def test_what_is_no_roll_stays(dice: str) -> None:
    source = f"{{{{roll::{dice}}}}}"
    assert (text(source), codes(source)) == (source, [("MACRO_ARGUMENTS", source)])


def test_a_roll_is_fair() -> None:
    rolled = Counter(expand("{{roll::6}}", MacroScope(seed=seed)).text for seed in range(1_200))
    assert set(rolled) == set("123456")
    assert all(140 < times < 260 for times in rolled.values())
