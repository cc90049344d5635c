"""Two passes of queries: what the newest two messages mean, and what the three before them do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from chats.infill.semantic.ports import Meaning, VectorsMissing
from chats.infill.semantic.search import Block, Near, nearest
from chats.infill.types import Candidate, CandidateKind, Passage, Scene

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
    """What the passes found. Rows are counted through the blocks: `at` has the candidate of each.

    `has_messages` is False where older messages have no vectors: they are not among the rows then.
    """

    blocks: tuple[Block, ...]
    at: tuple[int, ...]
    near: Near
    has_messages: bool

    def pick(self, rows: Sequence[int]) -> Matrix:
        """Return the vectors of some rows."""
        import numpy as np

        first = len(self.blocks[0].rows)
        made: Matrix = np.stack(
            [self.blocks[0].rows[row] if row < first else self.blocks[1].rows[row - first] for row in rows]
        )
        return made


def search(scene: Scene, candidates: Sequence[Candidate], open_: Sequence[int], meaning: Meaning) -> Searched:
    """Return what is near among the candidates `open_`.

    Raises NothingSaid, VectorsMissing for lore without vectors, EmbedderFailed.
    """
    queries = [texts for texts in _queries(scene) if texts]
    if not queries:
        raise NothingSaid
    lore = [at for at in open_ if candidates[at].kind != "message"]
    messages = [at for at in open_ if candidates[at].kind == "message"]
    blocks = [_block(lore, candidates, meaning, lasting=True)]
    try:
        blocks.append(_block(messages, candidates, meaning, lasting=False))
        has_messages = True
    except VectorsMissing:
        has_messages, messages = False, []
    passes = [meaning.embedder.queries(texts) for texts in queries]
    found = nearest(blocks, passes, meaning.embedder.floor)
    return Searched(tuple(blocks), (*lore, *messages), found, has_messages)


def _block(at: Sequence[int], candidates: Sequence[Candidate], meaning: Meaning, *, lasting: bool) -> Block:
    numbers = {kind: number for number, kind in enumerate(KINDS)}
    groups = [numbers[candidates[one].kind] for one in at]
    rows = meaning.index.matrix(tuple([passage_of(candidates[one]) for one in at]), lasting=lasting)
    return Block(rows, groups)


def passage_of(one: Candidate) -> Passage:
    """Return what is embedded of a candidate: its text as it is stored."""
    return one.stored or Passage.of(one.kind, one.name, one.text)


def _queries(scene: Scene) -> list[list[str]]:
    texts = [text for message in scene.messages[-PASSES[-1][1] :] if (text := _plain(message.text))][::-1]
    return [texts[first:last] for first, last in PASSES]


@lru_cache(maxsize=256)
def _plain(text: str) -> str:
    """Return the end of a text without the stars around what someone does."""
    return _STARS.sub("", text).strip()[-QUERY_LIMIT:]
