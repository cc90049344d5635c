"""What a text is made of: literals, escapes, macros and blocks. No part of it is ever made from a macro's result.

The classes are not frozen because making frozen ones takes three times as long; nobody changes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(slots=True)
class Escape:
    """Braces that are written with backslashes so that they mean nothing."""

    raw: str
    shown: str


@dataclass(slots=True)
class TooDeep:
    """A macro with too many others inside. It is only a place in the text, so that nesting costs no memory."""

    start: int
    end: int
    height: int


@dataclass(slots=True)
class Node:
    """`{{…}}`. `name` is case-folded and empty where the inside does not begin like a macro.

    `rest` is where, in the first part, the arguments begin. `separators` counts the `::` between arguments.
    """

    start: int
    end: int
    parts: list[Part]
    name: str = ""
    rest: int = 0
    has_arguments: bool = False
    separators: int = 0
    height: int = 1


@dataclass(slots=True)
class Block:
    """`{{name}}…{{/name}}`; `body` is what stands between."""

    opener: Node
    body: list[Part]
    closer: Node
    height: int


@dataclass(slots=True)
class Frame:
    """A `{{` that waits for its end; the outermost one is the text itself.

    `escaped` counts the escaped `{{` in it: their ends do not close it, with backslashes or without.
    """

    start: int
    parts: list[Part] = field(default_factory=list)
    escaped: int = 0


Part: TypeAlias = "str | Escape | TooDeep | Node | Block"


def height(parts: list[Part]) -> int:
    """Return how many macros are inside one another at most."""
    return max((part.height for part in parts if isinstance(part, Node | Block | TooDeep)), default=0)
