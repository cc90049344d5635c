"""What a traced render leaves: pieces that know their root variable, and regions made by role blocks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from formats.handlebars.values import Value

Piece = tuple[str, str | None]
"""A text and the root variable it came from; None for text of the template."""

RegionKind = Literal["system", "user", "assistant", "tool"] | None


@dataclass(slots=True)
class Region:
    """A stretch of output: the inside of one role block, or what stands between two (kind None).

    `attributes` are the block's keyword values, `context` is what `this` was at the block.
    """

    kind: RegionKind
    attributes: dict[str, Value] = field(default_factory=dict)
    pieces: list[Piece] = field(default_factory=list)
    context: Value = None

    @property
    def text(self) -> str:
        """The region's text."""
        return "".join([text for text, _ in self.pieces])


class Tracer:
    """Collects pieces and regions. A role is only ever set by `open`, so no text can forge one."""

    __slots__ = ("_blocks", "_open", "regions", "roots", "texts")

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.roots: list[str | None] = []
        self.regions: list[Region] = [Region(None)]
        self._open: list[Region] = []
        self._blocks: set[int] = set()

    def write(self, text: str, root: str | None = None) -> None:
        """Take a text with its root variable."""
        if text:
            self.texts.append(text)
            self.roots.append(root)
            self.regions[-1].pieces.append((text, root))

    def open(self, kind: RegionKind, attributes: dict[str, Value], context: Value) -> None:
        """Begin a role block's region; a block inside another splits it."""
        region = Region(kind, attributes, context=context)
        self._open.append(region)
        self._blocks.add(id(region))
        self.regions.append(region)

    def close(self) -> None:
        """End the innermost role block; what follows belongs to the block around it, or to none."""
        self._open.pop()
        outer = self._open[-1] if self._open else Region(None)
        self.regions.append(Region(outer.kind, outer.attributes, context=outer.context))

    def pieces(self) -> list[Piece]:
        """All pieces in order."""
        return list(zip(self.texts, self.roots, strict=True))

    def finished_regions(self) -> list[Region]:
        """The regions; one that holds nothing is kept only where a role block begins."""
        return [region for region in self.regions if region.pieces or id(region) in self._blocks]
