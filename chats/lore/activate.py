"""Activation: which lore a prompt gets. Nothing here changes what it is given, and nothing is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from chats.lore.compiled import CompiledBook, EntryRef
from chats.lore.deciding import decide
from chats.lore.folding import ScanText
from chats.lore.groups import losers
from chats.lore.matching import scans_of
from chats.lore.outcome import Activation, Code, Hit, Reason, Rejected, StateChange
from chats.lore.patterns import MAX_WORK, Work
from chats.lore.settings import LoreSettings, LoreState, Rolls
from chats.lore.spending import Purse
from chats.lore.timing import remembered
from formats.prompt.findings import Finding

PATTERN_WORK: Final = "LORE_PATTERN_WORK"
Candidate = tuple[int, int]
"""The place of a book among the books, and of an entry in it."""


def activate(
    books: Sequence[CompiledBook],
    texts: Sequence[str],
    settings: LoreSettings,
    rolls: Rolls,
    *,
    state: LoreState | None = None,
    count: Callable[[str], int] | None = None,
    expand: Callable[[str], str] | None = None,
) -> Activation:
    """Return which entries of `books` the messages `texts` (oldest first) call.

    `state` is what a stored chat remembers: without it nothing is sticky, cooling down or delayed. `count` gives the
    tokens of a text; without it no budget holds. `expand` is what macros make of an entry's text. Each message is
    searched by itself, so a key never begins in one and ends in the next.
    """
    return _Run(books, texts, settings, rolls, state=state, count=count, expand=expand).result()


class _Run:
    """One activation while it goes on."""

    def __init__(
        self,
        books: Sequence[CompiledBook],
        texts: Sequence[str],
        settings: LoreSettings,
        rolls: Rolls,
        *,
        state: LoreState | None,
        count: Callable[[str], int] | None,
        expand: Callable[[str], str] | None,
    ) -> None:
        self._rejected: dict[EntryRef, Reason] = {}
        self._scans = scans_of(self._different(books), settings)
        self._texts, self._settings, self._rolls, self._state, self._expand = texts, settings, rolls, state, expand
        self._purse, self._work = Purse(settings, count), Work()
        self._at = {scan.book.id: at for at, scan in enumerate(self._scans)}
        self._depth = settings.scan_depth
        self._scanned: dict[int, ScanText] = {}
        self._level = self._step = 0
        self._settled: set[Candidate] = set()
        self._waiting: dict[Candidate, int] = {}
        self._hits: list[Hit] = []

    def _different(self, books: Sequence[CompiledBook]) -> list[CompiledBook]:
        """Return the books without those that are given twice, under one name or two."""
        ids: dict[str, CompiledBook] = {}
        digests: dict[str, str] = {}
        for book in books:
            if book.id in ids or book.digest in digests:
                of = book.id if book.id in ids else digests[book.digest]
                self._rejected[EntryRef(book.id, "*")] = Reason(Code.DUPLICATE_BOOK, {"book": book.id, "of": of})
            else:
                ids[book.id] = book
                digests[book.digest] = book.id
        return list(ids.values())

    def result(self) -> Activation:
        """Run to the end."""
        candidates = self._first()
        while True:
            fresh = self._settle(self._matched(candidates))
            candidates = self._recursion(fresh) or self._deeper()
            if not candidates:
                return self._answer()

    # candidates

    def _first(self) -> set[Candidate]:
        """Return what stands without keys, what a stored chat keeps in, and what the texts call."""
        found = {(at, index) for at, scan in enumerate(self._scans) for index in scan.book.standing}
        if self._state is not None and self._state.entries:
            found.update(self._remembered())
        found |= self._messages()
        for name, text in self._settings.places.items():
            scanned = ScanText(text)
            for at, scan in enumerate(self._scans):
                found.update((at, index) for index in scan.place(name, scanned, self._work))
        return found

    def _remembered(self) -> Iterable[Candidate]:
        """Return the entries that the chat remembers, as far as they are still there."""
        for ref in self._state.entries if self._state else ():
            at = self._at.get(ref.book)
            compiled = None if at is None else self._scans[at].book.entry(ref.uid)
            if at is not None and compiled is not None and compiled.entry.enabled:
                yield at, compiled.index

    def _messages(self) -> set[Candidate]:
        """Read messages from the newest on, for each book as many as it looks at, and none twice."""
        found: set[Candidate] = set()
        for at, scan in enumerate(self._scans):
            limit = max(scan.book.deepest, self._depth if scan.book.has_default else 0)
            while scan.read < min(limit, len(self._texts)):
                found.update((at, index) for index in scan.message(self._message(scan.read), self._work))
        return found

    def _message(self, depth: int) -> ScanText:
        """Return the message `depth` from the end, made ready once for all books."""
        if depth not in self._scanned:
            self._scanned[depth] = ScanText(self._texts[-1 - depth])
        return self._scanned[depth]

    def _recursion(self, fresh: list[Hit]) -> set[Candidate]:
        """Return what the texts of `fresh` call, or what waited for recursion; nothing once there were enough steps."""
        candidates = (self._called(fresh) | self._released()) or self._next_level()
        if not candidates:
            return candidates
        limit = self._settings.max_recursion_steps
        if limit is not None and self._step >= limit:
            self._stop(candidates, limit)
            return set()
        self._step += 1
        return candidates

    def _called(self, fresh: list[Hit]) -> set[Candidate]:
        """Return the entries that the texts of `fresh` call, in books with recursion."""
        found: set[Candidate] = set()
        books = {scan.book.id for scan in self._scans if scan.is_recursive}
        if not books:
            return found
        for hit in fresh:
            if hit.compiled.entry.prevent_recursion or hit.ref.book not in books or not hit.text:
                continue
            text = ScanText(hit.text)
            for at, scan in enumerate(self._scans):
                if scan.is_recursive:
                    found.update((at, index) for index in scan.content(text, hit.ref, self._work))
        return found - self._settled

    def _released(self) -> set[Candidate]:
        """Return what waited for a level that is reached."""
        ready = {candidate for candidate, level in self._waiting.items() if level <= self._level}
        for candidate in ready:
            del self._waiting[candidate]
        return ready

    def _next_level(self) -> set[Candidate]:
        """Go on to the next level that something waits for, once recursion finds no more on this one."""
        if not self._waiting:
            return set()
        self._level = min(self._waiting.values())
        return self._released()

    def _deeper(self) -> set[Candidate]:
        """Read one message more, while fewer entries are in than there should be."""
        limit = self._settings.max_scan_depth
        end = len(self._texts) if limit is None else min(limit, len(self._texts))
        while len(self._hits) < self._settings.min_activations and self._depth < end:
            self._depth += 1
            found = self._messages() | self._within_reach()
            if found - self._settled:
                return found - self._settled
        return set()

    def _within_reach(self) -> set[Candidate]:
        """Return entries whose key was read for another entry's sake before, and is near enough now."""
        return {
            (at, index)
            for at, scan in enumerate(self._scans)
            for key, depth in scan.depth_of.items()
            if depth == self._depth - 1
            for index in scan.book.by_key[key]
        }

    # decisions

    def _matched(self, candidates: set[Candidate]) -> list[Hit]:
        """Return those that nothing but group, chance and budget may still keep out."""
        hits: list[Hit] = []
        for candidate in candidates - self._settled:
            at, index = candidate
            scan = self._scans[at]
            compiled = scan.book.entries[index]
            outcome = decide(scan, compiled, self._settings, self._state, depth=self._depth, level=self._level)
            if isinstance(outcome, Reason):
                self._rejected[compiled.ref] = outcome
                if outcome.code is Code.RECURSION_ONLY and scan.is_recursive:
                    self._waiting[candidate] = compiled.entry.delay_until_recursion
            else:
                hits.append(outcome)
        return sorted(hits, key=self._importance)

    def _importance(self, hit: Hit) -> tuple[bool, bool, int, int, int, int]:
        """Sort key: what is required and sticky first, then priority and order, higher first, then place."""
        entry = hit.compiled.entry
        is_sticky = hit.reason.code is Code.STICKY
        place = self._at[hit.ref.book]
        return (not hit.is_required, not is_sticky, -entry.priority, -entry.order, place, hit.compiled.index)

    def _settle(self, hits: list[Hit]) -> list[Hit]:
        """Return what is in after groups, chance and budget; what is out now stays out."""
        self._settled.update((self._at[hit.ref.book], hit.compiled.index) for hit in hits)
        lost = losers(hits, self._hits, self._rolls)
        self._rejected.update((hit.ref, reason) for hit, reason in lost)
        out = {id(hit) for hit, _ in lost}
        fresh: list[Hit] = []
        for hit in hits:
            ready = None if id(hit) in out else self._admitted(hit, self._scans[self._at[hit.ref.book]].book)
            if ready is not None:
                self._rejected.pop(hit.ref, None)
                fresh.append(ready)
        self._hits.extend(fresh)
        return fresh

    def _admitted(self, hit: Hit, book: CompiledBook) -> Hit | None:
        entry = hit.compiled.entry
        if entry.probability < 100 and hit.reason.code not in (Code.PINNED, Code.STICKY):
            roll = self._rolls.roll("probability", *hit.ref)
            if roll * 100 >= entry.probability:
                self._rejected[hit.ref] = Reason(
                    Code.PROBABILITY, {"roll": round(roll * 100, 2), "probability": entry.probability}
                )
                return None
        named = self._settings.named.get(book.id)
        text = named(entry.content) if named is not None else entry.content
        text = self._expand(text) if self._expand and text else text
        tokens, reason = self._purse.pay(book, hit.compiled, text)
        if reason is not None:
            self._rejected[hit.ref] = reason
            return None
        return hit._replace(text=text, tokens=tokens, step=self._step)

    def _stop(self, candidates: set[Candidate], limit: int) -> None:
        waiting = set(self._waiting)
        self._waiting.clear()
        for at, index in candidates | waiting:
            ref = self._scans[at].book.entries[index].ref
            self._rejected[ref] = Reason(Code.RECURSION_LIMIT, {"steps": limit})

    # the answer

    def _answer(self) -> Activation:
        hits = sorted(
            self._hits, key=lambda hit: (hit.compiled.entry.order, self._at[hit.ref.book], hit.compiled.index)
        )
        findings = [finding for scan in self._scans for finding in scan.book.findings]
        if self._work.is_spent:
            text = f"Patterns were searched for only so long: {MAX_WORK} steps are allowed. Some keys were not tried."
            findings.append(Finding("warning", PATTERN_WORK, text))
        return Activation(
            activated=tuple(hits),
            rejected=tuple(Rejected(ref, reason) for ref, reason in self._rejected.items()),
            changes=tuple(self._changes({hit.ref for hit in hits})),
            findings=tuple(findings),
            tokens=self._purse.total if self._purse.limit is not None else None,
            budget=self._purse.limit,
            steps=self._step,
        )

    def _changes(self, active: set[EntryRef]) -> Iterable[StateChange]:
        if self._state is None:
            return
        of = {hit.ref: hit.compiled for hit in self._hits}
        for at, index in self._remembered():
            compiled = self._scans[at].book.entries[index]
            of.setdefault(compiled.ref, compiled)
        for ref, compiled in of.items():
            change = remembered(compiled, self._state, is_active=ref in active)
            if change is not None:
                yield change
