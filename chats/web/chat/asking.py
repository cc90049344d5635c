"""Why is this not in my prompt: entries, messages and blocks that fit what was typed, each with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from django.utils.translation import gettext as _

from chats.lore import Code, CompiledBook, EntryRef, why
from chats.lore.compiled import CompiledEntry
from chats.lore.outcome import uncalled
from chats.pipeline.sources import Sources
from chats.pipeline.trace import Change
from chats.web.chat.prompt import Links, ShownPrompt, excerpt, is_chosen

MOST: Final = 30


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that was asked for: what it is, whether it is in the prompt, and why. `part` is its part, if it is."""

    title: str
    where: str
    text: str
    is_in: bool
    why: list[str]
    href: str
    part: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, what fits it, and how many entries there are to ask about."""

    text: str
    found: list[Told]
    has_more: bool
    entries: int


def ask(shown: ShownPrompt, text: str, links: Links) -> Question:
    """Return why what fits `text` is in the prompt or not; the nearest names first, lore before the rest."""
    sources = shown.answer.rendered.sources
    entries = sum(len(book.entries) for book in sources.books) if sources is not None else 0
    words = text.casefold().split()
    if not words or sources is None:
        return Question(text, [], has_more=False, entries=entries)
    asking = _Asking(shown, sources, links)
    found = list(islice(asking.all(words), MOST + 1))
    return Question(text, found[:MOST], len(found) > MOST, entries)


class _Asking:
    def __init__(self, shown: ShownPrompt, sources: Sources, links: Links) -> None:
        self._shown, self._sources, self._links = shown, sources, links
        self._texts = [message.plain for message in sources.history if not message.excluded]
        self._parts: dict[EntryRef, int] = {}
        self._messages: dict[int, int] = {}
        for number, part in enumerate(shown.all_parts):
            for entry in part.why.get("entries") or ():
                self._parts[EntryRef(str(entry["book"]), str(entry["uid"]))] = number
            if part.message is not None:
                self._messages[part.message] = number
        self._decided = {
            EntryRef(str((change.data or {}).get("book")), change.id or ""): change
            for record in shown.answer.rendered.trace
            for change in record.changes
            if is_chosen(change)
        }
        self._gone = [
            change
            for record in shown.answer.rendered.trace
            if record.stage != "lore"
            for change in record.changes
            if change.kind == "dropped"
        ]

    def all(self, words: list[str]) -> Iterator[Told]:
        for by_name in (True, False):
            for book in self._sources.books:
                for compiled in book.entries:
                    name = f"{compiled.entry.name or ''} {compiled.ref.uid}".casefold()
                    is_named = all(word in name for word in words)
                    if is_named if by_name else not is_named and _has(compiled, words):
                        yield self._entry(book, compiled)
        yield from self._history(words)
        yield from self._blocks(words)

    def _entry(self, book: CompiledBook, compiled: CompiledEntry) -> Told:
        entry, ref = compiled.entry, compiled.ref
        number = self._parts.get(ref)
        activation = self._sources.lore
        told: list[str] = []
        is_in = number is not None
        decided = self._decided.get(ref)
        if decided is not None:
            told.append(self._shown.reasons.infill(decided.reason, decided.data or {}))
            is_in = decided.kind == "added"
        elif activation is not None:
            reason = why(activation, book, ref.uid, self._texts)
            told.append(self._shown.reasons.lore(reason.code.value, reason.params))
            if number is None and any(hit.ref == ref for hit in activation.activated):
                told.append(self._after(ref, entry.content))
        else:
            reason = uncalled(compiled)
            is_off = reason.code is Code.DISABLED
            told.append(self._shown.reasons.lore(reason.code.value, {}) if is_off else _("It was no candidate."))
        title = _("lore “%(name)s”") % {"name": entry.name or ref.uid}
        href = self._links.entry(book.id, ref.uid)
        return Told(title, book.id, excerpt(entry.content), is_in, told, href, number)

    def _after(self, ref: EntryRef, text: str) -> str:
        """Return what became of an entry that was called and is in no message."""
        gone = next((one for one in self._gone if _is_of(one, ref)), None)
        if gone is not None:
            return self._shown.reasons.left(gone.reason, gone.data or {})
        if not text.strip():
            return _("It has no text.")
        return _("Nothing of the prompt has a place for it.")

    def _history(self, words: list[str]) -> Iterator[Told]:
        reasons = {change.message: change for change in self._gone if change.message is not None}
        for at, message in enumerate(self._sources.history):
            if not all(word in message.plain.casefold() for word in words):
                continue
            gone = reasons.get(at)
            text = self._shown.reasons.left(gone.reason, gone.data or {}) if gone else _("It is in the prompt.")
            title = self._shown.reasons.origin(message.origin, at)
            number = self._messages.get(at)
            href = self._links.message(message.id)
            yield Told(title, message.role, excerpt(message.plain), number is not None, [text], href, number)

    def _blocks(self, words: list[str]) -> Iterator[Told]:
        for change in self._gone:
            title = self._shown.reasons.origin(change.origin, change.message, change.data)
            if change.message is None and all(word in f"{title} {change.origin}".casefold() for word in words):
                why_not = self._shown.reasons.left(change.reason, change.data or {})
                yield Told(title, "", "", False, [why_not], "")


def _has(compiled: CompiledEntry, words: list[str]) -> bool:
    entry = compiled.entry
    text = "\n".join((entry.name or "", compiled.ref.uid, *entry.keys, *entry.secondary_keys, entry.content)).casefold()
    return all(word in text for word in words)


def _is_of(change: Change, ref: EntryRef) -> bool:
    """Return whether a change is about the message that an entry is in, alone or with others of its depth."""
    uids = change.origin.removeprefix("lore:")
    return change.origin.startswith("lore:") and (uids == ref.uid or ref.uid in uids.split(","))
