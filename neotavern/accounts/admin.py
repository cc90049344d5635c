"""Django's admin for what has no page: closing an account, making a superuser, seeing which teams there are.

A site of its own: other applications (django-allauth's too) register tables on Django's default site that hold session
keys and secrets, and those are nobody's to read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from neotavern.accounts.models import Team, User
from neotavern.accounts.web.pages import LogoutPage

if TYPE_CHECKING:
    UserAdminBase = admin.ModelAdmin[User]
    TeamAdminBase = admin.ModelAdmin[Team]
else:
    UserAdminBase = TeamAdminBase = admin.ModelAdmin  # generic for the type checker only


class Administration(admin.AdminSite):
    """For superusers; log-in is our page, with its limits and second factor."""

    site_header = site_title = "NeoTavern"
    index_title = _("Administration")

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the person may be here: superusers only."""
        return bool(request.user.is_active and getattr(request.user, "is_superuser", False))

    def password_change(  # type: ignore[override]  # the stubs know of templates only
        self, request: HttpRequest, extra_context: Any = None
    ) -> HttpResponseBase:
        """Lead to our page: it ends other sessions and records the change."""
        return redirect("password-change")

    def logout(  # type: ignore[override]
        self, request: HttpRequest, extra_context: Any = None
    ) -> HttpResponseBase:
        """Log out as everywhere else, recorded."""
        return LogoutPage.as_view()(request)


administration = Administration(name="admin")
administration.login = secure_admin_login(administration.login)  # type: ignore[method-assign]


class UserAdmin(UserAdminBase):
    """Accounts: closed and opened here, never made, renamed or deleted. Passwords are not shown, not even as hashes."""

    list_display = ("username", "is_active", "is_superuser", "last_login", "date_joined")
    list_filter = ("is_active", "is_superuser")
    search_fields = ("username",)
    fields = ("username", "is_active", "is_staff", "is_superuser", "last_login", "date_joined")
    readonly_fields = ("username", "last_login", "date_joined")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: invitations and the page of people make accounts."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: what a person wrote keeps its author. A closed account logs in no more."""
        return False


class TeamAdmin(TeamAdminBase):
    """Teams, to look at; each has its own pages for the rest."""

    list_display = ("slug", "name", "created_at")
    search_fields = ("slug", "name")
    fields = readonly_fields = ("slug", "name", "policy", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: the page of new teams makes them."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False


administration.register(User, UserAdmin)
administration.register(Team, TeamAdmin)
