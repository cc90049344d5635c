"""The four logics of secondary keys."""

from __future__ import annotations

from chats.documents.lorebook import SecondaryLogic


def holds(logic: SecondaryLogic, matched: int, total: int) -> bool:
    """Return whether `matched` of `total` secondary keys satisfy `logic`; without secondary keys everything does."""
    if not total:
        return True
    match logic:
        case "and_any":
            return matched > 0
        case "and_all":
            return matched == total
        case "not_any":
            return matched == 0
        case "not_all":
            return matched < total


def score(logic: SecondaryLogic, primary: int, secondary: int) -> int:
    """Return how well an entry matched, for inclusion groups: keys that say "not" add nothing."""
    return primary + secondary if logic in ("and_any", "and_all") else primary
