"""Page addresses of people: logging in and out, the account, second factors, the team's administration.

django-allauth's views are named here one by one: what is not named (signing up, e-mail lists, social log-in, passkeys)
does not exist.
"""

from __future__ import annotations

from allauth.account.views import PasswordResetDoneView, PasswordResetFromKeyDoneView
from django.urls import URLPattern, path, re_path
from django.views.generic import TemplateView

from neotavern.accounts.web import account, keys, members, second_factor, teams, trail
from neotavern.accounts.web.invitations import invitation
from neotavern.accounts.web.pages import LoginPage, LogoutPage, PasswordPage, ResetLinkPage, ResetPage

ENTRANCE: list[URLPattern] = [
    path("login/", LoginPage.as_view(), name="login"),
    path("login/", LoginPage.as_view(), name="account_login"),
    path("login/code/", second_factor.CodePage.as_view(), name="mfa_authenticate"),
    path("login/inactive/", TemplateView.as_view(template_name="accounts/inactive.html"), name="account_inactive"),
    path("logout/", LogoutPage.as_view(), name="logout"),
    path("password/reset/", ResetPage.as_view(), name="account_reset_password"),
    path(
        "password/reset/sent/",
        PasswordResetDoneView.as_view(template_name="accounts/reset_sent.html"),
        name="account_reset_password_done",
    ),
    re_path(
        r"^password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        ResetLinkPage.as_view(),
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/done/",
        PasswordResetFromKeyDoneView.as_view(template_name="accounts/reset_done.html"),
        name="account_reset_password_from_key_done",
    ),
    path("invitation/<str:token>/", invitation, name="invitation"),
]

ACCOUNT: list[URLPattern] = [
    path("account/", account.account, name="account"),
    path("account/email/", account.email, name="account-email"),
    path("account/password/", PasswordPage.as_view(), name="password-change"),
    path("account/sessions/end/", account.end_sessions, name="sessions-end"),
    path("account/sessions/<int:session_id>/end/", account.end_session, name="session-end"),
    path("account/confirm/", second_factor.PasswordAgainPage.as_view(), name="account_reauthenticate"),
    path("account/confirm/code/", second_factor.CodeAgainPage.as_view(), name="mfa_reauthenticate"),
    path("account/second-factor/", second_factor.to_account, name="mfa_index"),
    path("account/second-factor/on/", second_factor.FactorOnPage.as_view(), name="mfa_activate_totp"),
    path("account/second-factor/off/", second_factor.FactorOffPage.as_view(), name="mfa_deactivate_totp"),
    path("account/second-factor/codes/", second_factor.CodesPage.as_view(), name="mfa_view_recovery_codes"),
    path("account/second-factor/codes/new/", second_factor.NewCodesPage.as_view(), name="mfa_generate_recovery_codes"),
    path("account/teams/new/", teams.new_team, name="team-new"),
]

TEAM: list[URLPattern] = [
    path("t/<slug:team>/people/", members.people, name="people"),
    path("t/<slug:team>/people/invite/", members.invite, name="people-invite"),
    path("t/<slug:team>/people/add/", members.add, name="people-add"),
    path("t/<slug:team>/people/invitations/<int:invitation_id>/revoke/", members.revoke, name="invitation-revoke"),
    path("t/<slug:team>/people/<str:username>/role/", members.role, name="member-role"),
    path("t/<slug:team>/people/<str:username>/remove/", members.remove, name="member-remove"),
    path("t/<slug:team>/keys/", keys.keys, name="keys"),
    path("t/<slug:team>/keys/<int:key_id>/revoke/", keys.revoke, name="key-revoke"),
    path("t/<slug:team>/audit/", trail.trail, name="audit"),
    path("t/<slug:team>/audit/export/", trail.export, name="audit-export"),
    path("t/<slug:team>/team/", teams.team_settings, name="team-settings"),
]

urlpatterns: list[URLPattern] = ENTRANCE + ACCOUNT + TEAM
