"""`Sources`: everything that a prompt is made of, before any decision. The later phases have types of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from chats.documents import Memory
from chats.documents.fields import GenerationType
from chats.infill.types import Engine
from chats.lore import Activation, CompiledBook, LoreState
from chats.macros import MacroScope
from chats.pipeline.blocks import BUILTIN_BLOCKS, Block
from chats.pipeline.budget import Budget
from chats.pipeline.cast import NOBODY, Cast
from chats.pipeline.context.choice import ContextChoice
from chats.pipeline.trace import StageRecord
from formats.prompt.findings import Finding
from formats.prompt.message import Message
from formats.prompt.options import RenderSettings
from formats.prompt.segments import Segment


@dataclass(frozen=True, slots=True)
class Sources:
    """History, input, cast, lore and memories as the caller gave them, with the settings of the render.

    Stages return a changed copy. `scope` is there once macros were expanded, `lore` once the books were searched.
    `ranking` chooses the lore for blocks where the request asks for an engine. `is_text` says whether the caller gets a
    text; `with_figures` asks for token figures where no budget needs them.
    """

    history: tuple[Message, ...]
    user_input: str = ""
    macros: bool = True
    variables: Mapping[str, Any] = field(default_factory=dict)
    settings: RenderSettings = field(default_factory=RenderSettings)
    cast: Cast = NOBODY
    books: tuple[CompiledBook, ...] = ()
    lore_state: LoreState | None = None
    memories: tuple[Memory, ...] = ()
    blocks: tuple[Block, ...] = BUILTIN_BLOCKS
    context: ContextChoice | None = None
    ranking: Engine | None = None
    generation_type: GenerationType = "normal"
    model: str = ""
    budget: Budget | None = None
    is_text: bool = True
    with_figures: bool = False
    scope: MacroScope | None = None
    lore: Activation | None = None
    filler_user: str = ""

    @property
    def has_blocks(self) -> bool:
        """Whether anything but the history can take part in the prompt."""
        if self.context is not None:
            return True
        return self.cast is not NOBODY or bool(self.books or self.memories) or self.blocks is not BUILTIN_BLOCKS


class Excluded(NamedTuple):
    """A message that the prompt does not have, and why."""

    id: str | None
    origin: str
    reason: str


@dataclass(frozen=True, slots=True)
class Assembled:
    """The messages of the prompt in order; those with `excluded` set are passed over by all that follows.

    `given` has for each message its place among the messages as given, None for one that a block or stage made; it is
    None as a whole where the messages are those given. `user` and `speaker` are names, where there are any.
    `is_templated`: a context template wrote the messages, names included; `open_text` is what it has put into the turn
    that the user's reply goes on from.
    """

    messages: tuple[Message, ...]
    settings: RenderSettings
    excluded: tuple[Excluded, ...] = ()
    given: tuple[int | None, ...] | None = None
    user: str = ""
    speaker: str = ""
    is_impersonated: bool = False
    is_templated: bool = False
    open_text: str = ""

    def place(self, position: int) -> int | None:
        """Return where the message at `position` stood among those given."""
        return position if self.given is None else self.given[position]

    def holding(self, messages: tuple[Message, ...], given: tuple[int | None, ...]) -> Assembled:
        """Return a copy with other messages."""
        return replace(self, messages=messages, given=given)

    def without_more(self, excluded: Sequence[Excluded]) -> Assembled:
        """Return a copy that lists more messages as left out."""
        return replace(self, excluded=(*self.excluded, *excluded)) if excluded else self

    @property
    def places(self) -> Sequence[int | None]:
        """For each message its place among those given."""
        return range(len(self.messages)) if self.given is None else self.given


@dataclass(frozen=True, slots=True)
class Rendered:
    """The result: `text` is None without a format; `tokens` is the prompt's size.

    `segments` only when asked for, and `turns`, for each of them the place among the assembled messages. `sources` is
    what the prompt was made of, for whoever asks why it is as it is.
    """

    assembled: Assembled
    text: str | None = None
    stops: tuple[str, ...] = ()
    segments: tuple[Segment, ...] | None = None
    turns: tuple[int | None, ...] = ()
    sources: Sources | None = None
    findings: tuple[Finding, ...] = ()
    trace: tuple[StageRecord, ...] = ()
    tokens: int = 0
    media: tuple[dict[str, Any], ...] = ()
