"""Small scenes and candidates."""

from __future__ import annotations

from typing import Any

from chats.infill.types import Candidate, Said, Scene, Selection


def scene(*texts: str, **more: Any) -> Scene:
    """A chat of these messages."""
    return Scene(tuple(Said(text) for text in texts), **more)


def lore(id_: str, keys: str = "", **more: Any) -> Candidate:
    """A world entry of ten tokens; its keys are parted by commas."""
    given = {"text": f"About {id_}.", "tokens": 10} | more
    return Candidate(id_, kind=given.pop("kind", "world"), keys=tuple(filter(None, keys.split(","))), **given)


def messages(texts: list[str], tokens: int = 10) -> list[Candidate]:
    """The messages of a chat as candidates."""
    return [Candidate(f"m{at}", "message", text, order=at, tokens=tokens) for at, text in enumerate(texts)]


def reasons(selection: Selection) -> dict[str, str]:
    """Candidate → why it is in or out."""
    return {decision.id: decision.reason.value for decision in selection.decisions}


def scores(selection: Selection) -> dict[str, float]:
    """Candidate → its score."""
    return {decision.id: round(decision.score, 4) for decision in selection.decisions}
