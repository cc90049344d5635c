"""A role template ready to be put around content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from formats.handlebars import Template, Var

# Variables that hold nothing in a plain turn, so a folded template may drop them on the hot path.
_EMPTY_IN_PLAIN: Final = frozenset({"tools", "skills", "toolCalls"})
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

    def around(self, role: str) -> tuple[str, str] | None:
        """Literal text before and after the content of a plain turn; None when it takes more than that."""
        folded = self.template.folded
        if folded is None:
            return None
        before, after, seen = "", "", 0
        for part in folded:
            name = part.name if isinstance(part, Var) else None
            if name == "content":
                seen += 1
            elif name in _EMPTY_IN_PLAIN:
                continue
            elif name is not None and name != "role":
                return None
            else:
                text = role if isinstance(part, Var) else part
                before, after = (before, after + text) if seen else (before + text, after)
        return (before, after) if seen == 1 else None
