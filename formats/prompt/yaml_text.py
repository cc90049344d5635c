"""A JSON value as YAML in block style: keys in their order, every script as it is, quotes only where needed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

# Begins with a letter, holds nothing that YAML reads as a mark, and ends in no blank or colon.
_PLAIN: Final = re.compile(r"[^\W\d_](?:[\w ./()<>=+;,'-]|:(?=\S)|[!?](?=.|$))*(?<! )\Z")
_WORDS: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def yaml_text(value: Any) -> str:
    """The value in YAML, without the line end at the end."""
    return "\n".join(_lines(value))


def _lines(value: Any) -> list[str]:
    if isinstance(value, Mapping) and value:
        return [line for key, item in value.items() for line in _entry(f"{_scalar(str(key))}:", item, is_list=False)]
    if isinstance(value, list | tuple) and value:
        return [line for item in value for line in _entry("-", item, is_list=True)]
    return [_scalar(value)]


def _entry(head: str, item: Any, *, is_list: bool) -> list[str]:
    if not isinstance(item, Mapping | list | tuple) or not item:
        return [f"{head} {_scalar(item)}"]
    lines = _lines(item)
    if is_list:
        return [f"- {lines[0]}", *(f"  {line}" for line in lines[1:])]
    margin = "" if isinstance(item, list | tuple) else "  "
    return [head, *(margin + line for line in lines)]


def _scalar(value: Any) -> str:
    if isinstance(value, str) and _PLAIN.match(value) and value.lower() not in _WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)
