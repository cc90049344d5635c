"""Literal text stays literal in a template, whatever braces and backslashes it has."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from formats.handlebars import compile_template
from formats.interchange.wording import framed, literal

AWKWARD = st.text(alphabet="{}\\ab<|!%#\n", max_size=12)


@given(AWKWARD)
def test_a_literal_prints_itself(text: str) -> None:
    assert compile_template(literal(text)).render({}) == text


@given(AWKWARD, AWKWARD)
def test_a_frame_prints_its_ends_around_the_content(before: str, after: str) -> None:
    assert compile_template(framed(before, after)).render({"content": "{{x}}"}) == f"{before}{{{{x}}}}{after}"
