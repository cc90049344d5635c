"""Reads of people and keys: who is behind this session or this key."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from neotavern.accounts import key_use
from neotavern.accounts.actor import ROLE_SCOPES, Actor, TeamChoice
from neotavern.accounts.models import ApiKey, AuditEntry, Invitation, Membership, Team, User
from neotavern.accounts.services.keys import digest
from neotavern.ground.errors import not_found


def key_actor(key: str, *, now: datetime | None = None, request_id: str = "") -> Actor | None:
    """Return the caller behind an API key, or None when the key is unknown, revoked or expired."""
    now = now or timezone.now()
    row = ApiKey.objects.select_related("team").filter(digest=digest(key), revoked_at=None).first()
    if row is None or (row.expires_at is not None and row.expires_at <= now):
        return None
    key_use.touch(row.pk, row.last_used_at, now)
    return Actor(
        team_id=row.team_id,
        team_slug=row.team.slug,
        scopes=frozenset(row.scopes.split()),
        via=f"key:{row.prefix}",
        now=now,
        key_id=row.pk,
        name=row.name,
        request_id=request_id,
    )


def member_actor(user: User, team: str | None, *, now: datetime | None = None, request_id: str = "") -> Actor | None:
    """Return `user` as a member of the team with slug `team` (None: the first one), or None when not a member."""
    memberships = Membership.objects.select_related("team").filter(user=user)
    if team is not None:
        memberships = memberships.filter(team__slug=team)
    membership = memberships.order_by("id").first()
    if membership is None:
        return None
    return Actor(
        team_id=membership.team_id,
        team_slug=membership.team.slug,
        scopes=ROLE_SCOPES[membership.role],
        via="browser",
        now=now or timezone.now(),
        role=membership.role,
        user=user,
        name=user.get_username(),
        request_id=request_id,
    )


def command_actor(team: Team, *, now: datetime | None = None) -> Actor:
    """Return the caller that management commands act as: everything is allowed to who has the machine."""
    return Actor(
        team_id=team.pk,
        team_slug=team.slug,
        scopes=ROLE_SCOPES["owner"],
        via="command",
        now=now or timezone.now(),
        role="owner",
        name="command",
    )


def teams_of(user: User) -> list[TeamChoice]:
    """Return the teams of `user`, by name."""
    rows = Membership.objects.filter(user=user).order_by("team__name").values_list("team__slug", "team__name", "role")
    return [TeamChoice(slug=slug, name=name, role=role) for slug, name, role in rows]


def team_of(actor: Actor) -> Team:
    """Return the caller's team."""
    return Team.objects.get(pk=actor.team_id)


def members(actor: Actor) -> QuerySet[Membership]:
    """Return the members of the caller's team, by name."""
    return Membership.objects.select_related("user").filter(team_id=actor.team_id).order_by("user__username")


def member(actor: Actor, username: str) -> Membership:
    """Return a member of the caller's team. Raises NOT_FOUND."""
    row = members(actor).filter(user__username=username).first()
    if row is None:
        raise not_found("This member", username=username)
    return row


def api_key(actor: Actor, key_id: int) -> ApiKey:
    """Return a key's record of the caller's team. Raises NOT_FOUND."""
    row = api_keys(actor).filter(pk=key_id).first()
    if row is None:
        raise not_found("This key")
    return row


def api_keys(actor: Actor) -> QuerySet[ApiKey]:
    """Return the keys of the caller's team, newest first."""
    return ApiKey.objects.filter(team_id=actor.team_id).order_by("-id")


def audit_entries(
    actor: Actor, *, kind: str = "", slug: str = "", action: str = "", name: str = "", before: int | None = None
) -> QuerySet[AuditEntry]:
    """Return the trail of the caller's team, newest first; empty filters match everything."""
    rows = AuditEntry.objects.filter(team_id=actor.team_id)
    wanted = {"item_kind": kind, "item_slug": slug, "action": action, "actor_name": name}
    rows = rows.filter(**{field: value for field, value in wanted.items() if value})
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return rows.order_by("-id")


def open_invitations(actor: Actor) -> QuerySet[Invitation]:
    """Return the links of the caller's team that may still be used, newest first."""
    rows = Invitation.objects.select_related("made_by").filter(team_id=actor.team_id)
    return rows.filter(used_at=None, revoked_at=None, expires_at__gt=actor.now).order_by("-id")


def administrators(team: str) -> list[str]:
    """Return the names of who administers the team with slug `team`, by name: whom to ask."""
    rows = Membership.objects.filter(team__slug=team, role__in=("owner", "admin"))
    return list(rows.order_by("user__username").values_list("user__username", flat=True))


def audit_actions(actor: Actor) -> list[str]:
    """Return the actions that the team's trail knows, by name; for the filter."""
    rows = AuditEntry.objects.filter(team_id=actor.team_id).order_by("action")
    return list(rows.values_list("action", flat=True).distinct())


def invitation(token: str, now: datetime) -> Invitation:
    """Return an invitation that may still be used. Raises NOT_FOUND for every other."""
    row = (
        Invitation.objects.select_related("team")
        .filter(digest=digest(token), used_at=None, revoked_at=None, expires_at__gt=now)
        .first()
    )
    if row is None:
        raise not_found("This invitation")
    return row
