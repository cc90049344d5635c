"""People of a team: who belongs to it with which role, open invitations, adding and removing."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from neotavern.accounts import mail, selectors
from neotavern.accounts.models import Role
from neotavern.accounts.services import invitations, members
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError


@never_cache
@require_GET
@team_page("administer")
def people(request: PageRequest, team: str) -> HttpResponse:
    """Show the members and the invitations that nobody has used yet."""
    return shown(request)


def shown(request: PageRequest, *, status: int = 200, **extra: Any) -> HttpResponse:
    """Return the page; `extra` is what a form of it has just done, or could not do."""
    rows = list(selectors.members(request.actor))
    owners = sum(row.role == Role.OWNER for row in rows)
    context = {
        "members": [
            {"row": row, "is_me": row.user == request.actor.user, "is_fixed": _is_fixed(request, row.role, owners)}
            for row in rows
        ],
        "invitations": selectors.open_invitations(request.actor),
        "roles": grantable(request),
        "has_mail": mail.is_configured(),
        "section": "team",
        "tab": "people",
        "now": request.actor.now,
    }
    return render(request, "team/people.html", context | extra, status=status)


def _is_fixed(request: PageRequest, role: str, owners: int) -> bool:
    """Owners are changed by owners, and the last one stays."""
    return role == Role.OWNER and (request.actor.role != Role.OWNER or owners == 1)


def grantable(request: PageRequest) -> list[tuple[str, str]]:
    """Return the roles that the caller may hand out, least first: value and words."""
    roles = [(role.value, str(role.label)) for role in reversed(Role)]
    return [one for one in roles if one[0] != Role.OWNER or request.actor.role == Role.OWNER]


@never_cache
@require_POST
@team_page("administer")
def invite(request: PageRequest, team: str) -> HttpResponse:
    """Make a link and show it this once; mail it when there is an address and a mail server."""
    form = {"role": request.POST.get("role", ""), "note": request.POST.get("note", "")}
    address = request.POST.get("email", "").strip()
    try:
        made = invitations.invite(actor=request.actor, role=form["role"], note=form["note"] or address)
    except AppError as error:
        return shown(request, status=error.status, invite_error=error, invite_form=form)
    link = request.build_absolute_uri(reverse("invitation", args=[made.token]))
    sent = bool(address) and _mail_link(request, address, link)
    return shown(request, status=201, link=link, link_role=Role(made.role).label, sent_to=address if sent else "")


def _mail_link(request: PageRequest, address: str, link: str) -> bool:
    team = selectors.team_of(request.actor)
    words = {"name": request.actor.name, "team": team.name, "url": link}
    return mail.send(
        address,
        _("An invitation to %(team)s on NeoTavern") % words,
        _("%(name)s invites you to the team %(team)s.\n\nJoin here:\n%(url)s\n\nThe link works once, for seven days.")
        % words,
    )


@never_cache
@require_POST
@team_page("administer")
def add(request: PageRequest, team: str) -> HttpResponseBase:
    """Make an account with a password and take it into the team."""
    form = {"username": request.POST.get("username", ""), "role": request.POST.get("role", "")}
    try:
        members.add_member(actor=request.actor, password=request.POST.get("password", ""), **form)
    except AppError as error:
        return shown(request, status=error.status, add_error=error, add_form=form)
    messages.success(request, _("%(name)s is a member now.") % {"name": form["username"].strip()})
    return redirect("people", team=team)


@require_POST
@team_page("administer")
def revoke(request: PageRequest, team: str, invitation_id: int) -> HttpResponseBase:
    """Take an invitation back."""
    invitations.revoke(actor=request.actor, invitation_id=invitation_id)
    messages.success(request, _("The invitation was taken back: its link no longer works."))
    return redirect("people", team=team)


@require_POST
@team_page("administer")
def role(request: PageRequest, team: str, username: str) -> HttpResponseBase:
    """Change a member's role."""
    changed = members.set_role(actor=request.actor, username=username, role=request.POST.get("role", ""))
    words = {"name": username, "role": Role(changed.role).label}
    messages.success(request, _("%(name)s has the role %(role)s now.") % words)
    return redirect("people" if _still_administers(request, username, changed.role) else "library-list", team=team)


def _still_administers(request: PageRequest, username: str, new_role: str) -> bool:
    return username != request.actor.name or new_role in {Role.OWNER, Role.ADMIN}


@require_http_methods(["GET", "POST"])
@team_page("administer")
def remove(request: PageRequest, team: str, username: str) -> HttpResponseBase:
    """Ask, then take a member out of the team."""
    row = selectors.member(request.actor, username)
    if request.method == "GET":
        context = {"member": row, "section": "team", "tab": "people", "is_me": row.user == request.actor.user}
        return render(request, "team/remove.html", context)
    members.remove_member(actor=request.actor, username=username)
    messages.success(request, _("%(name)s is no member any more.") % {"name": username})
    return redirect("home") if row.user == request.actor.user else redirect("people", team=team)
