"""What an activation answers: which entries are in, which are not, and why, as codes and figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from chats.lore.compiled import CompiledBook, CompiledEntry, EntryRef
from formats.prompt.findings import Finding


class Code(StrEnum):
    """Why an entry is in (the first seven) or out."""

    KEY = "key"
    PLACE = "place"
    RECURSION = "recursion"
    CONSTANT = "constant"
    PINNED = "pinned"
    STICKY = "sticky"
    RANKED = "ranked"

    DISABLED = "disabled"
    NO_KEYS = "noKeys"
    NOT_MATCHED = "notMatched"
    BEYOND_DEPTH = "beyondDepth"
    SECONDARY = "secondary"
    TRIGGER = "trigger"
    CHARACTER = "character"
    DELAY = "delay"
    COOLDOWN = "cooldown"
    RECURSION_ONLY = "recursionOnly"
    RECURSION_EXCLUDED = "recursionExcluded"
    RECURSION_LIMIT = "recursionLimit"
    GROUP = "group"
    PROBABILITY = "probability"
    BUDGET = "budget"
    DUPLICATE_BOOK = "duplicateBook"
    UNKNOWN = "unknown"


class Reason(NamedTuple):
    """A code and the figures behind it; docs/lorebooks.md says which each code has."""

    code: Code
    params: Mapping[str, Any] = MappingProxyType({})

    def wire(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"code": self.code.value, "params": dict(self.params)}


class Hit(NamedTuple):
    """An entry that is in. `keys` and `secondary` are the keys that matched, as typed; `depth` is how many messages
    from the end; `by` is whose text called it; `tokens` is known where there is a budget."""

    compiled: CompiledEntry
    text: str
    reason: Reason
    keys: tuple[str, ...] = ()
    secondary: tuple[str, ...] = ()
    depth: int | None = None
    by: EntryRef | None = None
    score: int = 0
    step: int = 0
    tokens: int | None = None

    @property
    def ref(self) -> EntryRef:
        """Which entry."""
        return self.compiled.ref

    @property
    def is_required(self) -> bool:
        """Whether the later stages must keep it."""
        return self.compiled.is_required

    @property
    def relevance(self) -> float:
        """The share of its keys that matched; 1 for what needs none."""
        return len(self.keys) / len(self.compiled.typed) if self.keys else 1.0


class Rejected(NamedTuple):
    """An entry that was a candidate and is out."""

    ref: EntryRef
    reason: Reason


class StateChange(NamedTuple):
    """What the chat should remember if this prompt is sent; None: forget the entry. Nothing is written here."""

    ref: EntryRef
    sticky_until: int | None
    cooldown_until: int | None


@dataclass(frozen=True, slots=True)
class Activation:
    """The answer. `activated` is in prompt order: lower `order` first, then book, then place in the book."""

    activated: tuple[Hit, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    changes: tuple[StateChange, ...] = ()
    findings: tuple[Finding, ...] = ()
    tokens: int | None = None
    budget: int | None = None
    steps: int = 0

    def explain(self, book: CompiledBook, uid: str) -> Reason:
        """Return why the entry `uid` of `book` is in or out, those that never were candidates too."""
        ref = EntryRef(book.id, uid)
        known = {rejected.ref: rejected.reason for rejected in self.rejected}
        known |= {hit.ref: hit.reason for hit in self.activated}
        reason = known.get(ref) or known.get(EntryRef(book.id, "*"))
        if reason is not None:
            return reason
        compiled = book.entry(uid)
        return Reason(Code.UNKNOWN) if compiled is None else uncalled(compiled)


def uncalled(compiled: CompiledEntry) -> Reason:
    """Return why an entry is out that never was a candidate."""
    if not compiled.entry.enabled:
        return Reason(Code.DISABLED)
    return Reason(Code.NOT_MATCHED if compiled.typed else Code.NO_KEYS)
