"""The page behind an invitation link: who is logged in joins, who has no account makes one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import UserCreationForm
from django.db import transaction
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from neotavern.accounts import events, selectors, sessions
from neotavern.accounts.client_address import client_address
from neotavern.accounts.models import User
from neotavern.accounts.services import invitations

if TYPE_CHECKING:
    NewUserForm = UserCreationForm[User]
else:
    NewUserForm = UserCreationForm  # generic for the type checker only


class AccountForm(NewUserForm):
    """User name and password of a new account."""

    class Meta:
        model = User
        fields = ("username",)


@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponseBase:
    """Show what the invitation is for; a POST joins. A used or unknown link is 404."""
    open_invitation = selectors.invitation(token, timezone.now())
    user = request.user if isinstance(request.user, User) else None
    form = None if user else AccountForm(request.POST or None)
    if request.method == "POST" and (form is None or form.is_valid()):
        return _join(request, token, user, form)
    context = {"invitation": open_invitation, "form": form, "token": token}
    return render(request, "accounts/invitation.html", context, status=422 if form and form.errors else 200)


def _join(request: HttpRequest, token: str, user: User | None, form: Any) -> HttpResponseBase:
    now, request_id = timezone.now(), getattr(request, "request_id", "")
    with transaction.atomic():  # a link that somebody else was quicker with leaves no account behind
        person: User = user or form.save()
        membership = invitations.accept(user=person, token=token, now=now, request_id=request_id)
    if user is None:
        login(request, person)
        sessions.note(request, person)
        events.record(request, person, events.LOG_IN, after=client_address(request))
    messages.success(request, _("You are a member of %(team)s now.") % {"team": membership.team.name})
    return redirect("library-list", team=membership.team.slug)
