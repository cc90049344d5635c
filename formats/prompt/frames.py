"""A role template ready to be put around content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from formats.handlebars import Template, Var
from formats.prompt.facts import FACTS
from formats.prompt.plain import EMPTY_IN_PLAIN, plain_parts

# What closes an open turn comes after the last of these.
_BODY: Final = frozenset({"content", "toolCalls"})
# Never typed by anybody (a private-use character): finds the place of the content in a template.
_MARK: Final = "\ue000"

Piece = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class Frame:
    """One template of a format, its path in the document, and the role it is for."""

    path: str
    template: Template
    asks_for_facts: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "asks_for_facts", not self.template.roots.isdisjoint(FACTS))

    def uses(self, variable: str) -> bool:
        """True when the template names `variable`."""
        return variable in self.template.roots

    def pieces(self, context: Mapping[str, Any], *, is_open: bool = False) -> list[Piece]:
        """Text and root variable (None for markup), in order; an open turn ends with its body."""
        pieces = self.template.pieces(context)
        if not is_open:
            return pieces
        last = max((at for at, (_, variable) in enumerate(pieces) if variable in _BODY), default=None)
        if last is not None:
            return pieces[: last + 1]
        return self._before_content(context)

    def _before_content(self, context: Mapping[str, Any]) -> list[Piece]:
        """What precedes an empty content: an empty text leaves no piece to cut behind, so a mark stands in for it."""
        pieces = self.template.pieces({**context, "content": _MARK})
        for at, (_, variable) in enumerate(pieces):
            if variable == "content":
                return pieces[:at]
        return pieces

    def around(self, role: str, empty: frozenset[str] = EMPTY_IN_PLAIN) -> tuple[str, str] | None:
        """Literal text before and after the content of a plain turn; None when it takes more than that.

        `empty` are the variables that hold nothing in such a turn.
        """
        parts = plain_parts(self.template, empty)
        names = [part.name for part in parts or () if isinstance(part, Var) and part.name != "role"]
        if parts is None or names != ["content"]:
            return None
        texts = ["", ""]
        side = 0
        for part in parts:
            if isinstance(part, Var) and part.name == "content":
                side = 1
            else:
                texts[side] += role if isinstance(part, Var) else part
        return texts[0], texts[1]
