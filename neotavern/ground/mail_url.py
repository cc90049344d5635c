"""Reads EMAIL_URL: `smtp+tls://user:password@host:587?from=prompts@example.org`."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

from neotavern.ground.env import SettingsError

PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
"""Port of each scheme when the URL names none: plain, STARTTLS, TLS from the first byte."""


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mail is handed in and whom it comes from."""

    host: str
    port: int
    user: str
    password: str
    starttls: bool
    tls: bool
    sender: str


def parse(name: str, value: str) -> MailServer | None:
    """Return the server that the variable `name` tells, or None for empty text. A wrong value ends the start."""
    if not value:
        return None
    parts = urlsplit(value)
    if parts.scheme not in PORTS:
        raise SettingsError(name, f"{parts.scheme!r} is not one of the schemes {', '.join(PORTS)}")
    try:
        port = parts.port or PORTS[parts.scheme]
    except ValueError as error:
        raise SettingsError(name, str(error)) from error
    sender = parse_qs(parts.query).get("from", [""])[0]
    if not parts.hostname or "@" not in sender:
        raise SettingsError(name, "write smtp+tls://user:password@host:587?from=prompts@example.org")
    return MailServer(
        host=parts.hostname,
        port=port,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starttls=parts.scheme == "smtp+tls",
        tls=parts.scheme == "smtps",
        sender=sender,
    )
