"""Pages of people: Django's own views with our templates."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.http import HttpResponse
from django.urls import reverse_lazy
from django.utils.translation import gettext as _


class LoginPage(LoginView):
    """The log-in page; who is logged in already goes straight home."""

    template_name = "accounts/login.html"
    redirect_authenticated_user = True


class PasswordPage(LoginRequiredMixin, PasswordChangeView):
    """Changes the password and stays logged in."""

    template_name = "accounts/password.html"
    success_url = reverse_lazy("password-change")

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        """Store the password and say so."""
        messages.success(self.request, _("Your password was changed. You stay logged in here."))
        return super().form_valid(form)
