"""A new team, and what a team decides for itself: its name, protected labels, who sets its defaults."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from neotavern.accounts import policy as policies
from neotavern.accounts import selectors
from neotavern.accounts.models import Team, User
from neotavern.accounts.services import teams
from neotavern.accounts.web_access import PageRequest, account_page, team_page
from neotavern.ground.errors import AppError


@require_http_methods(["GET", "POST"])
@account_page
def new_team(request: HttpRequest) -> HttpResponseBase:
    """Make a team; whoever makes it owns it."""
    name, error = request.POST.get("name", ""), None
    if request.method == "POST":
        try:
            team = _make(request, name)
        except AppError as refusal:
            error = refusal
        else:
            messages.success(request, _("%(team)s is yours. Invite others here.") % {"team": team.name})
            return redirect("people", team=team.slug)
    return render(request, "team/new.html", {"name": name, "error": error}, status=error.status if error else 200)


def _make(request: HttpRequest, name: str) -> Team:
    return teams.make_team(
        user=cast(User, request.user), name=name, now=timezone.now(), request_id=getattr(request, "request_id", "")
    )


@require_http_methods(["GET", "POST"])
@team_page("administer")
def team_settings(request: PageRequest, team: str) -> HttpResponseBase:
    """Show and change name and policy."""
    row = selectors.team_of(request.actor)
    policy = policies.parse(row.policy)
    shown = {
        "name": row.name,
        "labels": "\n".join(sorted(policy.protected_labels)),
        "settings_by": policy.settings_by,
        "context_templates_for": policy.context_templates_for,
    }
    error = None
    if request.method == "POST":
        unsaid = {"context_templates_for": policy.context_templates_for}
        shown = {key: request.POST.get(key, unsaid.get(key, "")) for key in shown}
        try:
            wanted = policies.checked(shown["labels"].split(), shown["settings_by"], shown["context_templates_for"])
            teams.change_team(actor=request.actor, name=shown["name"], policy=wanted)
        except AppError as refusal:
            error = refusal
        else:
            messages.success(request, _("The settings of the team were stored."))
            return redirect("team-settings", team=team)
    context = shown | {"error": error, "section": "team", "tab": "settings", "slug": row.slug}
    return render(request, "team/settings.html", context, status=error.status if error else 200)
