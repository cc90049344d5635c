"""Kind `chat`: who takes part and what it is rendered with; its messages are rows, and have no revisions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chats.documents import Character, ChatSettings
from chats.documents import validate as validate_as
from chats.interchange.chat_openai import export_openai
from chats.interchange.chat_st import export_jsonl
from chats.message_rows import MessageRows, read_messages
from chats.stored.names import (
    CHARACTER,
    CHAT,
    CONTEXT_TEMPLATE,
    FORMAT,
    INTERCEPTOR,
    LOREBOOK,
    MEMORY,
    PERSONA,
    PRESET,
    PROMPT_CONFIG,
)
from chats.stored.reading import detector, exporter, mention, mentions, read, valid
from formats.stored.files import export_bare
from formats.stored.slugs import with_slug as put_slug
from neotavern.accounts.actor import Actor
from neotavern.library import resolve
from neotavern.library.kinds import Exported, Kind, Loss, Mention, ValidDocument
from neotavern.library.resolve import Ref

NAME = CHAT


def validate(document: Any) -> ValidDocument:
    """Return the settings, and the messages where the document has them inside. Raises VALIDATION with every fault."""
    messages: list[dict[str, Any]] | None = None
    if isinstance(document, dict) and "messages" in document:
        messages = read_messages(document["messages"])
        document = {key: value for key, value in document.items() if key != "messages"}
    parsed = read(ChatSettings, document)
    return valid(
        parsed,
        NAME,
        name=parsed.name,
        description=parsed.description,
        texts=[parsed.scenario or "", parsed.authors_note.content],
        mentions=_mentions(parsed),
        parts=messages,
    )


def _mentions(chat: ChatSettings) -> list[Mention]:
    return [
        *mention("character", CHARACTER, chat.character),
        *mentions("characters", CHARACTER, chat.characters),
        *mention("persona", PERSONA, chat.persona),
        *mentions("lorebooks", LOREBOOK, chat.lorebooks),
        *mentions("memories", MEMORY, chat.memories),
        *mentions("interceptors", INTERCEPTOR, chat.interceptors),
        *mention("preset", PRESET, chat.preset),
        *mention("format", FORMAT, chat.format),
        *mention("contextTemplate", CONTEXT_TEMPLATE, chat.context_template),
        *mention("promptConfig", PROMPT_CONFIG, chat.prompt_config),
    ]


def opening(actor: Actor, valid: ValidDocument) -> ValidDocument:
    """Return the chat with its character's greeting as the first message, unless the document says its messages.

    The greeting is kept as it was typed: its macros are expanded when the chat is rendered.
    """
    name = valid.document.get("character")
    if valid.parts is not None or not isinstance(name, str):
        return valid
    found = resolve.resolve(resolve.TeamCaller.of(actor), [Ref.of(CHARACTER, name)], now=actor.now).found[0]
    greeting = validate_as(Character, resolve.document(found.revision_id)).first_mes if found is not None else ""
    if not greeting.strip():
        return valid
    return replace(valid, parts=read_messages([{"role": "assistant", "content": greeting}]))


def _jsonl(document: dict[str, Any], version: str | None) -> Exported:
    body, losses = export_jsonl(document)
    return Exported(body, "application/x-ndjson", "jsonl", [Loss(*loss) for loss in losses])


KIND = Kind(
    name=NAME,
    title="chat",
    plural_path="chats",
    validate=validate,
    detect=detector(NAME),
    with_slug=put_slug,
    private_until_shared=True,
    parts=MessageRows(),
    opening=opening,
    exporters={"neotavern": export_bare, "openai": exporter(export_openai), "sillytavern": _jsonl},
)
