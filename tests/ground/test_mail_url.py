"""EMAIL_URL: what it says, and what ends the start."""

from __future__ import annotations

import pytest

from neotavern.ground.env import SettingsError
from neotavern.ground.mail_url import MailServer, parse


def test_nothing_is_no_mail() -> None:
    assert parse("EMAIL_URL", "") is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://mail?from=a@b.c", MailServer("mail", 25, "", "", False, False, "a@b.c")),
        ("smtp+tls://u:p%40ss@mail?from=a@b.c", MailServer("mail", 587, "u", "p@ss", True, False, "a@b.c")),
        ("smtps://mail:999?from=a@b.c", MailServer("mail", 999, "", "", False, True, "a@b.c")),
    ],
)
def test_a_server(url: str, expected: MailServer) -> None:
    assert parse("EMAIL_URL", url) == expected


@pytest.mark.parametrize(
    "url", ["imap://mail?from=a@b.c", "smtp://mail", "smtp://?from=a@b.c", "smtp://mail:x?from=a@b.c"]
)
def test_a_wrong_one_names_the_variable(url: str) -> None:
    with pytest.raises(SettingsError, match=r"^EMAIL_URL: "):
        parse("EMAIL_URL", url)
