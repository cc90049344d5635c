"""POST /apply-template, also at the root, where programs that speak to llama.cpp's server look for it."""

from __future__ import annotations

import orjson
from django.http import HttpResponse
from ninja import Router

from chats.api.caller import caller_of
from chats.api.schemas import PromptOut
from chats.services.apply_template import ApplyTemplateRequest, apply_template
from neotavern.accounts.auth import ApiRequest, KeyNoted
from neotavern.ground.http import ERRORS

router = Router(tags=["Render"])


@router.post(
    "/apply-template",
    response={200: PromptOut, **ERRORS(403, 404, 415, 422)},
    auth=KeyNoted(),
    by_alias=True,
    summary="Render messages as llama.cpp's server does",
)
def post_apply_template(request: ApiRequest, body: ApplyTemplateRequest) -> HttpResponse:
    """Return the prompt alone. Macros stay as typed and no message is dropped."""
    prompt = apply_template(caller_of(request), body)
    return HttpResponse(orjson.dumps({"prompt": prompt}), content_type="application/json")
