"""Lore stage, by rank: an infill engine chooses the entries for blocks, where the request asks for one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from chats.infill.types import Candidate, Decision, Engine, Said, Scene
from chats.lore import Activation, Hit, Reason
from chats.lore.outcome import Code
from chats.lore.settings import LoreSettings
from chats.pipeline.context.candidates import lore_pool
from chats.pipeline.context.people import names_of
from chats.pipeline.context.selecting import lore_change, selection_change
from chats.pipeline.expander import Expander
from chats.pipeline.ports import Ports
from chats.pipeline.sources import Sources
from chats.pipeline.trace import Step

SHARE: Final = 4
"""Where a chat fills the context by itself, lore gets a fourth of it, and the oldest messages leave."""


def rank_lore(sources: Sources, engine: Engine, settings: LoreSettings, ports: Ports) -> Step[Sources]:
    """Return `sources` with the lore that `engine` chose, best first, one Change for each entry of the books."""
    expander = Expander(sources.scope) if sources.scope is not None else None
    pool = lore_pool(sources, settings, expander)
    count = ports.counter.count
    selection = engine.select(
        _scene(sources), pool.candidates, _budget(sources, ports), lambda candidate: count(candidate.text)
    )
    known = {decision.id: decision for decision in selection.decisions}
    hits = [
        _hit(candidate, known[candidate.id])
        for candidate in selection.of(pool.candidates, "world", "character", "history")
    ]
    lore = Activation(activated=tuple(hits), tokens=selection.tokens, budget=selection.budget)
    changes = [
        lore_change(candidate, decision)
        for candidate, decision in zip(pool.candidates, selection.decisions, strict=True)
    ]
    findings = (*selection.findings, *(expander.findings if expander is not None else ()))
    return Step(replace(sources, lore=lore), [selection_change(selection), *changes], findings)


def _scene(sources: Sources) -> Scene:
    """Return the chat: every message counts as said by its name, else by the speaker or the persona."""
    cast = sources.cast
    names = {"assistant": cast.speaker, "user": cast.user}
    said = [
        Said(message.plain, (message.name or names.get(message.role, "")).casefold(), message.name or "", message.role)
        for message in sources.history
        if not message.excluded
    ]
    people = [one for one in (cast.character, *cast.others, cast.persona) if one is not None]
    settings = (cast.shown_scenario, *(one.description for one in people))
    return Scene(
        tuple(said), tuple(sorted({name for one in people for name in names_of(one)})), tuple(filter(None, settings))
    )


def _budget(sources: Sources, ports: Ports) -> int | None:
    """Return what lore may take: what the messages leave, and a share in any case."""
    if sources.budget is None:
        return None
    available = max(0, sources.budget.available)
    said = sum(ports.counter.count(message.plain) for message in sources.history if not message.excluded)
    return max(available - said, available // SHARE)


def _hit(candidate: Candidate, decision: Decision) -> Hit:
    code = Code.PINNED if decision.reason.value == Code.PINNED.value else Code.RANKED
    reason = Reason(code, {"score": round(decision.score, 4)} if code is Code.RANKED else {})
    return Hit(candidate.source.compiled, candidate.text, reason, tokens=decision.tokens)
