"""Shared by the pipeline's tests: ports that stand still, and one call from sources to a result."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from chats.documents import Character, Memory, Persona, read_book, validate
from chats.lore import CompiledBook, compile_book
from chats.pipeline.cast import NOBODY, Cast
from chats.pipeline.ports import Ports
from chats.pipeline.run import run
from chats.pipeline.sources import Rendered, Sources
from chats.services.ports import FixedClock, Seed
from formats.builtin import builtin
from formats.prompt.message import Message
from formats.prompt.options import RenderSettings
from formats.tokens import profile

NOW = datetime(2026, 7, 31, 14, 5, tzinfo=UTC)


@dataclass(frozen=True)
class Letters:
    """A tokenizer that nobody has to look up: a token for every four characters."""

    name: str = "letters"
    approximate: bool = False

    def count(self, text: str) -> int:
        return -(-len(text) // 4)

    count_once = count

    def encode(self, text: str) -> list[int]:
        return [0] * self.count(text)

    def pieces(self, text: str) -> list[str]:
        return [text[at : at + 4] for at in range(0, len(text), 4)]


LETTERS = Letters()


def ports(counter: Any = None, seed: int = 1) -> Ports:
    """Ports of a render at one moment."""
    return Ports(FixedClock(NOW), Seed(seed), counter or profile("estimate"), lambda: 0.0)


def message(role: str, text: str, **more: Any) -> Message:
    """A message by its role and text."""
    return Message(role, text, **more)


def cast(
    character: dict[str, Any] | None = None,
    persona: dict[str, Any] | None = None,
    others: list[dict[str, Any]] | None = None,
    **more: Any,
) -> Cast:
    """A cast by the documents of its members."""
    made = Cast(
        validate(Character, character) if character else None,
        tuple(validate(Character, other) for other in others or ()),
        validate(Persona, persona) if persona else None,
        **more,
    )
    return NOBODY if made == NOBODY else made


def book(*entries: dict[str, Any], name: str = "book") -> CompiledBook:
    """A lorebook ready for searching."""
    return compile_book(read_book({"name": name, "entries": list(entries)})[0], book_id=name)


def memory(content: str, **more: Any) -> Memory:
    """A memory by its text."""
    return validate(Memory, {"content": content, **more})


def rendered(
    *history: Message,
    form: str | None = "chatml",
    counter: Any = None,
    seed: int = 1,
    interceptors: Any = (),
    **more: Any,
) -> Rendered:
    """The result of a run over `history`; `more` are other sources."""
    settings = RenderSettings(**more.pop("settings", {}))
    sources = Sources(tuple(history), settings=settings, is_text=form is not None, **more)
    compiled = builtin(form).compiled if form else None
    return run(sources, compiled, ports(counter, seed), interceptors=interceptors, segments=True)


def wire(result: Rendered) -> list[tuple[str, str]]:
    """Role and text of every message of a result."""
    return [(one.role, one.plain) for one in result.assembled.messages if not one.excluded]


def record(result: Rendered, stage: str) -> dict[str, Any]:
    """What the trace says of one stage."""
    return next(one.wire() for one in result.trace if one.stage == stage)
