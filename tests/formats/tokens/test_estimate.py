"""The estimate: the published figures, and what a reader may rely on for any text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.tokens import profile
from formats.tokens.estimate import script

ESTIMATE = profile("estimate")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("hello world", 3),
        ("abc", 1),
        ("аааааааа", 2),
        ("\n\n", 1),
        ("😀🎉🚀", 3),
        ("你好世界", 2),
        ("1234", 2),
        ("Привет world", 3),
        ('{"a": [1, 2, 3]}', 6),
        ("a", 1),
        ("\ud800", 1),
    ],
)
def test_the_published_figures(text: str, count: int) -> None:
    assert ESTIMATE.count(text) == count


@pytest.mark.parametrize(
    ("character", "expected"),
    [
        ("😀", "emoji"),
        ("☕", "emoji"),
        ("世", "ideograph"),
        ("の", "ideograph"),
        ("한", "ideograph"),
        ("𠀀", "ideograph"),
        ("я", "cyrillic"),
        ("7", "digit"),
        ("é", "letter"),
        ("\u0301", "letter"),
        ("ع", "letter"),
        ("、", "mark"),
        ("\t", "mark"),
        ("€", "mark"),
        ("\x00", "other"),
        ("\u200d", "other"),
    ],
)
def test_the_script_of_a_character(character: str, expected: str) -> None:
    assert script(character) == expected


def test_it_says_that_it_is_one() -> None:
    assert (ESTIMATE.name, ESTIMATE.approximate, ESTIMATE.encode("hello world")) == ("estimate", True, [])


def test_its_pieces_show_its_size() -> None:
    assert ESTIMATE.pieces("hello world") == ["hel", "lo w", "orld"]
    assert (ESTIMATE.pieces(""), ESTIMATE.pieces("a")) == ([], ["a"])


@given(st.text())
@settings(max_examples=200)
def test_pieces_are_as_many_as_counted_and_give_the_text(text: str) -> None:
    pieces = ESTIMATE.pieces(text)
    assert (len(pieces), "".join(pieces), "" in pieces) == (ESTIMATE.count(text), text, False)


@given(st.text(), st.text())
@settings(max_examples=100)
def test_a_longer_text_has_as_many_tokens_or_more(text: str, more: str) -> None:
    assert ESTIMATE.count(text + more) >= ESTIMATE.count(text)


def test_a_long_text_takes_linear_time() -> None:
    start = time.perf_counter()
    assert ESTIMATE.count("añ😀1 " * 200_000) == 435_441
    assert time.perf_counter() - start < 2
