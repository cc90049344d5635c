"""Asks an engine which lore and which older messages go in, with what the prompt has room for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from chats.infill.trimming import trimmed
from chats.infill.types import Candidate, Cost, Decision, Engine, Said, Scene, Selection
from chats.pipeline.context.candidates import LorePool
from chats.pipeline.context.people import names_of
from chats.pipeline.context.turns import Turn, Turns
from chats.pipeline.counting import Costs
from chats.pipeline.sources import Excluded, Sources
from chats.pipeline.trace import Change
from formats.context.facts import compact

SHRINKING: Final = ("truncate", "vector-recall")
"""Strategies under which older messages compete with lore; under the others they leave as the strategy says."""

SPOKEN: Final = ("user", "assistant")


@dataclass(frozen=True, slots=True)
class Chosen:
    """What an engine decided, as the assembly needs it: the lore in order, the turns that are in, and those out."""

    selection: Selection
    candidates: tuple[Candidate, ...]
    lore: tuple[Candidate, ...]
    turns: Turns
    gone: Mapping[str, Turn]

    def less(self, tokens: int) -> Chosen:
        """Return a choice that is at least so many tokens smaller, where there is anything left to give up."""
        every = Turns(self._every_turn(), self.turns.seed, self.turns.is_kept)
        return _settled(trimmed(self.selection, tokens), self.candidates, every)

    def _every_turn(self) -> tuple[Turn, ...]:
        turns = [*self.turns.closed, *self.gone.values()]
        return tuple(sorted(turns, key=lambda turn: -1 if turn.place is None else turn.place))


def choose(engine: Engine, sources: Sources, pool: LorePool, turns: Turns, *, costs: Costs, free: int | None) -> Chosen:
    """Return what goes in within `free` tokens; None: nothing but the engine's caps leaves anything out."""
    competing = free is not None and sources.budget is not None and sources.budget.strategy in SHRINKING
    candidates = (*pool.candidates, *(_messages(turns) if competing else ()))
    selection = engine.select(_scene(sources, turns), candidates, free, _cost(costs))
    return _settled(selection, candidates, turns)


def _settled(selection: Selection, candidates: tuple[Candidate, ...], turns: Turns) -> Chosen:
    """Return a selection as lore and turns."""
    chosen = set(selection.chosen)
    gone = {one.id: one.source for one in candidates if one.kind == "message" and one.id not in chosen}
    out = {id(turn) for turn in gone.values()}
    kept = tuple(turn for turn in turns.closed if id(turn) not in out)
    lore = tuple(selection.of(candidates, "world", "character", "history"))
    return Chosen(selection, candidates, lore, Turns(kept, turns.seed, turns.is_kept), gone)


def _messages(turns: Turns) -> list[Candidate]:
    """Return the turns as candidates; what belongs to a call, or is no speech, may not be parted from the rest."""
    return [
        Candidate(
            id=f"message/{at}",
            kind="message",
            text=turn.entry["message"],
            name=turn.entry["name"],
            pinned=turn.message.pinned or turn.message.role not in SPOKEN or bool(turn.message.tool_calls),
            order=at,
            source=turn,
        )
        for at, turn in enumerate(turns.closed)
    ]


def _scene(sources: Sources, turns: Turns) -> Scene:
    cast = sources.cast
    people = [one for one in (cast.character, *cast.others, cast.persona) if one is not None]
    said = tuple(
        Said(turn.entry["message"], turn.entry["name"].casefold(), turn.entry["name"], turn.entry["role"])
        for turn in turns.closed
    )
    settings = (cast.shown_scenario, *(one.description for one in people))
    return Scene(said, tuple(sorted({name for one in people for name in names_of(one)})), tuple(filter(None, settings)))


def _cost(costs: Costs) -> Cost:
    """Return what a candidate adds: a turn with its frame, or an entry of a JSON object."""

    def cost(candidate: Candidate) -> int:
        if candidate.kind == "message":
            turn: Turn = candidate.source
            return costs.of_role[turn.message.role] + costs.count(f"{candidate.name}: {candidate.text}\n")
        return costs.count(compact({candidate.source.key: candidate.text}))

    return cost


def told(chosen: Chosen, *, lore: bool = True) -> tuple[list[Change], list[Excluded]]:
    """Return what the trace says of each candidate, and the turns that are left out; `lore` False: of turns alone."""
    changes = [selection_change(chosen.selection)]
    excluded: list[Excluded] = []
    for candidate, decision in zip(chosen.candidates, chosen.selection.decisions, strict=True):
        reason = decision.reason.value
        if candidate.kind == "message":
            if turn := chosen.gone.get(candidate.id):
                message = turn.message
                changes.append(Change("dropped", turn.place, message.origin, reason, message.id, decision.wire()))
                excluded.append(Excluded(message.id, message.origin, reason))
        elif lore:
            changes.append(lore_change(candidate, decision))
    return changes, excluded


def lore_change(candidate: Candidate, decision: Decision) -> Change:
    """Return what the trace says of an entry."""
    ref = candidate.source.compiled.ref
    data = {"book": ref.book, "name": candidate.name or candidate.source.key, "kind": candidate.kind}
    kind: Literal["added", "dropped"] = "added" if decision.chosen else "dropped"
    return Change(kind, None, f"lore:{ref.uid}", decision.reason.value, ref.uid, data | decision.wire())


def selection_change(selection: Selection) -> Change:
    """Return what the trace says of the choice as a whole: which engine made it, which was asked, within what."""
    data = {"asked": selection.asked, "tokens": selection.tokens, "budget": selection.budget, **selection.options}
    return Change("changed", None, "infill", selection.engine, None, data)
