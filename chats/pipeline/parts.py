"""What a prompt consists of, message by message: the tokens of each, and the facts that answer "why is it here"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from chats.lore import EntryRef, Hit
from chats.pipeline.context.placing import TEMPLATE
from chats.pipeline.counting import costs_for
from chats.pipeline.sources import Rendered
from chats.pipeline.stages.lore import figures_of
from formats.prompt.message import Message
from formats.tokens import Tokenizer

FORMAT: Final = "format"
BEGINNING: Final = 40
"""Characters of an entry's text by which it is found in the message that a context template made of many."""


class Part(NamedTuple):
    """One message of the prompt, or what the format adds by itself.

    `place` counts the messages of the prompt, `message` those given; both are None for the format's own text, whose
    `origin` is the field it comes from. `tokens` are those of its text with the markup around it: the prompt's count
    may differ from their sum by a token where two parts meet. `why` are the facts behind it.
    """

    place: int | None
    message: int | None
    id: str | None
    role: str | None
    origin: str
    tokens: int
    why: Mapping[str, Any]

    def wire(self) -> dict[str, Any]:
        """Return the JSON form."""
        shown: dict[str, Any] = {
            "message": self.message,
            "id": self.id,
            "role": self.role,
            "origin": self.origin,
            "tokens": self.tokens,
        }
        if self.why:
            shown["data"] = dict(self.why)
        return shown


def parts_of(rendered: Rendered, counter: Tokenizer) -> list[Part]:
    """Return the parts in the order of the prompt; `rendered` needs its segments where there is a text."""
    facts = _Facts(rendered)
    if rendered.segments is None:
        return list(_of_array(rendered, counter, facts))
    return [
        facts.part(place, counter.count(text)) if place is not None else _own(source, counter.count(text))
        for place, source, text in runs_of(rendered)
    ]


def runs_of(rendered: Rendered) -> Iterator[tuple[int | None, str, str]]:
    """Yield place, field and text of each part: a stretch of one message, or of one field of the format."""
    here: tuple[int | None, str] | None = None
    texts: list[str] = []
    for segment, place in zip(rendered.segments or (), rendered.turns, strict=True):
        key = (place, "" if place is not None else segment.source)
        if here is not None and key != here:
            yield *here, "".join(texts)
            texts = []
        here = key
        texts.append(segment.text)
    if here is not None:
        yield *here, "".join(texts)


def _own(source: str, tokens: int) -> Part:
    return Part(None, None, None, None, source or FORMAT, tokens, {})


def _of_array(rendered: Rendered, counter: Tokenizer, facts: _Facts) -> Iterator[Part]:
    settings = rendered.assembled.settings
    costs = costs_for(None, counter, settings.tools)
    for place, message in enumerate(rendered.assembled.messages):
        if not message.excluded:
            yield facts.part(place, costs.message(message))
    yield _own(FORMAT, costs.fixed)
    if settings.prefill:
        yield _own("prefill", counter.count(settings.prefill))


class _Facts:
    """Finds what the stages said about the messages of one prompt."""

    def __init__(self, rendered: Rendered) -> None:
        self._assembled = rendered.assembled
        lore = rendered.sources.lore if rendered.sources is not None else None
        self._hits: dict[EntryRef, Hit] = {hit.ref: hit for hit in lore.activated} if lore is not None else {}
        self._changed: dict[int, list[dict[str, Any]]] = {}
        self._scores: dict[str, Any] = {}
        self._chosen: list[tuple[str, dict[str, Any]]] = []
        books = {book.id: book for book in rendered.sources.books} if rendered.sources is not None else {}
        for record in rendered.trace:
            for change in record.changes:
                if change.kind == "changed" and change.message is not None:
                    told = {"stage": record.stage, "reason": change.reason, **(change.data or {})}
                    self._changed.setdefault(change.message, []).append(told)
                elif change.kind == "added" and "kind" in (change.data or {}) and change.origin.startswith("lore:"):
                    told = {"uid": change.id, "reason": change.reason, **(change.data or {})}
                    compiled = books[told["book"]].entry(change.id or "") if told.get("book") in books else None
                    self._chosen.append((compiled.entry.content if compiled is not None else "", told))
                elif record.stage == "memory":
                    self._scores[change.origin] = {"rank": change.reason, **(change.data or {})}

    def part(self, place: int, tokens: int) -> Part:
        """Return the part of the message at `place`."""
        message = self._assembled.messages[place]
        given = self._assembled.place(place)
        return Part(place, given, message.id, message.role, message.origin, tokens, self._why(message, given))

    def _why(self, message: Message, given: int | None) -> dict[str, Any]:
        why: dict[str, Any] = dict(message.meta or {})
        if message.pinned:
            why["pinned"] = True
        if given is not None and given in self._changed:
            why["changed"] = self._changed[given]
        why |= self._scores.get(message.origin, {})
        if message.origin == TEMPLATE and self._chosen:
            why["entries"] = [told for text, told in self._chosen if _holds(message.plain, text)]
        if message.origin.startswith("lore:"):
            why["entries"] = [
                {"uid": ref.uid, "reason": hit.reason.code.value, **figures_of(hit)}
                for ref in self._refs(message)
                if (hit := self._hits.get(ref)) is not None
            ]
        return why

    def _refs(self, message: Message) -> list[EntryRef]:
        meta = message.meta or {}
        listed = meta.get("entries") or [[meta.get("book", ""), message.id or ""]]
        return [EntryRef(*one) for one in listed]


def _holds(text: str, entry: str) -> bool:
    """Return whether `text` has the beginning of an entry's, as far as no macro begins and no new line ends it."""
    begins = entry[:BEGINNING].partition("{{")[0].partition("\n")[0].strip()
    return bool(begins) and begins in text
