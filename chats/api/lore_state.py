"""/chats/{slug}/lore-state: which entries of its lore a chat keeps in, and which it holds back."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from ninja import Router, Status
from pydantic import BaseModel, Field

from chats.selectors import lore_state
from chats.services.lore_state import Sent, forget, remember
from chats.stored.names import CHAT
from neotavern.accounts.auth import ApiRequest
from neotavern.ground.http import ERRORS
from neotavern.ground.wire import WireModel
from neotavern.library import selectors
from neotavern.library.api.access import READ, WRITE, unchanged
from neotavern.library.etags import etag
from neotavern.library.models import Item

router = Router(tags=["Chats"])
PLACE = "/chats/{slug}/lore-state"
MOST = 1_000


class EntryName(WireModel):
    """An entry: the slug of its book and its uid."""

    book: str = Field(max_length=128)
    uid: str = Field(max_length=500)


class SentIn(WireModel):
    """The entries that stood in the prompt."""

    entries: list[EntryName] = Field(max_length=MOST)


class TimedOut(BaseModel):
    """In by itself before the chat has `stickyUntil` messages, held back from then to `cooldownUntil`."""

    book: str
    uid: str
    stickyUntil: int
    cooldownUntil: int


class StateOut(BaseModel):
    """What the chat remembers, and how many messages it has now."""

    messages: int
    items: list[TimedOut]


def _chat(request: ApiRequest, slug: str) -> Item:
    return selectors.get_item(request.actor, kind=CHAT, slug=slug, archived=True)


def _shown(chat: Item) -> dict[str, Any]:
    state = lore_state(chat.pk)
    items = [
        {"book": ref.book, "uid": ref.uid, "stickyUntil": timed.sticky_until, "cooldownUntil": timed.cooldown_until}
        for ref, timed in sorted(state.entries.items())
    ]
    return {"messages": state.message_count, "items": items}


@router.get(
    PLACE,
    operation_id="chats_lore_state_read",
    response={200: StateOut, 304: None, **ERRORS(403, 404, 422)},
    auth=READ,
    by_alias=True,
)
def read_state(request: ApiRequest, response: HttpResponse, slug: str) -> Any:
    """Read what a chat remembers of its lore."""
    chat = _chat(request, slug)
    return unchanged(request, response, etag(chat, chat.last_number, "lore-state")) or _shown(chat)


@router.post(
    PLACE,
    operation_id="chats_lore_state_remember",
    response={200: StateOut, **ERRORS(403, 404, 409, 415, 422)},
    auth=WRITE,
    by_alias=True,
)
def remember_sent(request: ApiRequest, slug: str, body: SentIn) -> Any:
    """Say that a prompt with these entries was sent: their sticky and cooldown begin."""
    chat = _chat(request, slug)
    remember(request.actor, chat=chat, sent=[Sent(one.book, one.uid) for one in body.entries])
    return _shown(chat)


@router.delete(
    PLACE,
    operation_id="chats_lore_state_forget",
    response={204: None, **ERRORS(403, 404, 409, 422)},
    auth=WRITE,
)
def forget_all(request: ApiRequest, slug: str) -> Any:
    """Let a chat forget what it remembers of its lore."""
    forget(request.actor, chat=_chat(request, slug))
    return Status(204, None)
