"""A tool as a TypeScript declaration, as OpenAI's harmony layout shows functions to a model.

https://github.com/openai/harmony (Apache-2.0): a comment with the description, then
`type name = (_: {` one parameter a line `}) => any;`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

_SIMPLE: Final = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean"}
_LONGEST_ITEM: Final = 50
_DEEPEST: Final = 32


def typescript_text(value: Any) -> str:
    """The declaration of a tool, or of each in a list with a blank line between; any other value as JSON."""
    if isinstance(value, list | tuple):
        return "\n\n".join(typescript_text(item) for item in value)
    inner = value.get("function", value) if isinstance(value, Mapping) else None
    if not isinstance(inner, Mapping) or not isinstance(inner.get("name"), str):
        return json.dumps(value, ensure_ascii=False)
    return _declaration(inner)


def _declaration(function: Mapping[str, Any]) -> str:
    description = function.get("description")
    comment = f"// {description}\n" if description else ""
    parameters = _mapping(function.get("parameters"))
    properties = _mapping(parameters.get("properties"))
    if not properties:
        return f"{comment}type {function['name']} = () => any;"
    required = parameters.get("required") or ()
    lines = "".join([_parameter(name, _mapping(spec), name in required) for name, spec in properties.items()])
    return f"{comment}type {function['name']} = (_: {{\n{lines}}}) => any;"


def _parameter(name: str, spec: Mapping[str, Any], is_required: bool) -> str:
    description = spec.get("description")
    comment = f"// {description}\n" if description else ""
    default = ""
    if "default" in spec:
        shown = spec["default"]
        is_bare = isinstance(shown, str) and (spec.get("enum") or spec.get("oneOf"))
        text = str(shown) if is_bare else json.dumps(shown, ensure_ascii=False)
        default = f"{'' if spec.get('oneOf') and not spec.get('enum') else ', '}// default: {text}"
    return f"{comment}{name}{'' if is_required else '?'}: {type_text(spec)}{default},\n"


def type_text(spec: Mapping[str, Any], depth: int = 0) -> str:
    """The TypeScript type of a JSON schema."""
    kind = spec.get("type")
    if depth > _DEEPEST:
        return "any"
    if kind == "array":
        return _array(spec, depth) + _nullable(spec)
    if isinstance(kind, list | tuple) and kind:
        return " | ".join(map(str, kind))
    if spec.get("oneOf"):
        return _union([_mapping(one) for one in spec["oneOf"]], depth)
    return _object(spec, depth) if kind == "object" else _simple(spec, kind)


def _simple(spec: Mapping[str, Any], kind: Any) -> str:
    if kind == "string" and spec.get("enum"):
        return '"' + '" | "'.join(map(str, spec["enum"])) + '"'
    simple = _SIMPLE.get(kind, "any") if isinstance(kind, str) else "any"
    return simple + (_nullable(spec) if kind == "string" else "")


def _array(spec: Mapping[str, Any], depth: int) -> str:
    items = _mapping(spec.get("items"))
    if not items:
        return "any[]"
    simple = _SIMPLE.get(items.get("type", ""))
    inner = simple or type_text(items, depth + 1)
    is_long = simple is None and (inner == "object | object" or len(inner) > _LONGEST_ITEM)
    return "any[]" if is_long else f"{inner}[]"


def _union(variants: list[Mapping[str, Any]], depth: int) -> str:
    if len(variants) > 1 and any(one.get("type") == "object" for one in variants):
        return "any"
    return " | ".join(_variant(one, depth) for one in variants)


def _variant(spec: Mapping[str, Any], depth: int) -> str:
    text = type_text(spec, depth + 1)
    if spec.get("description"):
        text += f"// {spec['description']}"
    if "default" in spec:
        text += f" // default: {json.dumps(spec['default'], ensure_ascii=False)}"
    return text


def _object(spec: Mapping[str, Any], depth: int) -> str:
    properties = _mapping(spec.get("properties"))
    if not properties:
        return "object"
    required = spec.get("required") or ()
    fields = [
        f"{name}{'' if name in required else '?'}: {type_text(_mapping(one), depth + 1)}"
        for name, one in properties.items()
    ]
    return "{\n" + ", ".join(fields) + "}"


def _nullable(spec: Mapping[str, Any]) -> str:
    return " | null" if spec.get("nullable") else ""


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
