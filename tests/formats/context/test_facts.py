"""Facts as JSON text."""

from __future__ import annotations

import pytest

from formats.context.facts import compact, date_text, filled, indented, keyed, phrase


def test_nothing_is_no_text() -> None:
    assert (indented([]), indented({}), compact({})) == ("", "", "")


def test_order_and_letters_stay() -> None:
    assert compact({"zeta": "é", "alpha": "店"}) == '{"zeta":"é","alpha":"店"}'
    assert indented([{"b": "1", "a": []}]) == '[\n  {\n    "b": "1",\n    "a": []\n  }\n]'


def test_equal_names_do_not_overwrite_each_other() -> None:
    made = keyed([("Gate", "a"), ("Gate", "b"), ("Gate (2)", "c"), ("Gate", "d")])
    assert list(made.items()) == [("Gate", "a"), ("Gate (2)", "b"), ("Gate (2) (2)", "c"), ("Gate (3)", "d")]


def test_numbers_as_names_keep_their_place() -> None:
    assert compact(keyed([("412-03", "a"), ("1984", "b")])) == '{"412-03":"a","1984":"b"}'


def test_only_what_holds_something_is_a_field() -> None:
    assert filled([("name", "A"), ("nickname", ""), ("lore", {})]) == {"name": "A"}


@pytest.mark.parametrize(
    ("names", "text"), [([], ""), (["A"], "A"), (["A", "B"], "A and B"), (list("ABC"), "A, B, and C")]
)
def test_names_are_a_phrase(names: list[str], text: str) -> None:
    assert phrase(names) == text


@pytest.mark.parametrize(
    ("date", "text"),
    [((412, None, None), "412"), ((412, 3, None), "412-03"), ((412, 11, 5), "412-11-05"), ((-3, 1, None), "-3-01")],
)
def test_a_date_is_as_long_as_it_is_known(date: tuple[int, int | None, int | None], text: str) -> None:
    assert date_text(*date) == text
