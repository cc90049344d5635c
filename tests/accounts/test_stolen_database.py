"""Who steals a copy of the database can neither log in nor call the API: no secret stands in any table."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.cache import cache
from django.db import connection
from django.test import Client

from neotavern.accounts import selectors
from neotavern.accounts.models import ApiKey, Invitation
from tests.teams import TeamTestCase

PASSWORD = "lantern on the quay"


def every_value() -> Iterator[str]:
    """Everything that a dump would hold, as text."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            for row in cursor.fetchall():
                yield from (_text(value) for value in row)


def _text(value: Any) -> str:
    return bytes(value).decode("latin-1") if isinstance(value, bytes | memoryview) else str(value)


class StolenDatabaseTests(TeamTestCase):
    def setUp(self) -> None:
        super().setUp()
        cache.clear()
        self.alice.user.set_password(PASSWORD)
        self.alice.user.save()

    def secrets(self) -> dict[str, str]:
        """Use everything that has a secret, and return the secrets as their owners know them."""
        browser = Client()
        browser.post("/login/", {"username": "alice", "password": PASSWORD})
        page = browser.post("/t/tavern/people/invite/", {"role": "editor"}).content.decode()
        link = re.search(r"/invitation/([\w-]+)/", page)
        browser.post("/account/confirm/?next=/account/second-factor/on/", {"password": PASSWORD})
        page = browser.get("/account/second-factor/on/").content.decode()
        factor = re.search(r'class="secret">([A-Z2-7 ]+)<', page)
        assert link is not None
        assert factor is not None
        secret = factor[1].replace(" ", "")
        pending = {"factor while it is being set up": secret}
        self.assert_nowhere(pending)
        browser.post(
            "/account/second-factor/on/", {"code": format_hotp_value(hotp_value(secret, int(time.time()) // 30))}
        )
        codes = re.search(r'id="codes">(\d+)', browser.get("/account/second-factor/codes/").content.decode())
        assert codes is not None
        return {
            "password": PASSWORD,
            "key": self.alice.key,
            "invitation": link[1],
            "session": browser.cookies["sessionid"].value,
            "second factor": secret,
            "recovery code": codes[1],
        }

    def assert_nowhere(self, secrets: dict[str, str]) -> None:
        dump = "\n".join(every_value())
        self.assertEqual([name for name, secret in secrets.items() if secret in dump], [])

    def test_no_secret_stands_in_any_table(self) -> None:
        self.assert_nowhere(self.secrets())

    def test_what_the_tables_hold_is_accepted_nowhere(self) -> None:
        self.secrets()
        for row in ApiKey.objects.all():
            for text in (row.digest, row.prefix, f"nt_{row.digest}"):
                self.assertIsNone(selectors.key_actor(text))
        for row in Invitation.objects.all():
            self.assertEqual(self.client.get(f"/invitation/{row.digest}/").status_code, 404)
        for value in {value for value in every_value() if re.fullmatch(r"[0-9a-z]{32,64}", value)}:
            thief = Client()
            thief.cookies["sessionid"] = value
            self.assertEqual(thief.get("/account/").status_code, 302)
