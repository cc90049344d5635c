"""What a key means: a plain text to look for, or a regular expression."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from chats.lore.folding import composed, fold

_SLASHED: Final = re.compile(r"/((?:[^/\\]|\\.)+)/([a-z]*)", re.DOTALL)
_FLAGS: Final = frozenset("dgimsuvy")
"""Flags of JavaScript, where keys in slashes come from; i, m and s have a meaning here, the others change nothing."""

_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|(.))|\[\^\]", re.DOTALL)


class Key(NamedTuple):
    """A key as it is searched: `text` is folded unless `is_sensitive`; `pattern` is RE2 source, else None."""

    text: str
    pattern: str | None = None
    is_sensitive: bool = False
    is_whole: bool = False


def parse_key(typed: str, *, sensitive: bool, whole: bool, regex: bool) -> Key | None:
    """Return what `typed` means under these switches; None for a blank key, which means nothing.

    `/pattern/flags` is a regular expression without the switch; `/home/user` is not one, its end is no flags.
    """
    if not typed.strip():
        return None
    if (slashed := slashed_pattern(typed)) is not None:
        return Key(typed, pattern=slashed)
    if regex:
        return Key(typed, pattern=_source(typed, "" if sensitive else "i"))
    return Key(composed(typed) if sensitive else fold(typed), is_sensitive=sensitive, is_whole=whole)


def slashed_pattern(typed: str) -> str | None:
    """Return the RE2 source of a key written `/pattern/flags`, None for any other."""
    if typed[0] != "/" or (found := _SLASHED.fullmatch(typed)) is None:
        return None
    pattern, flags = found.groups()
    if not _FLAGS.issuperset(flags) or len(set(flags)) != len(flags):
        return None
    return _source(pattern, "".join(flag for flag in "ims" if flag in flags))


def _source(pattern: str, flags: str) -> str:
    source = _ESCAPE.sub(_translated, composed(pattern))
    return f"(?{flags}){source}" if flags else source


def _translated(found: re.Match[str]) -> str:
    """Write in RE2's way what JavaScript writes in its own: code points, and `[^]` for any character."""
    braced, four, _ = found.groups()
    if found.group() == "[^]":
        return r"[\x00-\x{10FFFF}]"
    if braced or four:
        return f"\\x{{{braced or four}}}"
    return found.group()
