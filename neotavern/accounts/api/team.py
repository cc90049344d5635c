"""/team and /team/members: who belongs to the caller's team."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Router, Status

from neotavern.accounts import permissions, selectors
from neotavern.accounts import policy as policies
from neotavern.accounts.api.shapes import InviteOut, MemberIn, MemberList, MemberOut, PolicyOut, RoleIn, TeamIn, TeamOut
from neotavern.accounts.auth import ApiRequest
from neotavern.accounts.conditional import unchanged
from neotavern.accounts.models import Membership, Team
from neotavern.accounts.services import invitations, members, teams
from neotavern.ground.canonical import content_hash
from neotavern.ground.errors import invalid
from neotavern.ground.http import ERRORS

router = Router(tags=["Team"], by_alias=True)


@router.get("/team", response={200: TeamOut, 304: None, **ERRORS(403)})
def read_team(request: HttpRequest, response: HttpResponse) -> Any:
    """Return the caller's team."""
    actor = cast(ApiRequest, request).actor
    permissions.require(actor, "administer")
    team = _team(selectors.team_of(actor))
    tag = f'"{content_hash(team.model_dump(mode="json"))[:20]}"'
    return unchanged(request, response, tag) or team


@router.patch("/team", response={200: TeamOut, **ERRORS(403, 415, 422)})
def change_team(request: HttpRequest, body: TeamIn) -> TeamOut:
    """Change name or policy; what is not named stays."""
    actor = cast(ApiRequest, request).actor
    permissions.require(actor, "administer")
    policy = None
    if body.policy is not None:
        now = policies.of(actor)
        labels, settings_by = body.policy.protected_labels, body.policy.settings_by
        templates_for = body.policy.context_templates_for
        policy = policies.checked(
            sorted(now.protected_labels) if labels is None else labels,
            now.settings_by if settings_by is None else settings_by,
            now.context_templates_for if templates_for is None else templates_for,
        )
    return _team(teams.change_team(actor=actor, name=body.name, policy=policy))


@router.get("/team/members", response={200: MemberList, **ERRORS(403)})
def list_members(request: HttpRequest) -> MemberList:
    """Return the members by name."""
    actor = cast(ApiRequest, request).actor
    permissions.require(actor, "administer")
    return MemberList(items=[_out(row) for row in selectors.members(actor)])


@router.post("/team/members", response={201: MemberOut | InviteOut, **ERRORS(403, 409, 415, 422)})
def add_member(request: HttpRequest, body: MemberIn) -> Any:
    """Make a user with a password a member, or (with `role` alone) an invitation link."""
    actor = cast(ApiRequest, request).actor
    if body.username is None and body.password is None:
        made = invitations.invite(actor=actor, role=body.role)
        url = request.build_absolute_uri(reverse("invitation", args=[made.token]))
        return Status(201, InviteOut(invite_url=url, role=made.role))
    permissions.require(actor, "administer")
    if body.username is None or body.password is None:
        missing = "username" if body.username is None else "password"
        raise invalid(missing, "A new user needs username and password; an invitation link needs neither.")
    row = members.add_member(actor=actor, username=body.username, role=body.role, password=body.password)
    return Status(201, _out(row))


@router.patch("/team/members/{username}", response={200: MemberOut, **ERRORS(403, 404, 409, 415, 422)})
def change_role(request: HttpRequest, username: str, body: RoleIn) -> MemberOut:
    """Change a member's role."""
    return _out(members.set_role(actor=cast(ApiRequest, request).actor, username=username, role=body.role))


@router.delete("/team/members/{username}", response={204: None, **ERRORS(403, 404, 409)})
def remove_member(request: HttpRequest, username: str) -> Any:
    """Take a member out of the team."""
    members.remove_member(actor=cast(ApiRequest, request).actor, username=username)
    return Status(204, None)


def _team(team: Team) -> TeamOut:
    policy = policies.parse(team.policy)
    shown = PolicyOut(
        protected_labels=sorted(policy.protected_labels),
        settings_by=policy.settings_by,
        context_templates_for=policy.context_templates_for,
    )
    return TeamOut(slug=team.slug, name=team.name, policy=shown)


def _out(row: Membership) -> MemberOut:
    return MemberOut(username=row.user.username, role=row.role)
