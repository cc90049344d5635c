"""Variables that texts set, read and count with, within one render."""

from __future__ import annotations

import pytest

from chats.macros import expand
from tests.chats.macros.base import scope, text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{setvar::a::1}}{{getvar::a}}", "1"),
        ("{{getvar::a}}|", "|"),
        ("{{setvar:: a :: x }}[{{getvar::a}}]", "[ x ]"),
        ("{{setvar::a::b::c}}{{getvar::a}}", "b::c"),
        ("{{setvar::a::}}{{hasvar::a}}{{varexists::b}}", "truefalse"),
        ("{{setvar::a::1}}{{deletevar::a}}{{hasvar::a}}{{flushvar::a}}", "false"),
        ("{{addvar::a::2}}{{addvar::a::3}}{{getvar::a}}", "5"),
        ("{{addvar::a::x}}{{addvar::a::y}}{{getvar::a}}", "xy"),
        ("{{setvar::a::1.5}}{{addvar::a::-3}}{{getvar::a}}", "-1.5"),
        ("{{incvar::n}}{{incvar::n}}{{decvar::n}}", "121"),
        ("{{setvar::a::1}}{{setglobalvar::a::2}}{{getvar::a}}{{getglobalvar::a}}{{incglobalvar::a}}", "123"),
        ("{{setvar::{{user}}::x}}{{getvar::Bob}}", "x"),
        ("{{setvar::a::{{user}}}}{{getvar::a}}", "Bob"),
        ("{{setvar::a::{{char}} and \\{{user}}}}{{getvar::a}}", "Alice and {{user}}"),
        ("{{setvar::a}}  long {{user}} text\n{{/setvar}}{{getvar::a}}", "long Bob text"),
        ("{{setvar::a::1}}{{if {{getvar::a}}}}yes{{/if}}", "yes"),
        ("{{setvar::A::1}}[{{getvar::a}}]", "[]"),
        ("{{setvar::place::here}}{{place}}", "there"),
        ("{{getvar::}}", "{{getvar::}}"),
        ("{{setvar::a}}", "{{setvar::a}}"),
    ],
)
def test_set_and_get(source: str, expected: str) -> None:
    assert text(source, variables={"place": "there"}) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{.a = 1}}{{.a}}", "1"),
        ("{{.a=x y }}{{ .a }}|", "x y|"),
        ("{{.n++}}{{.n++}}{{.n--}}", "121"),
        ("{{.n += 5}}{{.n -= 2}}{{.n}}", "3"),
        ("{{.s += ab}}{{.s += c}}{{.s}}", "abc"),
        ("{{.a || none}}{{.a ||= 1}}{{.a || none}}{{.a ||= 2}}", "none111"),
        ("{{.a ?? none}}{{.a = }}[{{.a ?? none}}]{{.b ??= 7}}{{.a ??= x}}", "none[]7"),
        (
            "{{.n = 3}}{{.n == 3}} {{.n != 3}} {{.n > 2}} {{.n >= 4}} {{.n < 10}} {{.n <= 3}}",
            "true false true false true true",
        ),
        ("{{.s > 1}}", "false"),
        ("{{.n = 3}}{{if .n > 2}}big{{else}}small{{/if}}{{if !.n}}none{{/if}}", "big"),
        ("{{$a = g}}{{$a}}{{getglobalvar::a}}[{{.a}}]", "gg[]"),
        ("{{.a-b = 1}}{{.a-b}}{{.a-b--}}", "10"),
        ("{{.имя = {{user}}}}{{.имя}}", "Bob"),
        ("{{.a b}}", "{{.a b}}"),
        ("{{.}} {{.1}} {{$}}", "{{.}} {{.1}} {{$}}"),
        ("{{.s = x}}{{.s -= 1}}", "{{.s -= 1}}"),
    ],
)
def test_shorthand(source: str, expected: str) -> None:
    assert text(source) == expected


def test_texts_of_one_render_share_them_in_order() -> None:
    shared = scope()
    assert [expand(source, shared).text for source in ("{{getvar::a}}", "{{setvar::a::1}}", "{{incvar::a}}")] == [
        "",
        "",
        "2",
    ]
    assert expand("{{getvar::a}}", scope()).text == ""


def test_a_value_that_was_set_is_not_read_again() -> None:
    assert text("{{setvar::a::\\{{user}}}}{{getvar::a}}") == "{{user}}"
