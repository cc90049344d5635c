"""Revisions of AppSettings: list, compare and restore, the team's and a person's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from ninja import Router
from ninja.params.functions import Header, Query

from formats import selectors
from formats.api.settings import PersonalOut, SettingsOut
from formats.selectors import Settings
from formats.services.settings import restore_personal, restore_settings
from formats.stored.app_settings import TEAM_SLUG
from neotavern.accounts.actor import Actor
from neotavern.accounts.auth import ApiRequest
from neotavern.accounts.permissions import Action
from neotavern.ground.http import ERRORS
from neotavern.ground.limits import MAX_PAGE_SIZE
from neotavern.library import selectors as library
from neotavern.library.api.access import Allowed
from neotavern.library.api.diffs import DiffOut
from neotavern.library.api.schemas import RestoreIn, RevisionsOut
from neotavern.library.comparing import compare

router = Router(tags=["Settings"])
Whose = Callable[[Actor], str]
"""Returns the slug of the settings that an operation is about. Raises FORBIDDEN."""

READ = Allowed("read")


def _add_reading(path: str, name: str, whose: Whose) -> None:
    @router.get(
        f"{path}/revisions",
        operation_id=f"{name}_revisions",
        response={200: RevisionsOut, **ERRORS(403, 422)},
        auth=READ,
        by_alias=True,
    )
    def revisions(
        request: ApiRequest, cursor: str | None = None, limit: int = Query(MAX_PAGE_SIZE, ge=1, le=MAX_PAGE_SIZE)
    ) -> Any:
        """List the revisions, newest first; none while nobody has changed the settings."""
        item = selectors.find_item(request.actor, whose(request.actor))
        items, more = ([], None) if item is None else library.list_revisions(item, cursor=cursor, limit=limit)
        return {"items": items, "nextCursor": more}

    @router.get(
        f"{path}/diff",
        operation_id=f"{name}_diff",
        response={200: DiffOut, **ERRORS(403, 404, 422)},
        auth=READ,
        by_alias=True,
        exclude_unset=True,
    )
    def diff(
        request: ApiRequest, from_: str | None = Query(None, alias="from"), to: str | None = None, rows: bool = False
    ) -> Any:
        """Compare two revisions; by default the newest with the one before it."""
        item = selectors.stored_item(request.actor, whose(request.actor))
        return compare(item, from_ or None, to or None, rows=rows)


def _add_restore(
    path: str, name: str, action: Action, answer: type[SettingsOut], restore: Callable[..., Settings]
) -> None:
    @router.post(
        f"{path}/revisions/{{number}}/restore",
        operation_id=f"{name}_restore",
        response={200: answer, **ERRORS(403, 404, 409, 412, 415, 422)},
        auth=Allowed(action),
        by_alias=True,
        exclude_unset=True,
    )
    def restore_one(
        request: ApiRequest,
        response: HttpResponse,
        *,
        number: int,
        body: RestoreIn | None = None,
        if_match: str | None = Header(None, alias="If-Match"),
    ) -> Any:
        """Make the settings what they were in a revision, as a new revision."""
        wish = body or RestoreIn()
        found = restore(
            request.actor, number, base_revision=wish.base_revision, if_match=if_match, note=wish.note or ""
        )
        response["ETag"] = found.etag
        return found.wire


def _team(actor: Actor) -> str:
    return TEAM_SLUG


_add_reading("", "settings", _team)
_add_reading("/me", "settings_me", selectors.personal_slug)
_add_restore("", "settings", "write", SettingsOut, restore_settings)
_add_restore("/me", "settings_me", "read", PersonalOut, restore_personal)
