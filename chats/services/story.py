"""What a render is made of besides its messages: cast, lore, memories and budget, as the pipeline takes them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from chats.pipeline.blocks import Block
from chats.pipeline.budget import Budget
from chats.pipeline.interceptors import Interceptor, read_interceptor
from chats.pipeline.sources import Sources
from chats.services.cast import books_named_by, books_of, cast_of, memories_of
from chats.services.chat_reading import may_leave_unread, newest_messages
from chats.services.context_templates import context_of
from chats.services.infill import infill_key, ranking_of
from chats.services.installed import from_package
from chats.services.lookup import Lookup
from chats.services.prompt_configs import blocks_of
from chats.services.request import RenderRequest
from chats.services.stored_chat import StoredChat
from chats.services.team_settings import TeamSettings
from chats.stored.names import INTERCEPTOR, LOREBOOK, PROMPT_CONFIG
from formats.prompt.findings import Finding
from formats.prompt.message import Message
from formats.tokens import Tokenizer

FIELDS = frozenset({
    "character", "characters", "persona", "scenario", "lorebooks", "memories", "chat", "prompt_config",
    "context_template", "infill",
})  # fmt: skip


def with_story(sources: Sources, found: Lookup, counter: Tokenizer | None = None) -> tuple[Sources, list[Finding]]:
    """Return `sources` with what the request carries and names. Raises DocumentError for what can not be read.

    With a `counter`, what of a stored chat is too old for the budget may be left unread (`chats.pipeline.unread`).
    """
    request = found.request
    if FIELDS.isdisjoint(request.model_fields_set):
        return sources, []
    chat = found.chat
    note = chat.settings.authors_note if chat is not None and chat.settings.authors_note.content.strip() else None
    cast = cast_of(request, found.document, note)
    found.more(LOREBOOK, books_named_by(cast))
    books, findings = books_of(request, cast, found.book)
    made = replace(sources, cast=cast, books=books, memories=memories_of(request, found.document))
    if chat is not None:
        made = replace(made, lore_state=chat.lore_state() if books else None)
    if request.prompt_config is not None:
        made = replace(made, blocks=_blocks(request.prompt_config, found))
    made = replace(made, ranking=ranking_of(found))
    context, warnings = context_of(found)
    made = replace(made, context=context) if context is not None else made
    if chat is not None:
        made = replace(made, history=(*_messages(chat, made, request, counter), *made.history))
    return made, [*findings, *warnings]


def _messages(
    chat: StoredChat, sources: Sources, request: RenderRequest, counter: Tokenizer | None
) -> Sequence[Message]:
    is_watched = request.trace or bool(chat.settings.interceptors)
    if counter is not None and may_leave_unread(sources, is_watched=is_watched):
        part = newest_messages(chat.item_id, sources, counter)
        if part is not None:
            return part
    return chat.messages()


def story_key(found: Lookup) -> tuple[str, ...]:
    """Return what tells one cast, lore and set of blocks from another: the content of all of it."""
    request = found.request
    given = {name: getattr(request, name) for name in sorted(FIELDS & request.model_fields_set)}
    if not given:
        return ()
    stored = sorted(one.content_hash for one in found.objects.values() if one is not None)
    return hashlib.sha256(orjson.dumps(given)).hexdigest(), infill_key(found), *stored


def interceptors_of(found: Lookup) -> tuple[Interceptor, ...]:
    """Return the interceptors that the chat names and that are on. Raises NOT_FOUND for one that does not exist."""
    names = found.chat.settings.interceptors if found.chat is not None else ()
    if not names:
        return ()
    found.more(INTERCEPTOR, names)
    read = (_interceptor(found.document(INTERCEPTOR, name), f"interceptor {name}") for name in names)
    return tuple(one for one in read if one is not None)


def _interceptor(document: Mapping[str, Any], path: str) -> Interceptor | None:
    """Return the interceptor of a stored document: its rules, or the package's code that its extensions name."""
    made = read_interceptor(document, path)
    package = (document.get("extensions") or {}).get("package")
    if made is None or not isinstance(package, str):
        return made
    return from_package(package, made.name, made.priority)


def _blocks(config: str | dict[str, Any], found: Lookup) -> tuple[Block, ...]:
    document = found.document(PROMPT_CONFIG, config) if isinstance(config, str) else config
    return blocks_of(document, "promptConfig")


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
