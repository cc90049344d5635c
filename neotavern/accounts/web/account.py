"""My account: password, e-mail address, browsers logged in, second factor, language, teams."""

from __future__ import annotations

from typing import Any, cast

from allauth.account.adapter import get_adapter
from allauth.mfa.utils import is_mfa_enabled
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from neotavern.accounts import events, mail, selectors, sessions
from neotavern.accounts.models import Role, User
from neotavern.accounts.web.browsers import browser_name
from neotavern.accounts.web_access import account_page


class EmailForm(forms.Form):
    """An address, or none; with the password, since who has the address can ask for a new one."""

    email = forms.EmailField(required=False, max_length=254)
    password = forms.CharField(strip=False)

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        self.user = user
        super().__init__(*args, **kwargs)

    def clean_password(self) -> str:
        """Check the password, within the limits of log-in."""
        password: str = self.cleaned_data["password"]
        adapter = get_adapter()
        if not adapter.reauthenticate(self.user, password):
            raise adapter.validation_error("incorrect_password")
        return password


def _person(request: HttpRequest) -> User:
    return cast(User, request.user)


@never_cache
@require_GET
@account_page
def account(request: HttpRequest) -> HttpResponse:
    """Show everything about the account."""
    return _shown(request, EmailForm(_person(request), initial={"email": _person(request).email}), 200)


def _shown(request: HttpRequest, form: EmailForm, status: int) -> HttpResponse:
    user = _person(request)
    found = sessions.of(request, user)
    context = {
        "email_form": form,
        "has_mail": mail.is_configured(),
        "has_factor": is_mfa_enabled(user),
        "sessions": [{"one": one, "browser": browser_name(one.browser)} for one in found],
        "teams": [{"team": team, "role": Role(team.role).label} for team in selectors.teams_of(user)],
        "section": "account",
    }
    return render(request, "accounts/account.html", context, status=status)


@require_POST
@account_page
def email(request: HttpRequest) -> HttpResponseBase:
    """Store the address that a link for a new password would go to."""
    user = _person(request)
    form = EmailForm(user, request.POST)
    if not form.is_valid():
        return _shown(request, form, 422)
    address = form.cleaned_data["email"]
    if address != user.email:
        User.objects.filter(pk=user.pk).update(email=address)
        events.record(request, user, events.EMAIL)
    messages.success(request, _("Your e-mail address was stored.") if address else _("You have no e-mail address now."))
    return redirect("account")


@require_POST
@account_page
def end_sessions(request: HttpRequest) -> HttpResponseBase:
    """Log out everywhere else."""
    user = _person(request)
    ended = sessions.end_others(request, user)
    if ended:
        events.record(request, user, events.SESSION_END, after=str(ended))
    messages.success(request, _("You are logged in only here now."))
    return redirect("account")


@require_POST
@account_page
def end_session(request: HttpRequest, session_id: int) -> HttpResponseBase:
    """Log out of one other browser; one that has ended meanwhile is fine, too."""
    user = _person(request)
    if sessions.end(request, user, session_id):
        events.record(request, user, events.SESSION_END, after="1")
    messages.success(request, _("That browser is logged out."))
    return redirect("account")
