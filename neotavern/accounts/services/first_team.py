"""The first team, its owner and its first key: what `quickstart` makes on an empty installation."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.db import transaction

from neotavern.accounts import audit, selectors
from neotavern.accounts.actor import SCOPES
from neotavern.accounts.models import ApiKey, Membership, Role, Team, User
from neotavern.accounts.services import keys

TEAM_SLUG = "home"
USER_NAME = "admin"
KEY_NAME = "first key"


@dataclass(frozen=True, slots=True)
class FirstTeam:
    """What was made now; None for what had been there before."""

    password: str | None
    key: str | None


@transaction.atomic
def make_first_team(*, password: str = "", key: str = "") -> FirstTeam:
    """Make team `home`, administrator `admin` and a key with all scopes, each only where missing.

    `password` and `key` replace the random ones, also on a later run: that is how they are reset.
    """
    team, _ = Team.objects.get_or_create(slug=TEAM_SLUG, defaults={"name": "Home"})
    new_password = _ensure_owner(team, password)
    new_key = _ensure_key(team, key)
    return FirstTeam(password=new_password, key=new_key)


def _ensure_owner(team: Team, password: str) -> str | None:
    user, made = User.objects.get_or_create(username=USER_NAME, defaults={"is_staff": True, "is_superuser": True})
    Membership.objects.get_or_create(team=team, user=user, defaults={"role": Role.OWNER})
    if not made and (not password or user.check_password(password)):
        return None
    chosen = password or secrets.token_urlsafe(12)
    user.set_password(chosen)
    user.save(update_fields=["password"])
    audit.record(selectors.command_actor(team), "user.password", item_kind="user", item_slug=USER_NAME)
    return chosen


def _ensure_key(team: Team, key: str) -> str | None:
    if key and ApiKey.objects.filter(digest=keys.digest(key)).exists():
        return None
    if not key and ApiKey.objects.filter(team=team).exists():
        return None
    actor = selectors.command_actor(team)
    return keys.make_key(actor=actor, name=KEY_NAME, scopes=SCOPES, key=key or None).key
