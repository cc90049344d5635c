"""What django-allauth asks us: addresses of clients, words of its errors, its mail, and how its secrets are stored."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from neotavern.accounts import events, mail, secret_box
from neotavern.accounts.client_address import client_address


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Accounts by user name; nobody signs up by himself."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": _("User name and password do not match. Both are case-sensitive."),
        "too_many_login_attempts": _("Too many failed attempts. Wait five minutes, then try again."),
        "incorrect_password": _("This is not your password."),
        "invalid_password_reset": _("This link was used already or is too old."),
        "rate_limited": _("Too many attempts. Wait a few minutes, then try again."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Only invitations make accounts."""
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that log-in limits count by."""
        return client_address(request)

    def is_ajax(self, request: HttpRequest) -> bool:
        """Pages are for browsers: nothing is answered in JSON."""
        return False

    def add_message(self, *args: Any, **kwargs: Any) -> None:
        """Stay quiet: our pages say themselves what happened."""

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Record the failed attempt in the teams of the account, when there is such an account."""
        events.log_in_failed(request, str(credentials.get("username", "")))

    def send_password_reset_mail(self, user: Any, email: str, context: dict[str, Any]) -> None:
        """Mail the link that sets a new password."""
        mail.send(
            email,
            gettext("A new password for NeoTavern"),
            gettext(
                "Somebody, probably you, asked for a new password of the account %(name)s.\n\n"
                "Set it here:\n%(url)s\n\nThe link works once. If it was not you, nothing has to be done."
            )
            % {"name": user.get_username(), "url": context["password_reset_url"]},
        )


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Secrets of second factors are sealed, so that a copy of the database makes no codes."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("This code is wrong, too old, or was used already."),
    }

    def encrypt(self, text: str) -> str:
        """Return what the database keeps."""
        return secret_box.seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Return the secret again."""
        return secret_box.unseal(encrypted_text)

    def get_totp_issuer(self) -> str:
        """Return the name that the person's app shows."""
        return "NeoTavern"
