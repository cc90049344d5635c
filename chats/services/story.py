"""What a render is made of besides its messages: cast, lore, memories and budget, as the pipeline takes them."""

from __future__ import annotations

from dataclasses import replace

from chats.pipeline.budget import Budget
from chats.pipeline.sources import Sources
from chats.services.cast import books_of, cast_of, memories_of
from chats.services.lookup import Lookup
from chats.services.request import RenderRequest
from chats.services.team_settings import TeamSettings
from formats.prompt.findings import Finding

FIELDS = frozenset({"character", "characters", "persona", "scenario", "lorebooks", "memories"})


def with_story(sources: Sources, found: Lookup) -> tuple[Sources, list[Finding]]:
    """Return `sources` with what the request carries and names. Raises DocumentError for what can not be read."""
    request = found.request
    if FIELDS.isdisjoint(request.model_fields_set):
        return sources, []
    cast = cast_of(request, found.document)
    books, findings = books_of(request, cast, found.book)
    made = replace(sources, cast=cast, books=books, memories=memories_of(request, found.document))
    return made, findings


def budget_of(request: RenderRequest, settings: TeamSettings) -> Budget | None:
    """Return the budget that holds; none where nobody gives one.

    Budgets of person and team hold only for a request that names a chat, character, preset or context template.
    """
    own = settings if request.names_a_story else TeamSettings()
    limit = request.max_context_tokens if request.max_context_tokens is not None else own.max_context_tokens
    if limit is None:
        return None
    reserved = request.reserve_for_reply if request.reserve_for_reply is not None else own.reserve_for_reply
    strategy = request.context_strategy or own.context_strategy or "truncate"
    return Budget(limit, reserved or 0, strategy, settings.context_cut)  # type: ignore[arg-type]  # checked when stored
