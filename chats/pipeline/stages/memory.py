"""Memory stage: ranks memories by how much the newest messages speak of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from chats.documents import Memory
from chats.pipeline.ports import Ports
from chats.pipeline.relevance import share_of_keys, share_of_words, words_of
from chats.pipeline.sources import Sources
from chats.pipeline.trace import Change, Step

SCANNED: Final = 11
"""The newest message and the ten before it, as for lore."""

KEYLESS: Final = 0.5
"""The rank of a memory without keys that the messages say nothing of."""


def rank_memories(sources: Sources, ports: Ports) -> Step[Sources]:
    """Return `sources` with the memories that take part, best first: pinned ones, then by rank."""
    if not sources.memories:
        return Step(sources)
    texts = [message.plain for message in sources.history if not message.excluded][-SCANNED:]
    folded = "\n".join(texts).casefold()
    words = words_of(folded)
    ranked = [
        (memory, 1.0 if memory.pinned else _rank(memory, folded, words))
        for memory in sources.memories
        if memory.enabled and memory.content.strip()
    ]
    ranked.sort(key=lambda pair: (not pair[0].pinned, -pair[1]))
    changes = [
        Change("added", None, origin_of(memory, at), "pinned" if memory.pinned else "ranked", data={"score": score})
        for at, (memory, score) in enumerate(ranked)
    ]
    return Step(replace(sources, memories=tuple(memory for memory, _ in ranked)), changes)


def origin_of(memory: Memory, position: int) -> str:
    """Return the origin of a memory's message: its slug, its name, or its rank."""
    return f"memory:{memory.id or memory.name or position + 1}"


def _rank(memory: Memory, folded: str, words: frozenset[str]) -> float:
    """Return a number from 0 to 1: the share of its keys that occur, or of its words, whichever says more."""
    by_content = share_of_words(memory.content, words)
    if not memory.keys:
        return round(max(KEYLESS, by_content), 3)
    return round(max(share_of_keys(memory.keys, folded), by_content / 2), 3)
