"""GET and PATCH of AppSettings, the team's and a person's own."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from ninja import Router
from ninja.params.functions import Header
from pydantic import Field

from formats import selectors
from formats.services.settings import patch_personal, patch_settings
from formats.stored.app_settings import AppSettings
from neotavern.accounts.auth import ApiRequest
from neotavern.ground.http import ERRORS
from neotavern.library.api.access import READ, WRITE, unchanged

router = Router(tags=["Settings"])
_EDITING = {"base_revision", "note", "unset"}


class SettingsIn(AppSettings):
    """The settings to change; those left out stay, those named in `unset` are as if they had never been set.

    `baseRevision` or If-Match are optional.
    """

    base_revision: int | None = None
    note: str | None = None
    unset: list[str] = Field(default=[], max_length=64)

    @property
    def changes(self) -> dict[str, Any]:
        """The settings that were given."""
        return self.model_dump(by_alias=True, exclude_unset=True, exclude=_EDITING)

    @property
    def editing(self) -> dict[str, Any]:
        """Base, note and fields to take out, as the services take them."""
        return {"base_revision": self.base_revision, "note": self.note or "", "unset": self.unset}


class SettingsOut(AppSettings):
    """Every setting by its name, where this state comes from, and the settings again as one document."""

    revision: int
    etag: str
    updated_at: str | None
    updated_by: str | None
    document: dict[str, Any]


class PersonalOut(SettingsOut):
    """What a person has set for herself: `document` has these fields alone, the rest is as the team has it."""

    document: dict[str, Any] = Field(default={})


@router.get(
    "", operation_id="settings_read", response={200: SettingsOut, 304: None, **ERRORS(403)}, auth=READ, by_alias=True
)
def read(request: ApiRequest, response: HttpResponse) -> Any:
    """Read the team's settings."""
    found = selectors.team_settings(request.actor)
    return unchanged(request, response, found.etag) or found.wire


@router.patch(
    "",
    operation_id="settings_change",
    response={200: SettingsOut, **ERRORS(403, 409, 412, 415, 422)},
    auth=WRITE,
    by_alias=True,
)
def change(
    request: ApiRequest,
    response: HttpResponse,
    body: SettingsIn,
    if_match: str | None = Header(None, alias="If-Match"),
) -> Any:
    """Change the team's settings. A format must be there and its checks green or forced."""
    found = patch_settings(request.actor, body.changes, if_match=if_match, **body.editing)
    response["ETag"] = found.etag
    return found.wire


@router.get(
    "/me",
    operation_id="settings_me_read",
    response={200: PersonalOut, 304: None, **ERRORS(403)},
    auth=READ,
    by_alias=True,
    exclude_unset=True,
)
def read_personal(request: ApiRequest, response: HttpResponse) -> Any:
    """Read what you have set for yourself. Browser only: a key gets 403."""
    found = selectors.personal_settings(request.actor)
    return unchanged(request, response, found.etag) or found.wire


@router.patch(
    "/me",
    operation_id="settings_me_change",
    response={200: PersonalOut, **ERRORS(403, 409, 412, 415, 422)},
    auth=READ,
    by_alias=True,
    exclude_unset=True,
)
def change_personal(
    request: ApiRequest,
    response: HttpResponse,
    body: SettingsIn,
    if_match: str | None = Header(None, alias="If-Match"),
) -> Any:
    """Change what you have set for yourself. Browser only: a key gets 403."""
    found = patch_personal(request.actor, body.changes, if_match=if_match, **body.editing)
    response["ETag"] = found.etag
    return found.wire
