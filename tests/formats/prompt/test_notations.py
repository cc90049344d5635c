"""Tools written as YAML and as TypeScript."""

from __future__ import annotations

from typing import Any

import pytest

from formats.prompt.typescript import typescript_text
from formats.prompt.yaml_text import yaml_text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"name": "sky", "count": 2, "lit": True, "none": None}, "name: sky\ncount: 2\nlit: true\nnone: null"),
        ({"a": {"b": ["x", "z"]}}, "a:\n  b:\n  - x\n  - z"),
        ([{"name": "sky", "at": {"x": 1}}, "sea"], "- name: sky\n  at:\n    x: 1\n- sea"),
        ({"empty": {}, "list": []}, "empty: {}\nlist: []"),
        ({"text": "yes", "colon": "a: b", "hash": "#x", "blank": " a", "é": "größer 漢"},
         'text: "yes"\ncolon: "a: b"\nhash: "#x"\nblank: " a"\né: größer 漢'),
        ("plain text", "plain text"),
    ],
    ids=str,
)  # fmt: skip
def test_yaml_keeps_order_and_scripts(value: Any, expected: str) -> None:
    assert yaml_text(value) == expected


def tool(properties: dict[str, Any], required: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return {"name": "f", "parameters": {"type": "object", "properties": properties, "required": list(required)}, **more}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, "string"),
        ({"type": "string", "nullable": True}, "string | null"),
        ({"type": "string", "enum": ["a", "b"]}, '"a" | "b"'),
        ({"type": "integer"}, "number"),
        ({"type": "boolean"}, "boolean"),
        ({"type": "array", "items": {"type": "string"}}, "string[]"),
        ({"type": "array"}, "any[]"),
        ({"type": ["string", "null"]}, "string | null"),
        ({"oneOf": [{"type": "string"}, {"type": "number"}]}, "string | number"),
        ({"type": "object"}, "object"),
        ({"type": "object", "properties": {"x": {"type": "number"}}}, "{\nx?: number}"),
        ({}, "any"),
    ],
    ids=str,
)
def test_a_schema_becomes_a_type(schema: dict[str, Any], expected: str) -> None:
    assert typescript_text(tool({"p": schema}, ("p",))) == f"type f = (_: {{\np: {expected},\n}}) => any;"


def test_descriptions_are_comments_and_defaults_follow() -> None:
    spec = {"unit": {"type": "string", "description": "Which one", "enum": ["c", "f"], "default": "c"}}
    assert typescript_text({"type": "function", "function": tool(spec, description="Tells.")}) == (
        '// Tells.\ntype f = (_: {\n// Which one\nunit?: "c" | "f", // default: c,\n}) => any;'
    )


def test_no_parameters_and_no_functions() -> None:
    assert typescript_text({"name": "f"}) == "type f = () => any;"
    assert typescript_text([{"name": "f"}, {"name": "g"}]) == "type f = () => any;\n\ntype g = () => any;"
    assert typescript_text({"kind": "x"}) == '{"kind": "x"}'
