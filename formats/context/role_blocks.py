"""Role blocks: what a context template prints, as messages. Roles come from its blocks alone, never from text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from formats.context.blank_lines import collapsed
from formats.context.context_template import ContextTemplate
from formats.context.variables import SEED_ID, VARIABLES
from formats.handlebars import CONTEXT_HELPERS, Piece, Region, Template, TemplateError, compile_template
from formats.handlebars.values import WHITE_SPACE
from formats.prompt.errors import FormatError
from formats.prompt.findings import Finding
from formats.prompt.templates import fault_of

PATH: Final = "template"
NAME: Final = "contextTemplate.template"
"""What errors of a render call it."""

OUTSIDE: Final = "TEXT_OUTSIDE_BLOCKS"
UNKNOWN: Final = "UNKNOWN_VARIABLE"
EXCERPT: Final = 60


@dataclass(frozen=True, slots=True)
class RoleBlock:
    """One message of the prompt, without white space around it.

    `item` is what `this` was at the block: an entry of `chatMessages` for a turn of the chat. `is_open`: the model goes
    on from here. `pieces` are the texts with the root variable that each came from, None for the template's own.
    """

    role: str
    text: str
    name: str | None = None
    is_open: bool = False
    item: Any = None
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class ContextRender:
    """What a context template made of a context."""

    blocks: tuple[RoleBlock, ...]
    findings: tuple[Finding, ...] = ()


class CompiledContext:
    """A context template ready to render; immutable, so one may serve many threads."""

    __slots__ = ("_template", "document", "findings")

    def __init__(self, document: ContextTemplate) -> None:
        """Compile. Raises FormatError with the place in the template."""
        self.document = document
        try:
            self._template: Template = compile_template(
                document.template, CONTEXT_HELPERS, NAME, variables=VARIABLES, unknown_variables="warn"
            )
        except TemplateError as error:
            raise FormatError(fault_of(error, PATH)) from error
        self.findings: tuple[Finding, ...] = tuple(
            Finding("warning", UNKNOWN, one.message, PATH, one.line, one.column) for one in self._template.warnings
        )

    @property
    def roots(self) -> frozenset[str]:
        """The root variables that the template reads."""
        return self._template.roots

    def render(self, context: Mapping[str, Any]) -> ContextRender:
        """Return the role blocks in order. Text outside of blocks becomes a system message, and a finding.

        Raises TemplateError from the template.
        """
        blocks: list[RoleBlock] = []
        findings: list[Finding] = []
        begun: set[int] = set()
        for region in self._template.regions(dict(context)):
            block = self._block(region)
            is_later_part = id(region.attributes) in begun
            begun.add(id(region.attributes))
            if region.kind is not None and (block.text or not is_later_part):
                blocks.append(block)
            elif region.kind is None and block.text:
                blocks.append(block)
                findings.append(_outside(block.text))
        return ContextRender(tuple(blocks), tuple(findings))

    def _block(self, region: Region) -> RoleBlock:
        pieces = collapsed(region.pieces) if self.document.blank_lines == "collapse" else region.pieces
        stripped = _stripped(pieces)
        text = "".join([part for part, _ in stripped])
        name = region.attributes.get("name")
        return RoleBlock(
            role=region.kind or "system",
            text=text,
            name=name if isinstance(name, str) and name else None,
            is_open=_is_open(region),
            item=region.context if region.kind is not None else None,
            pieces=stripped,
        )


def _is_open(region: Region) -> bool:
    """Tell the turn that the model goes on from: by the block's own word, else by the data that it prints."""
    if "open" in region.attributes:
        return region.attributes["open"] is True
    item = region.context
    if not isinstance(item, dict) or item.get("role") != region.kind:
        return False
    return item.get("isSeed") is True or (type(item.get("id")) is int and item["id"] == SEED_ID)


def _stripped(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Return `pieces` without the white space at both ends of their whole."""
    left = list(pieces)
    while left and not (text := left[0][0].lstrip(WHITE_SPACE)):
        del left[0]
    if left:
        left[0] = (text, left[0][1])
    while left and not (text := left[-1][0].rstrip(WHITE_SPACE)):
        del left[-1]
    if left:
        left[-1] = (text, left[-1][1])
    return tuple(left)


def _outside(text: str) -> Finding:
    shown = text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"
    message = f"This stands outside of every role block and is sent as a system message: {shown!r}"
    return Finding("warning", OUTSIDE, message, PATH)
