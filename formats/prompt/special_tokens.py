"""Special tokens inside content: find them, break them reversibly, or refuse them.

The break is a WORD JOINER (U+2060) behind the token's first character: invisible, and no tokenizer's special token has
one. A token that is broken already gets one more, so `unescape_tokens` gives back what was typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from formats.prompt.errors import RenderRefused
from formats.prompt.findings import Finding
from formats.prompt.options import Policy
from formats.prompt.segments import Segment, joined

JOINER: Final = "\u2060"
# Text that the author of the format wrote, though it fills the place of content.
_AUTHORED: Final = frozenset({"defaultSystem", "fillerUser"})


# A text and the path it came by, to the text that may stand in the prompt.
Guard = Callable[[str, str], str]


class Hit(NamedTuple):
    """A token that touches content: offsets count in the whole prompt."""

    token: str
    start: int
    segment: Segment


def escape_tokens(text: str, tokens: Sequence[str]) -> str:
    """`text` with every token broken."""
    for token in tokens:
        text = re.sub(_pattern(token, "*"), lambda match: match[0][0] + JOINER + match[0][1:], text)
    return text


def unescape_tokens(text: str, tokens: Sequence[str]) -> str:
    """What `escape_tokens` was given; the same tokens in the same order."""
    for token in reversed(tokens):
        text = re.sub(_pattern(token, "+"), lambda match: match[0][0] + match[0][2:], text)
    return text


def guarded(text: str, tokens: Sequence[str], policy: Policy, path: str) -> str:
    """`text` as the policy lets it into the prompt; RenderRefused names the place."""
    if policy == "keep" or not any(token in text or JOINER in text for token in tokens):
        return text
    if policy == "reject":
        token = next((token for token in tokens if token in text), None)
        if token is not None:
            raise RenderRefused(f"the special token {token!r} stands in content, at offset {text.index(token)}", path)
        return text
    return escape_tokens(text, tokens)


def guarded_value(value: Any, guard: Guard, path: str) -> Any:
    """A JSON value with every text in it guarded, the keys of objects too."""
    if isinstance(value, str):
        return guard(value, path)
    if isinstance(value, Mapping):
        return {guard(str(key), path): guarded_value(item, guard, path) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [guarded_value(item, guard, path) for item in value]
    return value


def hits(segments: list[Segment], tokens: Sequence[str]) -> Iterator[Hit]:
    """Every special token of the prompt that at least touches the caller's text."""
    text = joined(segments)
    if not any(token in text for token in tokens):
        return
    found = [(match.start(), match[0]) for match in re.finditer("|".join(map(re.escape, tokens)), text)]
    start, at = 0, 0
    for segment in segments:
        end = start + len(segment.text)
        while at < len(found) and found[at][0] + len(found[at][1]) <= start:
            at += 1
        if segment.kind == "content" and segment.source not in _AUTHORED:
            for offset, token in found[at:]:
                if offset >= end:
                    break
                yield Hit(token, offset, segment)
        start = end


def token_findings(segments: list[Segment], tokens: Sequence[str]) -> Iterator[Finding]:
    """A finding for every hit."""
    for token, start, segment in hits(segments, tokens):
        at = segment.message_index
        path = segment.source if at is None else f"messages[{at}].content"
        yield Finding(
            "warning",
            "SPECIAL_TOKEN_IN_CONTENT",
            f"The special token {token!r} stands in content: the model reads it as markup.",
            path,
            data={"token": token, "position": start, "messageIndex": at, "source": segment.source},
        )


def refuse_straddling(segments: list[Segment], tokens: Sequence[str]) -> None:
    """RenderRefused for a token that content and its neighbours make together, which no policy for one text can see."""
    for token, _, segment in hits(segments, tokens):
        at = segment.message_index
        path = segment.source if at is None else f"messages[{at}].content"
        raise RenderRefused(f"content and what stands beside it make the special token {token!r}", path)


def _pattern(token: str, count: str) -> str:
    return f"{re.escape(token[0])}{JOINER}{count}{re.escape(token[1:])}"
