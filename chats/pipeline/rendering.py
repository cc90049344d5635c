"""One text of one assembly: names where the format writes them, the open turn of the user, indexes as given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final

from chats.pipeline.ports import Ports
from chats.pipeline.sources import Assembled
from formats.prompt.compiled import CompiledFormat
from formats.prompt.findings import Finding
from formats.prompt.message import Message
from formats.prompt.options import RenderSettings
from formats.prompt.segments import Segment

CUT: Final = "\ue000\ue00aopen turn\ue00a\ue000"
"""Stands where the user's open turn ends: private characters, and the text behind them is cut off."""

_INDEX: Final = re.compile(r"^messages\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Text:
    """A rendered prompt. Segments and findings are made on demand, their indexes those of the messages as given."""

    text: str
    stops: tuple[str, ...]
    result: Any
    assembled: Assembled
    is_cut: bool = False

    def segments(self) -> tuple[Segment, ...]:
        """Return the labelled pieces, whose join is the text."""
        return self.labelled()[0]

    def labelled(self) -> tuple[tuple[Segment, ...], tuple[int | None, ...]]:
        """Return the pieces, and for each the place in the prompt of the message that it belongs to."""
        pieces = self.result.segments
        if self.is_cut:
            pieces = [*_before_cut(pieces)]
            if prefill := self.assembled.settings.prefill:
                pieces.append(Segment(prefill, "content", "prefill", None))
        count = len(self.assembled.messages)
        # the open turn of the user stands behind the last message and is none of them
        turns = tuple(place if (place := piece.message_index) is None or place < count else None for piece in pieces)
        places = self.assembled.given
        if places is None:
            return tuple(pieces), turns
        given = tuple(
            piece if piece.message_index is None else piece._replace(message_index=_at(places, piece.message_index))
            for piece in pieces
        )
        return given, turns

    def media(self) -> tuple[dict[str, Any], ...]:
        """Return the images, videos and sounds in the order of their places in the text."""
        return tuple(one | {"path": self._path(one["path"])} for one in self.result.media)

    def findings(self) -> list[Finding]:
        """Return what the render noticed."""
        found: list[Finding] = self.result.findings
        if self.assembled.given is None or not found:
            return found
        return [replace(one, path=self._path(one.path)) for one in found]

    def _path(self, path: str) -> str:
        match = _INDEX.match(path)
        if match is None:
            return path
        position = int(match[1])
        places, messages = self.assembled.places, self.assembled.messages
        if position >= len(messages):
            return path
        place = places[position]
        return (f"messages[{place}]" if place is not None else messages[position].origin) + path[match.end() :]


def text_of(assembled: Assembled, form: CompiledFormat, ports: Ports) -> Text:
    """Return the text of `assembled` in `form`. Raises RenderRefused and TemplateError."""
    settings, messages = assembled.settings, assembled.messages
    if form.format.names == "prefix" and assembled.is_templated:
        messages = tuple(message.replace(name=None) if message.name else message for message in messages)
    elif form.format.names == "prefix" and (assembled.user or assembled.speaker):
        messages = tuple(_named(message, assembled) for message in messages)
    is_open = assembled.is_impersonated and settings.add_generation_prompt and not settings.continue_final_message
    if is_open:
        name = None if assembled.is_templated else assembled.user or None
        messages = (*messages, Message("user", assembled.open_text + CUT, name=name))
    result = form.render(
        messages,
        tools=settings.tools,
        skills=settings.skills,
        add_generation_prompt=settings.add_generation_prompt and not is_open,
        continue_final_message=settings.continue_final_message,
        prefill="" if is_open else settings.prefill,
        options=_options(settings, form, ports),
    )
    text = result.text
    if is_open:
        text = text[: text.index(CUT)] + settings.prefill if CUT in text else text + settings.prefill
    return Text(text, tuple(result.stop_strings), result, assembled, is_open)


def _named(message: Message, assembled: Assembled) -> Message:
    """Return a turn of the chat with the name of who speaks in it, for formats that write names before the text."""
    if message.name or message.origin not in ("history", "input"):
        return message
    name = {"user": assembled.user, "assistant": assembled.speaker}.get(message.role, "")
    return message.replace(name=name) if name else message


def _before_cut(pieces: list[Segment]) -> Iterator[Segment]:
    yield from takewhile(lambda piece: CUT not in piece.text, pieces)
    cut = next((piece for piece in pieces if CUT in piece.text), None)
    if cut is not None and (head := cut.text[: cut.text.index(CUT)]):
        yield cut._replace(text=head)


def _at(places: tuple[int | None, ...], position: int) -> int | None:
    return places[position] if position < len(places) else None


def _options(settings: RenderSettings, form: CompiledFormat, ports: Ports) -> dict[str, Any]:
    """Return only what differs from the default: without options a format takes its fast path."""
    options: dict[str, Any] = {}
    if settings.bos != "keep":
        options["bos"] = settings.bos
    if settings.special_token_policy != "keep":  # noqa: S105 - a policy, no password
        options["specialTokenPolicy"] = settings.special_token_policy
    if settings.thinking is not None:
        options["thinking"] = settings.thinking
    if settings.strict:
        options["strict"] = True
    if settings.speaker is not None and form.format.names == "prefix":
        options["speaker"] = settings.speaker
    if settings.filler_user is not None:
        options["fillerUser"] = settings.filler_user
    if form.format.processors or form.format.chat_template is not None:
        options["now"] = ports.clock.now()
    return options
