"""The documented helpers."""

from __future__ import annotations

from typing import Any

import pytest

from formats.handlebars import compile_template


def value(call: str, **context: Any) -> str:
    return compile_template("{{" + call + "}}").render(context)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("eq a 'x'", "true"),
        ("eq 'x' a", "true"),
        ("eq one '1'", "false"),
        ("eq one 1.0", "true"),
        ("eq yes 1", "false"),
        ("eq none null", "true"),
        ("eq missing null", "false"),
        ("eq missing undefined", "true"),
        ("eq list list", "true"),
        ("eq list (lookup this 'other')", "false"),
        ("ne a 'y'", "true"),
        ("ne a a", "false"),
        ("ne one 'y'", "true"),
        ("lt 1 2", "true"),
        ("lt 2 10", "true"),
        ("lt '2' '10'", "false"),
        ("lt 1 '2'", "false"),
        ("lt null 1", "false"),
        ("lte 2 2", "true"),
        ("gt 3 2.5", "true"),
        ("gt true false", "false"),
        ("gte 'b' 'a'", "true"),
        ("gte list 0", "false"),
        ("not a", "false"),
        ("not empty", "true"),
        ("not 0", "true"),
        ("not obj", "false"),
        ("and a one", "1"),
        ("and a empty one", ""),
        ("and a", "x"),
        ("or empty none a", "x"),
        ("or empty 0", "0"),
        ("or none", ""),
        ("default missing 'd'", "d"),
        ("default none 'd'", "d"),
        ("default blank 'd'", "d"),
        ("default 0 'd'", "0"),
        ("default empty 'd'", ""),
        ("default no 'd'", "false"),
        ("default a missing", "x"),
        ("lookup list 1", "2"),
        ("lookup list '1'", "2"),
        ("lookup obj 'k'", "v"),
        ("lookup a 0", "x"),
        ("lookup list 9", ""),
        ("lookup missing 'k'", ""),
        ("lookup list 'length'", "3"),
        ("lookup obj a", ""),
        ("lookup list -1", ""),
        ("lookup list 1.0", "2"),
        ("trim padded", "p q"),
        ("upper 'straße é'", "STRASSE É"),
        ("lower 'ÀB'", "àb"),
        ("trim missing", ""),
        ("upper one", "1"),
        ("join list", "1,2,x"),
        ("join list ' + '", "1 + 2 + x"),
        ("join a ','", "x"),
        ("join missing", ""),
        ("join list 0", "1020x"),
        ("length list", "3"),
        ("length padded", "7"),
        ("length obj", "1"),
        ("length missing", "0"),
        ("length one", "0"),
        ("length none", "0"),
    ],
)
def test_value(call: str, expected: str) -> None:
    context = {
        "a": "x",
        "one": 1,
        "yes": True,
        "no": False,
        "none": None,
        "list": [1, 2, "x"],
        "other": [1, 2, "x"],
        "empty": [],
        "blank": "",
        "obj": {"k": "v"},
        "padded": " \u00a0p q\n\ufeff",
    }
    assert value(call, **context) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"b": 1, "a": [True, None, 'é\u2028"\\\n']}, '{"b":1,"a":[true,null,"é\u2028\\"\\\\\\n"]}'),
        ([1.0, 1e21, float("nan"), 0.5], "[1,1e+21,null,0.5]"),
        ([], "[]"),
        ({}, "{}"),
        ("s", '"s"'),
        (None, "null"),
        ((1,), "[1]"),
    ],
)
def test_json_is_compact(data: Any, expected: str) -> None:
    assert value("json a", a=data) == expected


def test_json_with_an_indent() -> None:
    assert value("json a indent=2", a={"x": [1, {}], "y": []}) == '{\n  "x": [\n    1,\n    {}\n  ],\n  "y": []\n}'
    assert value("json a indent=99", a=[1]) == "[\n" + " " * 10 + "1\n]"
    assert value("json missing") == ""


def test_and_or_and_default_evaluate_only_what_they_need() -> None:
    opaque = object()
    for call in ("or 'x' (upper o)", "and '' (upper o)", "default 'x' (upper o)"):
        assert value(call, o=opaque) in {"x", ""}


def test_a_helper_hides_a_variable_and_this_reaches_it() -> None:
    assert (
        compile_template("{{this.length}}{{./upper}}{{[trim].x}}").render(
            {"length": "L", "upper": "U", "trim": {"x": 1}}
        )
        == "LU1"
    )
