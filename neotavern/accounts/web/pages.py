"""Logging in and out, and passwords: django-allauth's views and Django's own, with our templates."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import LoginForm
from allauth.account.views import LoginView, PasswordResetFromKeyView, PasswordResetView
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import LogoutView, PasswordChangeView
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _

from neotavern.accounts import events, mail, sessions
from neotavern.accounts.models import User
from neotavern.accounts.web_access import account_page


class UserNameForm(LoginForm):  # type: ignore[misc]  # allauth has no types
    """allauth's form with the field names that password managers know."""

    def add_prefix(self, field_name: str) -> str:
        """Return the name of a field in the page."""
        return "username" if field_name == "login" else str(field_name)


class LoginPage(LoginView):  # type: ignore[misc]
    """The log-in page; who is logged in already goes straight home."""

    template_name = "accounts/login.html"
    form_class = UserNameForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add whether a new password can come by mail."""
        return {**super().get_context_data(**kwargs), "has_mail": mail.is_configured()}


class LogoutPage(LogoutView):
    """Logs out; a form asks for it, a link can not."""

    http_method_names = ["post", "options"]

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """End the session and record who left."""
        if isinstance(request.user, User):
            events.record(request, request.user, events.LOG_OUT)
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer


@method_decorator(account_page, name="dispatch")
class PasswordPage(PasswordChangeView):
    """Changes the password, stays logged in here and ends every other session."""

    template_name = "accounts/password.html"
    success_url = reverse_lazy("account")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Change the password, unless too many old ones were tried."""
        if not ratelimit.consume(request, action="change_password", user=request.user):
            return too_many(request)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        """Store the password and say so."""
        response = super().form_valid(form)
        user = self.request.user
        assert isinstance(user, User)  # noqa: S101 - account_page has seen to it
        sessions.end_others(self.request, user)
        sessions.note(self.request, user)
        events.record(self.request, user, events.PASSWORD)
        messages.success(self.request, _("Your password was changed. You stay logged in here, and only here."))
        return response


def too_many(request: HttpRequest) -> HttpResponse:
    """Answer a form that was sent too often."""
    return render(request, "429.html", status=429)


class ResetPage(PasswordResetView):  # type: ignore[misc]
    """Mails a link for a new password; without a mail server it says whom to ask."""

    template_name = "accounts/reset.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer the request; nothing is sent when nothing can be sent."""
        if not mail.is_configured():
            return render(request, "accounts/reset_without_mail.html")
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response


class ResetLinkPage(PasswordResetFromKeyView):  # type: ignore[misc]
    """The page behind the link of the mail: sets a new password and ends all sessions of the account."""

    template_name = "accounts/reset_link.html"

    def form_valid(self, form: Any) -> HttpResponse:
        """Store the password."""
        response: HttpResponse = super().form_valid(form)
        sessions.end_others(self.request, self.reset_user)
        return response
