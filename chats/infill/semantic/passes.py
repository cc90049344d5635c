"""Two passes of queries: what the newest two messages mean, and what the three before them do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from chats.infill.semantic.ports import Meaning, Passage, VectorsMissing
from chats.infill.semantic.search import Near, nearest
from chats.infill.types import Candidate, CandidateKind, Scene

if TYPE_CHECKING:
    from chats.infill.semantic.ports import Matrix

PASSES: Final = ((0, 2), (2, 5))
"""Messages from the end of each pass."""

QUERY_LIMIT: Final = 1_500
"""Characters from a message's end that are looked with: what it came to."""

KINDS: Final[tuple[CandidateKind, ...]] = ("world", "character", "history", "message")
_STARS: Final = re.compile(r"^\*+|\*+$", re.MULTILINE)


class NothingSaid(Exception):
    """There is no message to look with."""


class Searched(NamedTuple):
    """The rows of the candidates that take part, what each pass found among them, and which candidates they are.

    `has_messages` is False where older messages have no vectors: they are not among the rows then.
    """

    rows: Matrix
    at: tuple[int, ...]
    passes: tuple[Near, ...]
    has_messages: bool


def search(scene: Scene, candidates: Sequence[Candidate], open_: Sequence[int], meaning: Meaning) -> Searched:
    """Return what is near among the candidates `open_`.

    Raises NothingSaid, VectorsMissing for lore without vectors, EmbedderFailed.
    """
    queries = _queries(scene)
    if not queries[0]:
        raise NothingSaid
    lore = [at for at in open_ if candidates[at].kind != "message"]
    messages = [at for at in open_ if candidates[at].kind == "message"]
    try:
        at, rows = _rows([*lore, *messages], candidates, meaning)
        has_messages = True
    except VectorsMissing:
        if not messages:
            raise
        at, rows = _rows(lore, candidates, meaning)
        has_messages = False
    groups = [[row for row, one in enumerate(at) if candidates[one].kind == kind] for kind in KINDS]
    found = [
        nearest(rows, meaning.embedder.queries(texts), meaning.embedder.floor, groups) for texts in queries if texts
    ]
    return Searched(rows, at, tuple(found), has_messages)


def _rows(at: list[int], candidates: Sequence[Candidate], meaning: Meaning) -> tuple[tuple[int, ...], Matrix]:
    return tuple(at), meaning.index.matrix(tuple(passage_of(candidates[one]) for one in at))


def passage_of(one: Candidate) -> Passage:
    """Return what is embedded of a candidate: history and messages are told without a name."""
    return Passage(one.name if one.kind in ("world", "character") else "", one.text)


def _queries(scene: Scene) -> list[list[str]]:
    texts = [text for message in scene.messages[-PASSES[-1][1] :] if (text := _plain(message.text))][::-1]
    return [texts[first:last] for first, last in PASSES]


@lru_cache(maxsize=256)
def _plain(text: str) -> str:
    """Return the end of a text without the stars around what someone does."""
    return _STARS.sub("", text).strip()[-QUERY_LIMIT:]
