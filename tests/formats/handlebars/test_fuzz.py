"""Whatever the template and the data: a text or a TemplateError, in bounded time."""

from __future__ import annotations

import string
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from formats.handlebars import CONTEXT_HELPERS, TemplateError, compile_template

NAMES = st.sampled_from(
    ["a", "b", "list", "this", "..", ".", "@index", "@root", "../a", "a.b", "list.[0]", "[x y]", "item", "length"]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
DATA = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4) | NAMES, inner, max_size=4)
)
HELPERS = st.sampled_from(sorted(CONTEXT_HELPERS.helpers))
FRAGMENTS = st.sampled_from(
    [
        "{{",
        "}}",
        "{{{",
        "}}}",
        "{{{{",
        "}}}}",
        "{{/",
        "{{#",
        "{{^",
        "{{else}}",
        "{{else ",
        "{{!",
        "--}}",
        "~",
        "{{> ",
        "{{#> ",
        "(",
        ")",
        "|",
        "as |",
        "as |item i|",
        " ",
        "\n",
        "\\",
        '"',
        "'",
        "[",
        "]",
        "=",
        "@",
        ".",
        "..",
        "/",
        "1",
        "-2.5",
        "true",
        "null",
        "undefined",
        "x",
        "{{#*inline ",
        "{{/if}}",
        "{{/each}}",
        "{{/with}}",
        "{{/inline}}",
        "{{#if a}}",
        "{{#each list}}",
        "{{#with a}}",
        "{{a}}",
        "includeZero=true",
        "indent=2",
    ]
)


def build(parts: list[str]) -> str:
    return "".join(parts)


SOURCES = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="{}#/^!>&~()|=.@ab \n\"'[]\\", max_size=60),
    st.lists(FRAGMENTS | HELPERS | NAMES | st.text(alphabet=string.printable, max_size=3), max_size=25).map(build),
)


@st.composite
def well_formed(draw: st.DrawFn, depth: int = 3) -> str:
    """Templates that mostly compile."""

    def operand(level: int = 2) -> str:
        if level and draw(st.integers(0, 3)) == 0:
            return f"({draw(HELPERS)} {operand(level - 1)} {operand(level - 1)})"
        return draw(NAMES | st.sampled_from(["1", "'s'", "null", "undefined", "-1", "2.5", "true", '""']))

    parts = []
    for _ in range(draw(st.integers(0, 4))):
        kind = draw(st.integers(0, 5))
        if kind == 0 or depth == 0:
            parts.append(draw(st.text(max_size=5)))
        elif kind == 1:
            parts.append("{{%s}}" % operand())  # noqa: UP031
        elif kind == 2:
            parts.append("{{%s %s %s}}" % (draw(HELPERS), operand(), operand()))  # noqa: UP031
        else:
            block = draw(st.sampled_from(["if", "unless", "each", "with", "list", "userBlock"]))
            head = block if block in {"list", "userBlock"} else f"{block} {operand()}"
            inside = draw(well_formed(depth=depth - 1))
            tail = (
                "{{else}}" + draw(well_formed(depth=depth - 1)) if draw(st.booleans()) and block != "userBlock" else ""
            )
            parts.append("{{#" + head + "}}" + inside + tail + "{{/" + block + "}}")
    return "".join(parts)


def attempt(source: str, data: Any, **options: Any) -> None:
    """Compile and render in all ways; they agree, or fail alike."""
    try:
        template = compile_template(source, CONTEXT_HELPERS, partials={"p": "{{a}}{{> p2}}", "p2": "{{b}}"}, **options)
    except TemplateError as error:
        check(error, source)
        return
    try:
        text = template.render(data)
    except TemplateError as error:
        check(error, source)
        return
    assert isinstance(text, str)
    assert "".join(piece for piece, _ in template.pieces(data)) == text
    assert "".join(region.text for region in template.regions(data)) == text


def check(error: TemplateError, source: str) -> None:
    assert error.message
    assert error.line >= 1
    assert error.column >= 1
    assert str(error)


@given(SOURCES, DATA)
@settings(max_examples=250, deadline=None)
def test_any_text(source: str, data: Any) -> None:
    attempt(source, data)


@given(well_formed(), st.dictionaries(NAMES, DATA, max_size=5), st.booleans(), st.booleans())
@settings(max_examples=200, deadline=None)
def test_templates_that_mostly_compile(source: str, data: Any, escape: bool, strict: bool) -> None:
    attempt(source, data, escape=escape, strict=strict)


@given(SOURCES)
@settings(max_examples=100, deadline=None)
def test_with_closed_variables(source: str) -> None:
    try:
        template = compile_template(source, variables=["a", "list"], unknown_variables="warn")
    except TemplateError:
        return
    assert template.roots - {"a", "list"} <= {
        name for warning in template.warnings for name in [warning.message.split('"')[1]]
    }
