"""Who may call an operation, asked before the body is read, and the headers that go with an object."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse

from neotavern.accounts import permissions
from neotavern.accounts.auth import KeyOrSession
from neotavern.library.etags import matches


class Allowed(KeyOrSession):
    """A caller with the right to do `action`; without it 403, whatever the body is."""

    def __init__(self, action: permissions.Action) -> None:
        super().__init__()
        self._action = action

    def __call__(self, request: HttpRequest) -> Any:
        """Return the actor, who may do the action."""
        actor = super().__call__(request)
        permissions.require(actor, self._action)
        return actor


READ = Allowed("read")
WRITE = Allowed("write")
MOVE_LABEL = Allowed("move_label")
ADMINISTER = Allowed("administer")


def unchanged(request: HttpRequest, response: HttpResponse, tag: str) -> HttpResponse | None:
    """Put `tag` on the answer; return a 304 when the caller has that state already."""
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    known = request.headers.get("If-None-Match")
    if known is None or not matches(known, tag):
        return None
    answer = HttpResponse(status=304)
    answer["ETag"] = tag
    answer["Cache-Control"] = "private, no-cache"
    return answer
