"""What the language means where the public suite does not say: found by comparing with handlebars.js."""

from __future__ import annotations

from typing import Any

import pytest

from formats.handlebars import compile_template


def render(source: str, context: Any = None, **options: Any) -> str:
    return compile_template(source, **options).render({} if context is None else context)


def test_with_pushes_a_level_but_no_data_frame() -> None:
    source = "{{#each list}}{{#with a}}{{@index}}[{{@../index}}]{{../b}}{{/with}}{{/each}}"
    assert render(source, {"list": [{"a": {"x": 1}, "b": "B"}]}) == "0[]B"


@pytest.mark.parametrize("block", ["if", "unless"])
def test_if_and_unless_push_neither(block: str) -> None:
    source = "{{#each list}}{{#" + block + " x}}{{@index}}{{../name}}{{/" + block + "}}{{/each}}"
    assert render(source, {"list": [{"x": block == "if"}], "name": "N"}) == "0N"


def test_the_first_of_equal_keys_wins() -> None:
    assert render("{{json a indent=0 indent=2}}", {"a": [1]}) == "[1]"
    assert render('{{> p x="1" x="2"}}', partials={"p": "{{x}}"}) == "1"


def test_a_key_that_is_undefined_is_left_out() -> None:
    assert render("{{> p x=undefined}}", {"x": "outer"}, partials={"p": "{{x}}"}) == "outer"
    assert render("{{> p x=null}}", {"x": "outer"}, partials={"p": "[{{x}}]"}) == "[]"


def test_no_context_is_an_empty_one_inside_blocks() -> None:
    template = compile_template("{{this}}|{{#if true}}{{this}}{{/if}}|{{#if false}}{{else}}{{this}}{{/if}}")
    assert template.render(None) == "|[object Object]|[object Object]"


def test_an_inline_partial_at_the_top_sees_no_level_outside() -> None:
    source = '{{#*inline "p"}}[{{../name}}]{{/inline}}{{#with a}}{{> p}}{{/with}}'
    assert render(source, {"name": "N", "a": {"x": 1}}) == "[]"


def test_keywords_over_a_string_or_list_spread_its_items() -> None:
    partials = {"p": "{{[0]}}{{[1]}}{{k}}"}
    assert render("{{> p s k=1}}{{> p l k=2}}", {"s": "ab", "l": ["x", "y"]}, partials=partials) == "ab1xy2"


@pytest.mark.parametrize("source", ["{{a.0}}", "{{a.true}}", "{{a}}}}", "{{{a}}}}"])
def test_what_handlebars_js_refuses_too(source: str) -> None:
    from formats.handlebars import TemplateSyntaxError

    with pytest.raises(TemplateSyntaxError):
        compile_template(source)


def test_block_parameters_are_lexical() -> None:
    source = "{{#each rows as |row r|}}{{#each row.cells as |cell c|}}{{r}}{{c}}{{cell}} {{/each}}{{r}}{{c}};{{/each}}"
    assert render(source, {"rows": [{"cells": ["a", "b"]}, {"cells": []}]}) == "00a 01b 0;1;"


def test_a_parameter_hides_a_helper() -> None:
    assert render("{{#with x as |upper|}}{{upper}}{{/with}}", {"x": "v"}) == "v"


def test_equal_contexts_are_one_level() -> None:
    assert render('{{#with "a"}}{{#with "a"}}{{../name}}{{/with}}{{/with}}', {"name": "N"}) == "N"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (1.5, "1.5"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1e-6, "0.000001"),
        (1.5e-7, "1.5e-7"),
        (123456789012345680000.0, "123456789012345680000"),
        (2**53 + 1, "9007199254740993"),
        (10**400, "Infinity"),
        (float("nan"), "NaN"),
        (float("-inf"), "-Infinity"),
        (-0.000015, "-0.000015"),
        (True, "true"),
        (False, "false"),
        (None, ""),
        ([1, None, [2, "x"]], "1,,2,x"),
        ({"a": 1}, "[object Object]"),
        ((1, 2), "1,2"),
        (10**21, "1e+21"),
    ],
)
def test_how_values_print(value: Any, text: str) -> None:
    assert render("{{a}}", {"a": value}) == text


@pytest.mark.parametrize("value", [0, "", None, False, [], float("nan")])
def test_what_is_false(value: Any) -> None:
    assert render("{{#if a}}1{{else}}2{{/if}}{{#unless a}}3{{/unless}}", {"a": value}) == "23"


@pytest.mark.parametrize("value", [1, "0", True, [0], {}, -1, 0.1])
def test_what_is_true(value: Any) -> None:
    assert render("{{#if a}}1{{else}}2{{/if}}", {"a": value}) == "1"


def test_zero_is_something_to_with_and_if_wants_it_said() -> None:
    assert render("{{#with a}}[{{this}}]{{/with}}{{#if a includeZero=true}}yes{{/if}}", {"a": 0}) == "[0]yes"


def test_prompt_text_is_not_escaped_unless_asked() -> None:
    text = "<b> & \"q\" 'a' `c` ="
    assert render("{{a}}{{{a}}}", {"a": text}) == text * 2
    assert render("{{a}}|{{{a}}}", {"a": text}, escape=True) == (
        "&lt;b&gt; &amp; &quot;q&quot; &#x27;a&#x27; &#x60;c&#x60; &#x3D;|" + text
    )


def test_a_value_that_looks_like_a_template_is_inert() -> None:
    assert render("{{a}}{{#if a}}{{a}}{{/if}}", {"a": "{{b}}{{/if}}", "b": "no"}) == "{{b}}{{/if}}" * 2


class TestPartials:
    def test_the_indent_of_a_partial_that_stands_alone(self) -> None:
        assert render("  {{> p}}\nend", {"x": "1\n2"}, partials={"p": "a{{x}}\n\nb\n"}) == "  a1\n  2\n  \n  b\nend"

    def test_a_partial_block_is_what_is_used_when_there_is_none(self) -> None:
        assert render("{{#> p}}fallback{{/p}}") == "fallback"
        assert render("{{#> p}}body{{/p}}", partials={"p": "<{{> @partial-block}}>"}) == "<body>"

    def test_a_computed_name(self) -> None:
        assert render("{{> (lookup this 'which')}}", {"which": "p"}, partials={"p": "P"}) == "P"

    def test_recursion_over_data(self) -> None:
        source = '{{#*inline "tree"}}({{name}}{{#each kids}}{{> tree}}{{/each}}){{/inline}}{{> tree}}'
        assert (
            render(source, {"name": "a", "kids": [{"name": "b", "kids": [{"name": "c"}]}, {"name": "d"}]})
            == "(a(b(c))(d))"
        )

    def test_an_inline_partial_is_known_only_inside_its_program(self) -> None:
        from formats.handlebars import TemplateError

        with pytest.raises(TemplateError, match="p could not be found"):
            render('{{#if true}}{{#*inline "p"}}x{{/inline}}{{> p}}{{/if}}{{> p}}')
