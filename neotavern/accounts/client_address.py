"""The address of the browser: what the connection says, or the proxies in front that NEOTAVERN_PROXIES counts."""

from __future__ import annotations

import ipaddress

from django.conf import settings
from django.http import HttpRequest

UNKNOWN = "0.0.0.0"  # noqa: S104 - not bound to: stands for a connection without an address


def client_address(request: HttpRequest) -> str:
    """Return the client's address.

    A proxy appends whom it heard from to `X-Forwarded-For`, so with n proxies of ours the n-th from the end is true
    and everything before it may be made up.
    """
    proxies: int = settings.TRUSTED_PROXIES
    forwarded = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    if proxies and len(forwarded) >= proxies:
        return _checked(forwarded[-proxies])
    return _checked(request.META.get("REMOTE_ADDR", ""))


def _checked(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return UNKNOWN
