"""POST /tokenize: how many tokens a text or a conversation has, and which."""

from __future__ import annotations

from dataclasses import asdict

import orjson
from django.http import HttpResponse
from ninja import Router

from chats.api.caller import caller_of
from chats.api.schemas import TokenizersOut, TokensOut
from chats.services.tokenize import TokenizeRequest, tokenize
from formats.services.tokenizers import profiles
from neotavern.accounts.auth import ApiRequest, KeyNoted
from neotavern.ground.http import ERRORS
from neotavern.library.api.access import READ

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


@router.get(
    "/tokenizers",
    response={200: TokenizersOut, **ERRORS(403)},
    auth=READ,
    by_alias=True,
    summary="List the tokenizer profiles that a request may name",
)
def get_tokenizers(request: ApiRequest) -> dict[str, object]:
    """Return those of the program, of installed packages, and those that the operator brought."""
    return {"items": [asdict(row) for row in profiles()]}
