"""/keys: programs' keys of the caller's team."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest
from ninja import Router, Status

from neotavern.accounts import permissions, selectors
from neotavern.accounts.api.shapes import KeyIn, KeyList, KeyMade, KeyOut
from neotavern.accounts.auth import ApiRequest
from neotavern.accounts.models import ApiKey
from neotavern.accounts.services import keys
from neotavern.ground.errors import invalid
from neotavern.ground.http import ERRORS

router = Router(tags=["Keys"], by_alias=True)


@router.get("/keys", response={200: KeyList, **ERRORS(403)})
def list_keys(request: HttpRequest) -> KeyList:
    """Return the records of the team's keys, newest first, revoked ones included."""
    actor = cast(ApiRequest, request).actor
    permissions.require(actor, "administer")
    return KeyList(items=[_out(row) for row in selectors.api_keys(actor)])


@router.post("/keys", response={201: KeyMade, **ERRORS(403, 415, 422)})
def make_key(request: HttpRequest, body: KeyIn) -> Any:
    """Make a key and show it this once."""
    if body.expires_at is not None and body.expires_at.tzinfo is None:
        raise invalid("expiresAt", "Say which time zone: 2027-01-31T12:00:00Z.")
    made = keys.make_key(
        actor=cast(ApiRequest, request).actor, name=body.name, scopes=body.scopes, expires_at=body.expires_at
    )
    return Status(201, KeyMade(id=made.id, key=made.key, prefix=made.prefix, scopes=list(made.scopes)))


@router.delete("/keys/{key_id}", response={204: None, **ERRORS(403, 404, 422)})
def revoke_key(request: HttpRequest, key_id: int) -> Any:
    """End a key at once; its record stays."""
    keys.revoke_key(actor=cast(ApiRequest, request).actor, key_id=key_id)
    return Status(204, None)


def _out(row: ApiKey) -> KeyOut:
    return KeyOut(
        id=row.pk,
        name=row.name,
        prefix=row.prefix,
        scopes=row.scopes.split(),
        made_by=row.made_by_name,
        created_at=row.created_at,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        last_used_at=row.last_used_at,
    )
