"""What happens to an account rather than in a team: logged in, password changed, second factor, sessions.

The trail belongs to teams, so each team of the person gets the entry: its administrators see what happens to the
accounts that can reach their objects.
"""

from __future__ import annotations

import logging
from typing import Any

from django.http import HttpRequest

from neotavern.accounts import audit, selectors
from neotavern.accounts.client_address import client_address
from neotavern.accounts.models import User

logger = logging.getLogger("neotavern.accounts")

LOG_IN = "account.log_in"
LOG_IN_FAILED = "account.log_in_failed"
LOG_OUT = "account.log_out"
PASSWORD = "account.password"  # noqa: S105 - the name of an event
PASSWORD_RESET = "account.password_reset"  # noqa: S105
FACTOR_ON = "account.second_factor_on"
FACTOR_OFF = "account.second_factor_off"
FACTOR_CODES = "account.recovery_codes"
FACTOR_FAILED = "account.second_factor_failed"
SESSION_END = "account.session_end"
EMAIL = "account.email"


def record(request: HttpRequest, user: User, event: str, *, before: str = "", after: str = "") -> None:
    """Append one entry to the trail of each team of `user`."""
    request_id = getattr(request, "request_id", "")
    for team in selectors.teams_of(user):
        actor = selectors.member_actor(user, team.slug, request_id=request_id)
        if actor is not None:
            audit.record(
                actor, event, item_kind="account", item_slug=user.get_username()[:128], before=before, after=after
            )


def log_in_failed(request: HttpRequest, username: str) -> None:
    """Record a wrong password; nothing but a log line for a name that nobody has."""
    address = client_address(request)
    logger.warning("log-in failed", extra={"fields": {"address": address}})
    user = User.objects.filter(username=username).first()
    if user is not None:
        record(request, user, LOG_IN_FAILED, after=address)


def on_logged_in(sender: Any, *, request: HttpRequest, user: User, **rest: Any) -> None:
    """Record a log-in through our page."""
    record(request, user, LOG_IN, after=client_address(request))


def on_password_reset(sender: Any, *, request: HttpRequest, user: User, **rest: Any) -> None:
    """Record a password set by the link in a mail."""
    record(request, user, PASSWORD_RESET)


def on_factor_added(sender: Any, *, request: HttpRequest, user: User, authenticator: Any, **rest: Any) -> None:
    """Record that the second factor is on; the recovery codes that come with it are part of that."""
    if authenticator.type == authenticator.Type.TOTP:
        record(request, user, FACTOR_ON)


def on_factor_removed(sender: Any, *, request: HttpRequest, user: User, authenticator: Any, **rest: Any) -> None:
    """Record that the second factor is off."""
    if authenticator.type == authenticator.Type.TOTP:
        record(request, user, FACTOR_OFF)


def on_factor_reset(sender: Any, *, request: HttpRequest, user: User, **rest: Any) -> None:
    """Record new recovery codes."""
    record(request, user, FACTOR_CODES)


def on_factor_failed(sender: Any, *, request: HttpRequest, user: User, **rest: Any) -> None:
    """Record a wrong code: whoever sends it has the password already."""
    record(request, user, FACTOR_FAILED, after=client_address(request))


def connect() -> None:
    """Listen to django-allauth. Django's own signals are left alone: they fire for every test client, too."""
    from allauth.account import signals as account
    from allauth.mfa import signals as factor

    for signal, receiver in (
        (account.user_logged_in, on_logged_in),
        (account.password_reset, on_password_reset),
        (factor.authenticator_added, on_factor_added),
        (factor.authenticator_removed, on_factor_removed),
        (factor.authenticator_reset, on_factor_reset),
        (factor.authentication_failed, on_factor_failed),
    ):
        signal.connect(receiver, dispatch_uid=f"neotavern.{receiver.__name__}")
