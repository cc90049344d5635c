"""Teams: made by whoever has an account, named and given a policy by their administrators."""

from __future__ import annotations

import json
import secrets
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from neotavern.accounts import audit, permissions, selectors
from neotavern.accounts.actor import Actor
from neotavern.accounts.models import Membership, Role, Team, User
from neotavern.accounts.policy import Policy
from neotavern.ground.errors import conflict, invalid

MAX_OWNED = 50
"""Teams that one person may own: enough for anyone, and a script can not fill the table."""


@transaction.atomic
def make_team(*, user: User, name: str, now: datetime, request_id: str = "") -> Team:
    """Make a team and its first owner.

    Accounts come from invitations only, so whoever has one may make teams of their own. Raises VALIDATION for a name
    without letters or digits, CONFLICT past MAX_OWNED.
    """
    chosen = _name(name)
    User.objects.select_for_update().get(pk=user.pk)  # two requests at once count one after the other
    if Membership.objects.filter(user=user, role=Role.OWNER).count() >= MAX_OWNED:
        raise conflict(_("You own %(most)s teams already.") % {"most": MAX_OWNED})
    team = _insert(chosen)
    Membership.objects.create(team=team, user=user, role=Role.OWNER)
    actor = selectors.member_actor(user, team.slug, now=now, request_id=request_id)
    assert actor is not None  # noqa: S101 - the membership was made above
    audit.record(actor, "team.make", item_kind="team", item_slug=team.slug, after=chosen)
    return team


def _name(text: str) -> str:
    name = " ".join(text.split())
    if not slugify(name):
        raise invalid("name", _("A team needs a name with letters or digits."))
    if len(name) > 200:
        raise invalid("name", _("A name has at most 200 characters."))
    return name


def _insert(name: str) -> Team:
    """Store a team under a slug that is free; a taken one is not told, another team does not exist for the asker."""
    base = slugify(name)[:56].strip("-")
    slug = base
    for _attempt in range(20):
        try:
            with transaction.atomic():
                return Team.objects.create(slug=slug, name=name)
        except IntegrityError:
            slug = f"{base}-{secrets.token_hex(3)}"
    raise conflict(_("No free address was found for this name: choose another."))


@transaction.atomic
def change_team(*, actor: Actor, name: str | None = None, policy: Policy | None = None) -> Team:
    """Change name and policy of the caller's team; None stays. The slug never changes: addresses hold it."""
    permissions.require(actor, "administer")
    team = Team.objects.select_for_update().get(pk=actor.team_id)
    before = {"name": team.name, "policy": team.policy}
    after = {
        "name": before["name"] if name is None else _name(name),
        "policy": before["policy"] if policy is None else policy.stored(),
    }
    changed = [key for key in before if before[key] != after[key]]
    if changed:
        Team.objects.filter(pk=team.pk).update(**after)
        audit.record(
            actor,
            "team.change",
            item_kind="team",
            item_slug=team.slug,
            before=_shown(before, changed),
            after=_shown(after, changed),
        )
        team.name, team.policy = after["name"], after["policy"]
    return team


def _shown(values: dict[str, str], keys: list[str]) -> str:
    shown = {key: json.loads(values[key] or "{}") if key == "policy" else values[key] for key in keys}
    return json.dumps(shown, ensure_ascii=False)
