"""One call of a macro: its arguments, and what it may ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from chats.macros.chance import draw, fingerprint
from chats.macros.scope import MacroScope


@dataclass(slots=True)
class Piece:
    """A bit of an argument. Only where it was typed literally may it be cut at separators."""

    text: str
    literal: bool = True


class Source:
    """The text that is being expanded, as far as chance depends on it."""

    def __init__(self, text: str, scope: MacroScope) -> None:
        self.text = text
        self.scope = scope
        self.used: set[str] = set()

    @cached_property
    def digest(self) -> str:
        """The content's name."""
        return fingerprint(self.text)

    @cached_property
    def occurrence(self) -> int:
        """How often this very text was expanded in this render before."""
        return self.scope.store.occurrence(self.digest)


@dataclass(slots=True)
class Call:
    """Arguments are evaluated already. `pieces` are those of all arguments, for macros with rules of their own."""

    source: Source
    position: int
    arguments: tuple[str, ...] = ()
    pieces: list[Piece] = field(default_factory=list)

    @property
    def scope(self) -> MacroScope:
        return self.source.scope

    def draw(self, bound: int, number: int = 0) -> int:
        """Return a number that follows from seed, text, place, and which one of several equal texts it is."""
        source = self.source
        return draw(bound, self.scope.seed, source.digest, source.occurrence, self.position, number)

    def pick(self, bound: int) -> int:
        """Return a number that is the same in every equal text."""
        return draw(bound, self.scope.seed, self.source.digest, self.position)

    def is_first(self, name: str) -> bool:
        """Return whether this is the first call of that name in the text."""
        first = name not in self.source.used
        self.source.used.add(name)
        return first


def cut(pieces: list[Piece], separator: str) -> list[list[Piece]]:
    """Return the pieces cut at a separator, wherever it was typed literally at this level."""
    groups: list[list[Piece]] = [[]]
    for piece in pieces:
        if piece.literal and separator in piece.text:
            head, *tail = piece.text.split(separator)
            groups[-1].append(Piece(head))
            groups.extend([Piece(text)] for text in tail)
        else:
            groups[-1].append(piece)
    return groups


def joined(pieces: list[Piece]) -> str:
    """Return the text of pieces."""
    return "".join(piece.text for piece in pieces)


Run = Callable[[Call], "str | None"]


@dataclass(frozen=True, slots=True)
class Macro:
    """A built-in. `run` returns None when the scope does not know the value or the arguments make no sense.

    `steady`: within one text every call without arguments gives the same, so that it is made once. `blind`: what
    stands in the arguments is not expanded.
    """

    run: Run
    least: int = 0
    most: int | None = 0
    steady: bool = False
    blind: bool = False

    def takes(self, arguments: int) -> bool:
        """Return whether it may be called with so many arguments."""
        return self.least <= arguments and (self.most is None or arguments <= self.most)
