"""Lore stage: which entries the expanded texts call. Their own texts are expanded as they are activated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from chats.documents.lorebook import Place
from chats.lore import Activation, Hit, LoreSettings, Reason, SeededRolls, activate
from chats.pipeline.expander import Expander
from chats.pipeline.ports import Ports
from chats.pipeline.sources import Sources
from chats.pipeline.trace import Change, Step

PATH: Final = "lorebooks"


def activate_lore(sources: Sources, ports: Ports) -> Step[Sources]:
    """Return `sources` with the activated lore, one Change for each entry that is in or was a candidate and is out."""
    if not sources.books:
        return Step(sources)
    expander = Expander(sources.scope) if sources.scope is not None else None
    found = activate(
        sources.books,
        [message.plain for message in sources.history if not message.excluded],
        _settings(sources),
        SeededRolls(ports.rng.seed),
        state=sources.lore_state,
        count=ports.counter.count,
        expand=(lambda text: expander.text(text, PATH)) if expander is not None else None,
    )
    findings = (*found.findings, *(expander.findings if expander is not None else ()))
    return Step(replace(sources, lore=found), _changes(found), findings)


def _settings(sources: Sources) -> LoreSettings:
    character = sources.cast.character
    return LoreSettings(
        context_tokens=sources.budget.available if sources.budget is not None else None,
        generation_type=sources.generation_type,
        speaker=sources.cast.speaker,
        speaker_tags=frozenset(character.tags) if character is not None else frozenset(),
        places=_places(sources),
    )


def _places(sources: Sources) -> Mapping[Place, str]:
    """Return the texts that entries may ask to be searched besides the messages."""
    cast, character = sources.cast, sources.cast.character
    texts: dict[Place, str] = {"scenario": cast.shown_scenario}
    if cast.persona is not None:
        texts["persona"] = cast.persona.description
    if character is not None:
        texts |= {
            "description": character.description,
            "personality": character.personality,
            "creator_notes": character.creator_notes,
        }
        if character.depth_prompt is not None:
            texts["character_note"] = character.depth_prompt.prompt
    return {place: text for place, text in texts.items() if text}


def origin_of(hit: Hit) -> str:
    """Return the origin of an entry's message."""
    return f"lore:{hit.ref.uid}"


def _changes(found: Activation) -> list[Change]:
    added = [
        Change("added", None, origin_of(hit), hit.reason.code.value, hit.ref.uid, _figures(hit))
        for hit in found.activated
    ]
    dropped = [
        Change("dropped", None, f"lore:{ref.uid}", reason.code.value, ref.uid, _out(ref.book, reason))
        for ref, reason in found.rejected
    ]
    return [*added, *dropped]


def _figures(hit: Hit) -> dict[str, object]:
    """Return why an entry is in and where it goes."""
    entry = hit.compiled.entry
    figures: dict[str, object] = {"book": hit.ref.book, "name": entry.name, **hit.reason.params}
    figures |= {"keys": list(hit.keys), "score": hit.score, "order": entry.order, "position": entry.position}
    if entry.position == "at_depth":
        figures |= {"insertedAt": entry.depth, "role": entry.role}
    if hit.tokens is not None:
        figures["tokens"] = hit.tokens
    return figures


def _out(book: str, reason: Reason) -> dict[str, object]:
    return {"book": book, **reason.params}
