"""Which infill engine a render has: the request's choice, its preset's, its chat's, else the team's."""

from __future__ import annotations

from chats.infill.registry import Choice, engine
from chats.infill.semantic.ports import Meaning
from chats.infill.types import Engine, Options
from chats.services.embedding.configured import embedder, why_not
from chats.services.embedding.index import RememberedQueries, StoredIndex
from chats.services.lookup import Lookup


def choice_of(found: Lookup) -> Choice:
    """Return what holds for the request; `keyword` in a chat's settings is how a chat opts out of meaning."""
    made: Choice = found.request.infill or found.settings.infill or "auto"  # type: ignore[assignment]  # checked when stored
    return made


def engine_of(found: Lookup, options: Options) -> Engine:
    """Return the engine that holds. It always answers: where there is no model, keywords do the work."""
    choice = choice_of(found)
    model = embedder() if choice != "keyword" else None
    meaning = Meaning(RememberedQueries(model), StoredIndex(found.team_id, model)) if model is not None else None
    return engine(choice, options, meaning, why_not())


def ranking_of(found: Lookup) -> Engine | None:
    """Return the engine that ranks lore for blocks: only where the request itself names one; else keys call lore."""
    return engine_of(found, Options()) if found.names_infill and found.request.infill is not None else None


def infill_key(found: Lookup) -> str:
    """Return what tells one way of choosing from another."""
    model = embedder() if choice_of(found) != "keyword" else None
    return f"{choice_of(found)}:{model.model if model is not None else ''}"
