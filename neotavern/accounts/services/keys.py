"""API keys: made, shown once, found again by digest, revoked with their record kept."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from neotavern.accounts import audit, permissions
from neotavern.accounts.actor import SCOPES, Actor
from neotavern.accounts.models import ApiKey
from neotavern.ground.errors import invalid, not_found

PREFIX_CHARACTERS = 9
"""Characters of a key that its record shows: `nt_` and six more."""


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key at the only moment when its text is known."""

    id: int
    key: str
    prefix: str
    scopes: tuple[str, ...]


def digest(key: str) -> str:
    """Return what is stored of a key. It is 32 random bytes, so a plain SHA-256 can not be searched backwards."""
    return hashlib.sha256(key.encode("utf-8")).hexdigest()


def generate() -> str:
    """Return a new key with 256 random bits."""
    return "nt_" + secrets.token_urlsafe(32)


@transaction.atomic
def make_key(
    *, actor: Actor, name: str, scopes: Sequence[str], expires_at: datetime | None = None, key: str | None = None
) -> NewKey:
    """Store a key of the actor's team and return its text, once.

    Raises FORBIDDEN without the right to administer, VALIDATION for unknown or no scopes and for an expiry in the past.
    """
    permissions.require(actor, "administer")
    chosen = tuple(scope for scope in SCOPES if scope in scopes)
    if not chosen or len(set(scopes)) != len(chosen):
        raise invalid("scopes", _("Scopes are one or more of %(known)s.") % {"known": ", ".join(SCOPES)})
    if not name.strip():
        raise invalid("name", _("A key needs a name that says who uses it."))
    if expires_at is not None and expires_at <= actor.now:
        raise invalid("expiresAt", _("The expiry lies in the past."))
    text = key or generate()
    row = ApiKey.objects.create(
        team_id=actor.team_id,
        name=name.strip()[:200],
        prefix=text[:PREFIX_CHARACTERS],
        digest=digest(text),
        scopes=" ".join(chosen),
        made_by=actor.user,
        made_by_name=actor.name,
        expires_at=expires_at,
    )
    audit.record(actor, "key.make", item_kind="key", item_slug=row.prefix, after=row.scopes)
    return NewKey(id=row.pk, key=text, prefix=row.prefix, scopes=chosen)


@transaction.atomic
def revoke_key(*, actor: Actor, key_id: int) -> None:
    """End a key at once; its record stays. Raises NOT_FOUND for another team's key."""
    permissions.require(actor, "administer")
    row = ApiKey.objects.select_for_update().filter(team_id=actor.team_id, pk=key_id).first()
    if row is None:
        raise not_found("This key")
    if row.revoked_at is None:
        ApiKey.objects.filter(pk=row.pk).update(revoked_at=actor.now)
        audit.record(actor, "key.revoke", item_kind="key", item_slug=row.prefix)
