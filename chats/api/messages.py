"""/chats/{slug}/messages: read, write, change, take out and move the messages of a chat."""

from __future__ import annotations

from typing import Any, Literal

from django.http import HttpResponse
from ninja import Body, Router, Status
from ninja.params.functions import Query
from pydantic import BaseModel

from chats import message_reading, message_rows
from chats.models import ChatMessage
from chats.services import messages
from chats.stored.names import CHAT
from neotavern.accounts.auth import ApiRequest
from neotavern.ground.errors import invalid
from neotavern.ground.http import ERRORS
from neotavern.ground.limits import MAX_PAGE_SIZE, PAGE_SIZE
from neotavern.ground.wire import WireModel
from neotavern.library import selectors
from neotavern.library.api.access import READ, WRITE, unchanged
from neotavern.library.etags import etag
from neotavern.library.models import Item

router = Router(tags=["Chats"])
PLACE = "/chats/{slug}/messages"
ONE = PLACE + "/{message_id}"


class MessagesOut(BaseModel):
    """A page of messages, each with its `id`; as a list of a render request they give the same prompt."""

    items: list[dict[str, Any]]
    nextCursor: str | None


class AddedOut(BaseModel):
    """The new messages in order."""

    items: list[dict[str, Any]]


class MoveIn(WireModel):
    """The message before or after which the other one shall stand."""

    before: str | None = None
    after: str | None = None


def _chat(request: ApiRequest, slug: str) -> Item:
    return selectors.get_item(request.actor, kind=CHAT, slug=slug, archived=True)


def _shown(row: ChatMessage) -> dict[str, Any]:
    return message_rows.wire(row.pk, row.body)


@router.get(
    PLACE,
    operation_id="chats_messages_list",
    response={200: MessagesOut, 304: None, **ERRORS(403, 404, 422)},
    auth=READ,
    by_alias=True,
)
def list_messages(
    request: ApiRequest,
    response: HttpResponse,
    *,
    slug: str,
    order: Literal["newest", "oldest"] = "oldest",
    cursor: str | None = None,
    limit: int = Query(PAGE_SIZE, ge=1, le=MAX_PAGE_SIZE),
) -> Any:
    """List the messages of a chat from the beginning, or with `order=newest` from the end."""
    chat = _chat(request, slug)
    known = unchanged(request, response, etag(chat, chat.last_number, "messages", order, cursor or "", str(limit)))
    if known is not None:
        return known
    items, more = message_reading.message_page(chat, newest=order == "newest", cursor=cursor, limit=limit)
    return {"items": items, "nextCursor": more}


@router.post(
    PLACE,
    operation_id="chats_messages_add",
    response={201: AddedOut, **ERRORS(403, 404, 409, 415, 422)},
    auth=WRITE,
    by_alias=True,
)
def add_messages(request: ApiRequest, slug: str, body: Body[dict[str, Any]]) -> Any:
    """Append one message (bare, or as `{"document": …}`) or many (`{"messages": […]}`)."""
    is_many = body.keys() == {"messages"}
    given = message_rows.read_messages(body["messages"]) if is_many else [_message(body)]
    rows = messages.add_messages(request.actor, chat=_chat(request, slug), messages=given)
    return Status(201, {"items": [_shown(row) for row in rows]})


def _message(body: dict[str, Any]) -> dict[str, Any]:
    value = body["document"] if body.keys() == {"document"} else body
    if not isinstance(value, dict):
        raise invalid("document", "must be a message")
    return message_rows.read_message(value)


@router.put(
    ONE,
    operation_id="chats_messages_save",
    response={200: dict[str, Any], **ERRORS(403, 404, 409, 415, 422)},
    auth=WRITE,
    by_alias=True,
)
def save_message(request: ApiRequest, slug: str, message_id: str, body: Body[dict[str, Any]]) -> Any:
    """Put another message in the place of one; it keeps its id."""
    message = _message(body)
    row = messages.edit_message(request.actor, chat=_chat(request, slug), message_id=message_id, message=message)
    return _shown(row)


@router.delete(
    ONE,
    operation_id="chats_messages_remove",
    response={204: None, **ERRORS(403, 404, 409, 422)},
    auth=WRITE,
)
def remove_message(request: ApiRequest, slug: str, message_id: str) -> Any:
    """Take a message out of the chat, for good."""
    messages.delete_message(request.actor, chat=_chat(request, slug), message_id=message_id)
    return Status(204, None)


@router.post(
    ONE + "/move",
    operation_id="chats_messages_move",
    response={200: dict[str, Any], **ERRORS(403, 404, 409, 415, 422)},
    auth=WRITE,
    by_alias=True,
)
def move_message(request: ApiRequest, slug: str, message_id: str, body: MoveIn) -> Any:
    """Put a message before or after another one."""
    row = messages.move_message(
        request.actor, chat=_chat(request, slug), message_id=message_id, before=body.before, after=body.after
    )
    return _shown(row)
