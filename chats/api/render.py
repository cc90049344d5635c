"""POST /render: one conversation in, its prompt out."""

from __future__ import annotations

from typing import Literal

from django.http import HttpResponse
from ninja import Router
from ninja.params.functions import Query

from chats.api.caller import caller_of
from chats.api.schemas import RenderOut
from chats.services.render import answer
from chats.services.request import RenderRequest
from neotavern.accounts.auth import ApiRequest, KeyNoted
from neotavern.ground.http import ERRORS

router = Router(tags=["Render"])


@router.post(
    "/render",
    response={200: RenderOut, **ERRORS(403, 404, 415, 422)},
    auth=KeyNoted(),
    by_alias=True,
    summary="Render a conversation",
)
def render(
    request: ApiRequest, body: RenderRequest, shape: Literal["request"] | None = Query(None, alias="as")
) -> HttpResponse:
    """Return the prompt, the messages that the provider gets, and the stop strings; `as=request` adds its request."""
    made = answer(caller_of(request), body, as_request=shape is not None)
    # written as bytes here: validating our own answer against its schema would cost more than making it
    return HttpResponse(made.body(), content_type="application/json")
