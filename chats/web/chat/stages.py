"""The trace in words: for each stage what came, what changed, what left, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from chats.lore import EntryRef
from chats.pipeline.sources import Rendered
from chats.pipeline.trace import Change, StageRecord
from chats.web.chat.prompt import Links, excerpt, is_chosen
from chats.web.chat.reasons import Reasons
from formats.prompt.message import Message

MOST_ROWS: Final = 100
TITLES: Final = {
    "userInput": lazy("Input"),
    "macros": lazy("Macros"),
    "lore": lazy("Lore"),
    "memory": lazy("Memory"),
    "assemble": lazy("Blocks"),
    "template": lazy("Context template"),
    "shift": lazy("Shift"),
    "interceptors": lazy("Interceptors"),
    "fit": lazy("Fit and render"),
}
SAYS: Final = {
    "userInput": lazy("What is being written becomes the last message."),
    "macros": lazy("Every text is expanded once."),
    "lore": lazy("Entries are called by what the messages say."),
    "memory": lazy("Memories are ranked by what the newest messages speak of."),
    "assemble": lazy("Blocks and history are put in order."),
    "template": lazy("Lore and history are chosen by what is said now, and the template prints them."),
    "shift": lazy("What is too long leaves before interceptors see it."),
    "interceptors": lazy("They may change the assembled prompt."),
    "fit": lazy("The text is made and counted, and what is too much leaves."),
}
TELLING: Final = (
    "budget", "group", "probability", "secondary", "beyondDepth", "cooldown", "delay", "character", "trigger",
    "recursionOnly", "recursionExcluded", "recursionLimit", "duplicateBook", "noKeys", "disabled", "notMatched",
)  # fmt: skip
"""Reasons of entries that are out: those that came nearest first."""


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One thing that a stage did. `kind` is added, changed or dropped."""

    kind: str
    title: str
    text: str
    why: str
    tokens: int | None
    href: str


@dataclass(frozen=True, slots=True)
class StageShown:
    """One stage: counts, the prompt's size after it, its time, and what it did."""

    id: str
    title: str
    says: str
    added: int
    changed: int
    dropped: int
    tokens: int | None
    milliseconds: float
    note: str
    rows: list[ChangeRow]
    more: int

    @property
    def is_idle(self) -> bool:
        """Whether it did nothing."""
        return not (self.added or self.changed or self.dropped)


def stages_of(rendered: Rendered, reasons: Reasons, links: Links) -> list[StageShown]:
    """Return the stages in order."""
    made = _Stages(rendered, reasons, links)
    return [made.stage(record) for record in rendered.trace]


class _Stages:
    def __init__(self, rendered: Rendered, reasons: Reasons, links: Links) -> None:
        self._reasons, self._links = reasons, links
        sources = rendered.sources
        self._history: tuple[Message, ...] = sources.history if sources is not None else ()
        self._books = {book.id: book for book in sources.books} if sources is not None else {}
        self._hits = {hit.ref: hit for hit in sources.lore.activated} if sources is not None and sources.lore else {}
        self._made = {id(one.meta): one for one in rendered.assembled.messages if one.meta is not None}
        self._is_templated = rendered.assembled.is_templated

    def stage(self, record: StageRecord) -> StageShown:
        name = "template" if record.stage == "assemble" and self._is_templated else record.stage
        kinds = [change.kind for change in record.changes]
        changes = sorted(record.changes, key=_telling) if record.stage == "lore" else list(record.changes)
        rows = [self._row(record.stage, change) for change in changes[:MOST_ROWS]]
        return StageShown(
            record.stage,
            str(TITLES.get(name, record.stage)),
            str(SAYS.get(name, "")),
            kinds.count("added"),
            kinds.count("changed"),
            self._dropped(record),
            record.tokens,
            record.ms,
            self._note(record),
            rows,
            len(changes) - len(rows),
        )

    def _dropped(self, record: StageRecord) -> int:
        """Return how many are out; of lore those that something called."""
        gone = [change for change in record.changes if change.kind == "dropped"]
        if record.stage != "lore":
            return len(gone)
        return sum(change.reason not in ("notMatched", "disabled", "noKeys") for change in gone)

    def _note(self, record: StageRecord) -> str:
        if record.stage == "userInput":
            n = len(self._history)
            return ngettext("%(n)d message", "%(n)d messages", n) % {"n": n}
        if record.stage == "lore" and self._books:
            n = sum(len(book.entries) for book in self._books.values())
            return ngettext("of %(n)d entry", "of %(n)d entries", n) % {"n": n}
        return ""

    def _row(self, stage: str, change: Change) -> ChangeRow:
        figures: dict[str, Any] = dict(change.data or {})
        if is_chosen(change):
            return self._chosen(change, figures)
        if stage == "lore" and change.kind != "changed":
            return self._lore(change, figures)
        message = self._message(change)
        text = excerpt(message.plain) if message is not None else ""
        tokens = figures.get("tokens")
        if stage == "memory":
            why = self._reasons.memory(change.reason, figures)
        elif change.kind == "dropped":
            why = self._reasons.left(change.reason, figures)
        elif change.kind == "changed":
            why = self._reasons.changed({"stage": stage, "engine": change.reason, **figures})
        else:
            why = self._came(stage, change, figures)
        title = self._reasons.origin(change.origin, change.message, figures | self._named(change))
        href = self._links.message(change.id) if change.message is not None else ""
        return ChangeRow(change.kind, title, text, why, tokens, href)

    def _named(self, change: Change) -> dict[str, Any]:
        """Return the names of the entries that a message of lore holds."""
        if not change.origin.startswith("lore:"):
            return {}
        figures = change.data or {}
        refs = figures.get("entries") or [(figures.get("book", ""), change.id or "")]
        hits = [self._hits[ref] for one in refs if (ref := EntryRef(*one)) in self._hits]
        return {"entries": [{"uid": hit.ref.uid, "name": hit.compiled.entry.name} for hit in hits]}

    def _chosen(self, change: Change, figures: dict[str, Any]) -> ChangeRow:
        """Return the row of a lore entry that a context template's engine decided on."""
        book, uid = str(figures.get("book", "")), change.id or ""
        compiled = self._books[book].entry(uid) if book in self._books else None
        text = excerpt(compiled.entry.content) if compiled is not None else ""
        title = self._reasons.origin(change.origin, None, figures)
        why = self._reasons.infill(change.reason, figures)
        return ChangeRow(change.kind, title, text, why, figures.get("tokens"), self._links.entry(book, uid))

    def _came(self, stage: str, change: Change, figures: dict[str, Any]) -> str:
        if stage == "userInput":
            return _("It is not in the chat yet: you are writing it.")
        if change.reason == "summarize":
            return _("A summary of what left stands in its place.")
        return self._reasons.whence(change.origin, figures)

    def _message(self, change: Change) -> Message | None:
        at = change.message
        if at is not None:
            return self._history[at] if at < len(self._history) else None
        return self._made.get(id(change.data))

    def _lore(self, change: Change, figures: dict[str, Any]) -> ChangeRow:
        book = str(figures.get("book", ""))
        title = self._reasons.origin(change.origin, None, figures)
        why = self._reasons.lore(change.reason, figures)
        hit = self._hits.get(EntryRef(book, change.id or ""))
        if change.kind == "added" and hit is not None:
            why = f"{why} {self._reasons.matched(figures)}"
            return ChangeRow(
                "added", title, excerpt(hit.text), why, hit.tokens, self._links.entry(book, change.id or "")
            )
        compiled = self._books[book].entry(change.id or "") if book in self._books else None
        text = excerpt(compiled.entry.content) if compiled is not None else ""
        return ChangeRow("dropped", title, text, why, figures.get("tokens"), self._links.entry(book, change.id or ""))


def _telling(change: Change) -> tuple[bool, int]:
    return change.kind != "added", TELLING.index(change.reason) if change.reason in TELLING else -1
