"""Page addresses of people: logging in and out, changing one's password."""

from __future__ import annotations

from django.contrib.auth import views
from django.urls import URLPattern, path

from neotavern.accounts.web.invitations import invitation
from neotavern.accounts.web.pages import LoginPage, PasswordPage

urlpatterns: list[URLPattern] = [
    path("login/", LoginPage.as_view(), name="login"),
    path("logout/", views.LogoutView.as_view(), name="logout"),
    path("account/password/", PasswordPage.as_view(), name="password-change"),
    path("invitation/<str:token>/", invitation, name="invitation"),
]
