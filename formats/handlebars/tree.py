"""The tree of a template: what the parser builds, the whitespace pass trims and the compiler reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from formats.handlebars.values import Value


class Strip(NamedTuple):
    """Which sides of a tag carry a `~`."""

    left: bool = False
    right: bool = False


NO_STRIP: Final = Strip()


@dataclass(slots=True)
class Path:
    """A name: `a.b`, `../a`, `@index`, `this`. `parts` are its keys without `.`, `..` and `this`."""

    parts: tuple[str, ...]
    depth: int
    is_data: bool
    is_scoped: bool
    original: str
    start: int

    @property
    def simple_name(self) -> str | None:
        """The name when it is one plain word, which could be a helper or a block parameter."""
        return self.parts[0] if len(self.parts) == 1 and not self.is_scoped and not self.depth else None


@dataclass(slots=True)
class Literal:
    """A string, number, boolean, null or undefined."""

    value: Value
    original: str
    start: int


@dataclass(slots=True)
class Call:
    """A name with its operands: a mustache's inside, a block's head or a sub-expression."""

    callee: Path | Literal
    operands: list[Expression]
    keywords: dict[str, Expression]
    start: int


Expression = Path | Literal | Call


@dataclass(slots=True)
class Text:
    """Literal text. `original` is what was written, `value` what whitespace control left of it."""

    value: str
    original: str
    left_trimmed: bool = False
    right_trimmed: bool = False


@dataclass(slots=True)
class Comment:
    """A comment; prints nothing, but may stand on a line of its own."""

    strip: Strip


@dataclass(slots=True)
class Mustache:
    """`{{x}}`, `{{{x}}}` or `{{&x}}`."""

    call: Call
    is_escaped: bool
    strip: Strip
    start: int


@dataclass(slots=True)
class Partial:
    """`{{> name}}`, or with a `program` the block `{{#> name}}…{{/name}}`."""

    name: Expression
    operands: list[Expression]
    keywords: dict[str, Expression]
    strip: Strip
    start: int
    program: Program | None = None
    close_strip: Strip = NO_STRIP
    indent: str = ""


@dataclass(slots=True)
class Inline:
    """`{{#*inline "name"}}…{{/inline}}`: defines a partial for the program it stands in."""

    name: Expression
    program: Program
    open_strip: Strip
    close_strip: Strip
    start: int


@dataclass(slots=True)
class Block:
    """`{{#x}}…{{else}}…{{/x}}`; an inverted block `{{^x}}` has only an `inverse`."""

    call: Call
    program: Program | None
    inverse: Program | None
    open_strip: Strip
    inverse_strip: Strip
    close_strip: Strip
    start: int


Statement = Text | Comment | Mustache | Partial | Inline | Block


@dataclass(slots=True)
class Program:
    """A run of statements with the block parameters it declares. `is_chained`: it holds one `{{else if}}` link."""

    body: list[Statement]
    params: tuple[str, ...] = ()
    is_chained: bool = False
    start: int = field(default=0)
