"""Unknown macros, nesting, escapes, white space, comments and conditions."""

from __future__ import annotations

import pytest

from chats.macros import MacroScope, expand
from formats.prompt.findings import Finding
from tests.chats.macros.base import codes, text


@pytest.mark.parametrize(
    "source",
    [
        "",
        "plain",
        "{{",
        "}}",
        "{{}}",
        "{{ }}",
        "{ {user}}",
        "{{user",
        "user}}",
        "{{foo}}",
        "{{ foo :: bar }}",
        "{{foo::a|b}}",
        "{{user's}}",
        "{{user.name}}",
        "{{user::x}}",
        "{{#each items}}",
        "{{/if}}",
        "{{else}}",
        "{{if x}}",
        "{{roll::nonsense}}",
        "{{newline::-1}}",
        "{{space::1001}}",
        "{{newline::²}}",
        '{{"json": 1}}',
        "{{::}}",
        "{{!}}",
        r"\{a, b\}",
        r"\text{\{a\}}",
        r"C:\}}",
        "<user>",
        "< USER >",
        "{{trim::x}}",
    ],
)
def test_what_is_no_macro_stays_exactly_as_typed(source: str) -> None:
    assert text(source) == source


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{foo {{user}}}}", "{{foo Bob}}"),
        ("{{foo::{{bar::{{char}}}}}}", "{{foo::{{bar::Alice}}}}"),
        ("{{ open and {{user}}", "{{ open and Bob"),
        ("{{user}} {{ {{char}}", "Bob {{ Alice"),
        ("{{us{{empty}}er}}", "{{user}}"),
        ("{{{{name}}}}", "{{user}}"),
        ("{{#if x}}{{user}}{{/if}}", "{{#if x}}Bob{{/if}}"),
        ("{{if 1}}{{#if x}}{{user}}{{/if}}{{/if}}", "{{#if x}}Bob{{/if}}"),
        ("{{foo \\{{user}}", "{{foo {{user}}"),
        ("{{foo \\{{user}}}}", "{{foo \\{{user}}}}"),
        ("{{reverse::\\{{x}}}}", "}}x{{"),
        ("{{foo \\{\\{x\\}\\}}}", "{{foo \\{\\{x\\}\\}}}"),
    ],
)
def test_known_macros_inside_unknown_ones_are_replaced(source: str, expected: str) -> None:
    assert text(source, variables={"empty": "", "name": "user"}) == expected


def test_an_unknown_macro_is_a_finding_with_its_text() -> None:
    found = expand("Hi {{foo}} {{foo}}", MacroScope(), path="messages[0].content").findings
    message = "`{{foo}}` is no macro and no variable: it stays as typed."
    data = {"macro": "{{foo}}", "position": 3}
    assert found == (Finding("warning", "UNKNOWN_MACRO", message, "messages[0].content", data=data),)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{user::x}}", [("MACRO_ARGUMENTS", "{{user::x}}")]),
        ("{{roll::x}}", [("MACRO_ARGUMENTS", "{{roll::x}}")]),
        ("{{if x}}", [("MACRO_UNMATCHED", "{{if x}}")]),
        ("{{else}}{{/if}}", [("MACRO_UNMATCHED", "{{else}}"), ("MACRO_UNMATCHED", "{{/if}}")]),
        ("{{#each a}}{{/each}}", [("UNKNOWN_MACRO", "{{#each a}}")]),
        ('{{"a": 1}} {{ | }}', []),
        ("{{if rain}}wet{{/if}}", [("MACRO_CONDITION", "rain")]),
        ("{{if persona}}x{{/if}}{{if yes}}y{{/if}}", []),
    ],
)
def test_findings_say_what_is_wrong(source: str, expected: list[tuple[str, str]]) -> None:
    assert codes(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"\{\{user}}", "{{user}}"),
        (r"\{{user}}", "{{user}}"),
        (r"\{\{user\}\}", "{{user}}"),
        (r"\{{user\}}", "{{user}}"),
        (r"Type \{\{user\}\} to insert the name; hi {{user}}.", "Type {{user}} to insert the name; hi Bob."),
        (r"\\{{user}}", r"\{{user}}"),
        (r"\{{{user}}}", "{{{user}}}"),
        (r"{{reverse::a\}\}b}}", "b}}a"),
        (r"{{setvar::p::C:\}}{{getvar::p}}", "C:\\"),
        (r"\{1\} \{\{user\}\} \{2\}", r"\{1\} {{user}} \{2\}"),
    ],
)
def test_escaped_braces_mean_nothing(source: str, expected: str) -> None:
    assert text(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a{{newline}}b{{newline::2}}c", "a\nb\n\nc"),
        ("a{{space}}b{{space::3}}c{{space::0}}d", "a b   cd"),
        ("foo\n{{noop}}{{trim}}\nbar", "foo\nbar"),
        ("foo\n{{trim}}{{noop}}\nbar", "foo\nbar"),
        ("foo\r\n\n{{trim}}\n\r\nbar", "foobar"),
        ("foo \n{{trim}}\n bar", "foo  bar"),
        ("{{trim}}\n\nbar\n{{trim}}", "bar"),
        ("a\n{{x}}{{trim}}{{x}}\nb", "ab"),
        ("a{{noop}}b", "ab"),
        ("a{{// any {{user}} thing}}b", "ab"),
        ("a{{//}}b{{comment:c}}d{{comment::e::f}}g{{hidden_key:k}}h", "abdgh"),
        ("a{{//}}hidden {{inc}} {{user}}{{///}}b", "ab"),
        ("a{{comment}}hidden{{/comment}}b", "ab"),
        ("{{// {{setvar::x::1}} }}[{{getvar::x}}]", "[]"),
        ("{{reverse::abc}}{{reverse:d::e}}{{reverse fg }}{{reverse}}hi{{/reverse}}", "cbae::dgfih"),
        ("{{reverse::{{user}}}}", "boB"),
        ('{{banned "word"}}{{isMobile}}{{hasExtension::x}}', "falsefalse"),
    ],
)
def test_white_space_comments_and_reverse(source: str, expected: str) -> None:
    assert text(source, variables={"x": "\n"}) == expected


@pytest.mark.parametrize("value", ["", "false", "0", "off", "no", " FALSE ", "No", "Off"])
def test_what_is_false(value: str) -> None:
    assert text("{{if {{v}}}}yes{{else}}no{{/if}}|{{if v}}yes{{else}}no{{/if}}", variables={"v": value}) == "no|no"
    assert text("{{if !{{v}}}}yes{{/if}}|{{if ! v}}yes{{/if}}", variables={"v": value}) == "yes|yes"


@pytest.mark.parametrize("value", ["true", "1", "x", "00", "-1", "none", "null"])
def test_what_is_true(value: str) -> None:
    assert text("{{if {{v}}}}yes{{else}}no{{/if}}|{{if v}}yes{{else}}no{{/if}}", variables={"v": value}) == "yes|yes"
    assert text("{{if !{{v}}}}yes{{/if}}|{{if !v}}yes{{/if}}", variables={"v": value}) == "|"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{if true}}A{{else}}B{{/if}}", "A"),
        ("{{if::0}}A{{else}}B{{/if}}", "B"),
        ("{{IF True}}A{{ELSE}}B{{/IF}}", "A"),
        ("{{if persona}}A{{else}}B{{/if}}", "B"),
        ("{{if description}}A{{else}}B{{/if}}", "A"),
        ("{{if {{unknown}}}}A{{else}}B{{/if}}", "B"),
        ("{{if !{{unknown}}}}A{{else}}B{{/if}}", "A"),
        ("{{if !!1}}A{{/if}}", "A"),
        ("{{if {{a}}}}x{{if {{b}}}}1{{else}}2{{/if}}y{{else}}3{{/if}}", "x2y"),
        ("{{if !{{a}}}}x{{if {{b}}}}1{{else}}2{{/if}}y{{else}}3{{/if}}", "3"),
        ("[{{if 1}}\n  {{user}}\n    runs.\n  {{/if}}]", "[Bob\n  runs.]"),
        ("[{{if 1}} {{space}}a{{newline}} {{/if}}]", "[ a\n]"),
        ("{{if 1::then}}{{if 0::then}}{{if 0::then::{{user}}}}", "thenBob"),
        ("{{if 1}}{{user}}", "{{if 1}}Bob"),
        ("{{if 1}}a{{if 0}}b{{/if}}", "{{if 1}}a"),
        ("{{if 1}}a{{else}}b{{else}}c{{/if}}", "a"),
        ("{{random::{{if 1}}a::b{{/if}}}}", "a::b"),
        ("{{if {{bang}}}}A{{/if}}", "A"),
    ],
)
def test_conditions(source: str, expected: str) -> None:
    variables = {"a": "1", "b": "", "bang": "!x"}
    assert text(source, variables=variables, fields={"description": "tall"}) == expected


def test_only_the_branch_that_counts_is_expanded() -> None:
    source = "{{if 0}}{{setvar::x::1}}{{else}}{{setvar::y::2}}{{/if}}[{{getvar::x}}{{getvar::y}}]"
    assert text(source) == "[2]"
    assert text("{{if 1::a::{{setvar::x::1}}}}[{{getvar::x}}]") == "a[]"
    assert codes("{{if 0}}{{foo}}{{/if}}") == []
