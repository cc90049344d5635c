"""Lore made ready for scoring: its keys and names in one automaton, its words as postings. Made once for each book."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from chats.infill.types import Candidate
from chats.infill.words import words_of
from chats.lore.folding import ScanText, fold
from chats.lore.keys import Key, parse_key
from chats.lore.patterns import PatternError, Patterns, Work, check_pattern
from chats.lore.plain import PlainKeys
from formats.prompt.findings import Finding

BAD_PATTERN: Final = "LORE_PATTERN"
CACHED: Final = 16
Entry = tuple[str, str, tuple[str, ...], bool, bool, bool, str]
"""Kind, name, keys, the three switches of the keys, and the content of a history entry: all that an index reads."""


@dataclass(frozen=True, slots=True)
class LoreIndex:
    """`keys_of[n]` are the key numbers of entry n, `name_of[n]` that of its name; `by_key[k]` are the entries with the
    key or name k; `postings` has for each word the entries with it and how often; `texts[n]` is name and keys of n
    without case."""

    keys_of: tuple[tuple[int, ...], ...]
    name_of: tuple[int | None, ...]
    by_key: tuple[tuple[int, ...], ...]
    postings: Mapping[str, tuple[tuple[int, int], ...]]
    texts: tuple[str, ...]
    findings: tuple[Finding, ...]
    _folded: PlainKeys
    _exact: PlainKeys
    _patterns: Patterns

    def scan(self, text: str, work: Work) -> set[int]:
        """Return the numbers of the keys and names that occur in `text`."""
        scanned = ScanText(text)
        found: set[int] = set()
        if self._folded:
            self._folded.scan(scanned.folded, found)
        if self._exact:
            self._exact.scan(scanned.exact, found)
        if self._patterns and not work.is_spent:
            self._patterns.scan(scanned.encoded, found, work)
        return found


def index_of(candidates: Iterable[Candidate]) -> LoreIndex:
    """Return the index of lore; that of equal lore is used again."""
    return _made(tuple((one[1], *one[3:8], one[2] if one[1] == "history" else "") for one in candidates))


@lru_cache(maxsize=CACHED)
def _made(entries: tuple[Entry, ...]) -> LoreIndex:
    numbers = _Numbers()
    keys_of = tuple(numbers.keys(entry, at) for at, entry in enumerate(entries))
    name_of = tuple(
        numbers.number(Key(fold(entry[1]), is_whole=True)) if entry[1].strip() else None for entry in entries
    )
    return LoreIndex(
        keys_of=keys_of,
        name_of=name_of,
        by_key=_by_key(keys_of, name_of, len(numbers.known)),
        postings=_postings(entries),
        texts=tuple(fold(" ".join((entry[1], *entry[2]))) for entry in entries),
        findings=tuple(numbers.findings),
        _folded=PlainKeys(numbers.plain(sensitive=False)),
        _exact=PlainKeys(numbers.plain(sensitive=True)),
        _patterns=Patterns([(number, key.pattern) for key, number in numbers.known.items() if key.pattern is not None]),
    )


class _Numbers:
    """Gives each different key a number; a pattern that can not be compiled is a finding, and matches nothing."""

    def __init__(self) -> None:
        self.known: dict[Key, int] = {}
        self.findings: list[Finding] = []
        self._bad: set[Key] = set()

    def number(self, key: Key) -> int:
        return self.known.setdefault(key, len(self.known))

    def keys(self, entry: Entry, at: int) -> tuple[int, ...]:
        """Return the numbers of an entry's keys: blank ones mean nothing, and one that is listed twice counts twice."""
        _, name, typed, regex, sensitive, whole, _ = entry
        parsed = (parse_key(one, sensitive=sensitive, whole=whole, regex=regex) for one in typed)
        return tuple(self.number(key) for key in parsed if key is not None and self._is_good(key, name, at))

    def _is_good(self, key: Key, name: str, at: int) -> bool:
        if key.pattern is None or key in self.known:
            return True
        if key not in self._bad:
            try:
                check_pattern(key.pattern)
            except PatternError as error:
                self._bad.add(key)
                text = f"{name or f'entry {at + 1}'}: the key {key.text[:80]!r} can not be searched: {error}"
                self.findings.append(Finding("warning", BAD_PATTERN, text, "lorebooks"))
        return key not in self._bad

    def plain(self, *, sensitive: bool) -> dict[str, tuple[int | None, int | None]]:
        """Return the plain keys in the form that PlainKeys takes."""
        slots: dict[str, list[Any]] = {}
        for key, number in self.known.items():
            if key.pattern is None and key.is_sensitive is sensitive:
                slots.setdefault(key.text, [None, None])[key.is_whole] = number
        return {text: (anywhere, whole) for text, (anywhere, whole) in slots.items()}


def _by_key(keys_of: Sequence[Sequence[int]], name_of: Sequence[int | None], count: int) -> tuple[tuple[int, ...], ...]:
    found: list[list[int]] = [[] for _ in range(count)]
    for at, (numbers, name) in enumerate(zip(keys_of, name_of, strict=True)):
        for number in {*numbers, name} - {None}:
            found[number].append(at)  # type: ignore[index]  # None was taken out
    return tuple(map(tuple, found))


def _postings(entries: Sequence[Entry]) -> Mapping[str, tuple[tuple[int, int], ...]]:
    """Return word → (entry, how often): words of keys and name, of a history entry's keys and content."""
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for at, (kind, name, keys, *_, content) in enumerate(entries):
        text = " ".join((*keys, content if kind == "history" else name))
        for word, times in Counter(words_of.__wrapped__(text)).items():
            found[word].append((at, times))
    return {word: tuple(places) for word, places in found.items()}
