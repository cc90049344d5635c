"""Builds the tree's paths and calls from what the grammar has read, and refuses those that make no sense."""

from __future__ import annotations

import re
from typing import Any, Final

from formats.handlebars.tree import Call, Expression, Literal, Path

BRACKET_ESCAPE: Final = re.compile(r"\\([\\\]])")
SCOPED: Final = re.compile(r"^\.|this\b", re.ASCII)


class Refused(Exception):
    """The tag is well formed but not allowed; `offset` is where."""

    def __init__(self, message: str, offset: int, *, is_limit: bool = False) -> None:
        super().__init__(message)
        self.message, self.offset, self.is_limit = message, offset, is_limit


def make_call(callee: Path | Literal, arguments: list[Any], start: int) -> Call:
    """Call of pybars3's argument list, in which keyword arguments are tuples; the first of equal keys wins."""
    operands, keywords = split_arguments(arguments)
    return Call(callee, operands, keywords, start)


def split_arguments(arguments: list[Any]) -> tuple[list[Expression], dict[str, Expression]]:
    """Positional and keyword operands; refuses a positional one after a keyword."""
    operands: list[Expression] = []
    keywords: dict[str, Expression] = {}
    for argument in arguments:
        if isinstance(argument, tuple):
            keywords.setdefault(argument[1], argument[2])
        elif keywords:
            raise Refused("a positional argument cannot follow key=value arguments", argument.start)
        else:
            operands.append(argument)
    return operands, keywords


def make_path(is_data: bool, segments: list[tuple[str, str]], start: int) -> Path:
    """Path of `(separator, segment)` pairs; refuses `..`, `.` and `this` after a key."""
    keys: list[str] = []
    depth = 0
    original = ""
    for separator, segment in segments:
        key = unbracketed(segment)
        original += separator + key
        if segment not in {"..", ".", "this"}:
            keys.append(key)
        elif keys:
            raise Refused(f"Invalid path: {'@' if is_data else ''}{original}", start)
        else:
            depth += segment == ".."
    original = "@" + original if is_data else original
    return Path(tuple(keys), depth, is_data, bool(SCOPED.search(original)), original, start)


def unbracketed(segment: str) -> str:
    return BRACKET_ESCAPE.sub(r"\1", segment[1:-1]) if segment.startswith("[") else segment
