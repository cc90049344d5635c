"""POST /tokenize: how many tokens a text or a conversation has, and which."""

from __future__ import annotations

import orjson
from django.http import HttpResponse
from ninja import Router

from chats.api.caller import caller_of
from chats.api.schemas import TokensOut
from chats.services.tokenize import TokenizeRequest, tokenize
from neotavern.accounts.auth import ApiRequest, KeyNoted
from neotavern.ground.http import ERRORS

router = Router(tags=["Render"])


@router.post(
    "/tokenize",
    response={200: TokensOut, **ERRORS(403, 404, 415, 422)},
    auth=KeyNoted(),
    by_alias=True,
    summary="Count the tokens of a text or a conversation",
)
def post_tokenize(request: ApiRequest, body: TokenizeRequest) -> HttpResponse:
    """Return the count, the tokens' ids and their texts, and whether the profile only estimates."""
    made = tokenize(caller_of(request), body)
    return HttpResponse(orjson.dumps(made.wire()), content_type="application/json")
