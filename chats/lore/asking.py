"""Why one entry is in or out, asked by a person: for one that nothing called, how near its keys came."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from chats.lore.compiled import CompiledBook, CompiledEntry
from chats.lore.folding import ScanText, composed, fold, is_boundary
from chats.lore.keys import Key, parse_key
from chats.lore.outcome import Activation, Code, Reason
from chats.lore.patterns import Work
from chats.lore.settings import SCAN_DEPTH

LONGEST_WORD: Final = 60
"""Characters of the word in which a key stands that a reason quotes."""


def why(
    activation: Activation, book: CompiledBook, uid: str, texts: Sequence[str], *, scan_depth: int = SCAN_DEPTH
) -> Reason:
    """Return why the entry `uid` of `book` is in or out; `texts` are the messages that were searched, oldest first.

    Where no key matched, the figures of NOT_MATCHED say how near one came: `near` is `inside` (only in the middle of
    `word`) or `case`; a key further up than the entry looks is BEYOND_DEPTH. `depth` counts messages from the end.
    """
    reason = activation.explain(book, uid)
    compiled = book.entry(uid)
    if reason.code is not Code.NOT_MATCHED or compiled is None:
        return reason
    limit = scan_depth if compiled.scan_depth is None else compiled.scan_depth
    newest_first = list(reversed(texts))
    return _nearly(book, compiled, newest_first[:limit]) or _older(book, compiled, newest_first, limit) or reason


def _nearly(book: CompiledBook, compiled: CompiledEntry, texts: Sequence[str]) -> Reason | None:
    """Return which key is there in other letters, or inside a word, as near to the end as there is one."""
    keys = list(_keys(book, compiled))
    for depth, text in enumerate(texts):
        scanned = ScanText(text)
        for typed, key in keys:
            folded = fold(key.text)
            if not folded or folded not in scanned.folded:
                continue
            figures = {"key": typed, "depth": depth}
            if key.is_sensitive and composed(key.text) not in scanned.exact:
                return Reason(Code.NOT_MATCHED, {"near": "case", **figures})
            if key.is_whole:
                return Reason(Code.NOT_MATCHED, {"near": "inside", **figures, "word": _word(scanned.folded, folded)})
    return None


def _older(book: CompiledBook, compiled: CompiledEntry, texts: Sequence[str], limit: int) -> Reason | None:
    """Return the newest message with a key beyond those that the entry looks at."""
    for depth in range(limit, len(texts)):
        found = book.scan(ScanText(texts[depth]), Work())
        for number, typed in zip(compiled.primary, compiled.typed, strict=True):
            if number in found:
                return Reason(Code.BEYOND_DEPTH, {"key": typed, "depth": depth, "scanDepth": limit})
    return None


def _keys(book: CompiledBook, compiled: CompiledEntry) -> Iterator[tuple[str, Key]]:
    """Yield the plain keys as typed and as searched; a pattern has no near miss that could be told."""
    entry, settings = compiled.entry, book.settings
    for typed in compiled.typed:
        key = parse_key(
            typed,
            sensitive=settings.case_sensitive if entry.case_sensitive is None else entry.case_sensitive,
            whole=settings.whole_words if entry.whole_words is None else entry.whole_words,
            regex=settings.use_regex if entry.use_regex is None else entry.use_regex,
        )
        if key is not None and key.pattern is None:
            yield typed, key


def _word(text: str, key: str) -> str:
    """Return the word of `text` in which `key` stands first."""
    start = text.index(key)
    end = start + len(key)
    while not is_boundary(text, start):
        start -= 1
    while not is_boundary(text, end):
        end += 1
    return text[start:end][:LONGEST_WORD]
