"""The account: logging in and its limits, sessions ended from elsewhere, the second factor, passwords."""

from __future__ import annotations

import re
import time

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core import mail
from django.core.cache import cache
from django.test import Client, override_settings

from neotavern.accounts.models import AuditEntry, User
from tests.web.case import PageCase

LANTERN = "lantern on the quay"


def totp(secret: str, ahead: int = 0) -> str:
    """The code that an app would show now, or `ahead` periods later."""
    return format_hotp_value(hotp_value(secret.replace(" ", ""), int(time.time()) // 30 + ahead))


# the real hash is slow on purpose, and tests/accounts/test_stolen_database.py uses it
@override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"])
class AccountCase(PageCase):
    def setUp(self) -> None:
        super().setUp()
        cache.clear()
        self.alice.user.set_password(LANTERN)
        self.alice.user.save()
        self.addCleanup(cache.clear)

    def log_in(self, client: Client | None = None, password: str = LANTERN, **more: str) -> int:
        """Log Alice in and return the status: 302 when it worked."""
        client = client or self.client
        return client.post("/login/", {"username": "alice", "password": password, **more}).status_code

    def events(self) -> list[str]:
        """What the trail of Alice's team says about accounts, oldest first."""
        rows = AuditEntry.objects.filter(team_id=self.team.pk, item_kind="account").order_by("id")
        return list(rows.values_list("action", flat=True))


class LogInLimitTests(AccountCase):
    def test_after_five_failures_the_right_password_waits_too(self) -> None:
        for _ in range(5):
            self.assertEqual(self.log_in(password="wrong"), 200)
        text = self.assert_is(self.client.post("/login/", {"username": "alice", "password": LANTERN}), 200)
        self.assertIn("Too many failed attempts", text)

    def test_other_people_are_not_held_up(self) -> None:
        for _ in range(6):
            self.log_in(password="wrong")
        self.bob.user.set_password(LANTERN)
        self.bob.user.save()
        self.assertEqual(self.client.post("/login/", {"username": "bob", "password": LANTERN}).status_code, 302)

    def test_one_address_that_tries_many_names_is_held_up(self) -> None:
        statuses = [
            self.client.post("/login/", {"username": f"name{number}", "password": "x"}).status_code
            for number in range(31)
        ]
        self.assertEqual(statuses[-1], 429)
        self.assertIn("Too many attempts", self.assert_is(self.client.post("/login/", {"username": "a"}), 429))

    @override_settings(TRUSTED_PROXIES=1)
    def test_behind_a_proxy_each_browser_counts_alone(self) -> None:
        for number in range(31):
            forwarded = f"10.9.9.9, 203.0.113.{number}"
            answer = self.client.post("/login/", {"username": f"n{number}"}, headers={"X-Forwarded-For": forwarded})
            self.assertEqual(answer.status_code, 200)

    def test_without_a_proxy_the_header_is_not_believed(self) -> None:
        for number in range(30):
            self.client.post("/login/", {"username": f"n{number}"}, headers={"X-Forwarded-For": f"203.0.113.{number}"})
        answer = self.client.post("/login/", {"username": "n"}, headers={"X-Forwarded-For": "203.0.113.99"})
        self.assertEqual(answer.status_code, 429)

    def test_a_key_is_never_held_up_by_it(self) -> None:
        for _ in range(31):
            self.log_in(password="wrong")
        self.assertEqual(self.get(self.alice, "/api/v1/formats").status_code, 200)


class AddressTests(AccountCase):
    def test_what_we_do_not_offer_is_not_there(self) -> None:
        self.log_in()
        for path in (
            "/signup/",
            "/accounts/signup/",
            "/accounts/login/",
            "/account/email/manage/",
            "/confirm-email/",
            "/accounts/google/login/",
            "/account/second-factor/webauthn/",
            "/account/2fa/webauthn/",
            "/accounts/password/set/",
        ):
            with self.subTest(path=path):
                self.assertEqual(self.client.get(path).status_code, 404)

    def test_pages_of_the_account_are_for_who_is_logged_in(self) -> None:
        for path in (
            "/account/",
            "/account/password/",
            "/account/confirm/",
            "/account/confirm/code/",
            "/account/second-factor/on/",
            "/account/second-factor/off/",
            "/account/second-factor/codes/",
            "/account/second-factor/codes/new/",
            "/account/teams/new/",
        ):
            with self.subTest(path=path):
                self.assert_to_login(self.client.get(path))
        for path in ("/account/email/", "/account/sessions/end/", "/account/sessions/1/end/"):
            with self.subTest(path=path):
                self.assert_to_login(self.client.post(path))

    def test_each_person_sees_the_own_account(self) -> None:
        for who in (self.alice, self.bob, self.charlie):
            self.client.force_login(who.user)
            self.assertIn(f'<span class="muted">{who.name}</span>', self.assert_is(self.client.get("/account/"), 200))

    def test_who_is_in_no_team_reaches_the_account_too(self) -> None:
        self.client.force_login(User.objects.create(username="erin"))
        self.assertIn("You are in no team", self.assert_is(self.client.get("/account/"), 200))

    def test_a_closed_account_is_told_so_only_with_its_password(self) -> None:
        User.objects.filter(pk=self.alice.user.pk).update(is_active=False)
        self.assertIn(
            "do not match", self.assert_is(self.client.post("/login/", {"username": "alice", "password": LANTERN}), 200)
        )


class SessionTests(AccountCase):
    def setUp(self) -> None:
        super().setUp()
        self.here, self.there = Client(), Client(headers={"User-Agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0"})
        self.log_in(self.here)
        self.log_in(self.there)

    def is_in(self, client: Client) -> bool:
        return client.get("/t/tavern/formats/").status_code == 200

    def test_both_are_listed_and_this_one_is_marked(self) -> None:
        text = self.assert_is(self.here.get("/account/"), 200)
        self.assertIn("Firefox · Linux", text)
        self.assertEqual(text.count("this one</span>"), 1)

    def test_logging_out_elsewhere_ends_the_other(self) -> None:
        self.assert_is(self.here.post("/account/sessions/end/"), 302)
        self.assertEqual((self.is_in(self.here), self.is_in(self.there)), (True, False))
        self.assertEqual(self.events()[-1], "account.session_end")

    def test_one_of_them_is_ended(self) -> None:
        found = re.search(r"/account/sessions/(\d+)/end/", self.assert_is(self.here.get("/account/"), 200))
        assert found is not None
        self.assert_is(self.here.post(found[0]), 302)
        self.assertEqual((self.is_in(self.here), self.is_in(self.there)), (True, False))

    def test_nobody_ends_another_persons_session(self) -> None:
        found = re.search(r"/account/sessions/(\d+)/end/", self.assert_is(self.here.get("/account/"), 200))
        assert found is not None
        self.client.force_login(self.charlie.user)
        self.client.post(found[0])
        self.assertTrue(self.is_in(self.there))

    def test_a_new_password_ends_the_other(self) -> None:
        form = {"old_password": LANTERN, "new_password1": "another lantern", "new_password2": "another lantern"}
        self.assert_is(self.here.post("/account/password/", form), 302)
        self.assertEqual((self.is_in(self.here), self.is_in(self.there)), (True, False))
        self.assertEqual(self.assert_is(self.here.get("/account/"), 200).count("this one</span>"), 1)

    def test_what_the_table_holds_opens_nothing(self) -> None:
        from allauth.usersessions.models import UserSession
        from django.contrib.sessions.models import Session

        stored = set(Session.objects.values_list("session_key", flat=True))
        stored |= set(UserSession.objects.values_list("session_key", flat=True))
        self.assertNotIn(self.here.cookies["sessionid"].value, stored)
        for key in stored:
            thief = Client()
            thief.cookies["sessionid"] = key
            self.assertFalse(self.is_in(thief))

    def test_a_logged_out_browser_is_no_longer_listed(self) -> None:
        self.there.post("/logout/")
        self.assertNotIn("Firefox", self.assert_is(self.here.get("/account/"), 200))


class SecondFactorTests(AccountCase):
    def switch_on(self) -> str:
        """Log in, switch the second factor on and return its secret."""
        self.log_in()
        answer = self.client.get("/account/second-factor/on/")
        self.assertEqual(answer["Location"], "/account/confirm/?next=%2Faccount%2Fsecond-factor%2Fon%2F")
        self.assert_is(self.client.post(answer["Location"], {"password": LANTERN}), 302)
        text = self.assert_is(self.client.get("/account/second-factor/on/"), 200)
        found = re.search(r'class="secret">([A-Z2-7 ]+)<', text)
        assert found is not None
        with self.captureOnCommitCallbacks(execute=True):
            answer = self.client.post("/account/second-factor/on/", {"code": totp(found[1], -1)})
        self.assertEqual((answer.status_code, answer["Location"]), (302, "/account/second-factor/codes/"))
        return found[1]

    def codes(self) -> list[str]:
        text = self.assert_is(self.client.get("/account/second-factor/codes/"), 200)
        found = re.search(r'id="codes">([^<]+)<', text)
        assert found is not None
        return found[1].split()

    def test_logging_in_takes_the_password_and_a_code(self) -> None:
        secret = self.switch_on()
        browser = Client()
        answer = browser.post("/login/", {"username": "alice", "password": LANTERN, "next": "/t/tavern/settings/"})
        self.assertEqual((answer.status_code, answer["Location"].split("?")[0]), (302, "/login/code/"))
        self.assert_to_login(browser.get("/t/tavern/formats/"))
        self.assertIn("This code is wrong", self.assert_is(browser.post("/login/code/", {"code": "000000"}), 200))
        answer = browser.post("/login/code/", {"code": totp(secret)})
        self.assertEqual((answer.status_code, answer["Location"]), (302, "/t/tavern/settings/"))
        self.assert_is(browser.get("/t/tavern/formats/"), 200)

    def test_a_code_works_once(self) -> None:
        code = totp(self.switch_on())
        first, second = Client(), Client()
        self.log_in(first)
        self.log_in(second)
        self.assertEqual(first.post("/login/code/", {"code": code}).status_code, 302)
        self.assertEqual(second.post("/login/code/", {"code": code}).status_code, 200)

    def test_a_recovery_code_works_once(self) -> None:
        self.switch_on()
        code = self.codes()[0]
        first, second = Client(), Client()
        self.log_in(first)
        self.assertEqual(first.post("/login/code/", {"code": code}).status_code, 302)
        self.log_in(second)
        self.assertEqual(second.post("/login/code/", {"code": code}).status_code, 200)
        self.assertEqual(len(self.codes()), 9)

    def test_new_codes_replace_the_old_ones(self) -> None:
        self.switch_on()
        old = self.codes()
        self.assertIn(
            "10 old codes stop working", self.assert_is(self.client.get("/account/second-factor/codes/new/"), 200)
        )
        self.assert_is(self.client.post("/account/second-factor/codes/new/"), 302)
        self.assertFalse(set(old) & set(self.codes()))

    def test_codes_are_guessed_only_a_few_times(self) -> None:
        self.switch_on()
        browser = Client()
        self.log_in(browser)
        for _ in range(6):
            text = self.assert_is(browser.post("/login/code/", {"code": "000000"}), 200)
        self.assertIn("Too many", text)

    def test_a_form_without_a_code_asks_again(self) -> None:
        self.switch_on()
        browser = Client()
        self.log_in(browser)
        self.assertEqual(browser.post("/login/code/", {}).status_code, 302)
        self.assert_is(browser.get("/login/code/"), 200)

    def test_it_is_switched_off(self) -> None:
        self.switch_on()
        self.assert_is(self.client.get("/account/second-factor/off/"), 200)
        with self.captureOnCommitCallbacks(execute=True):
            self.assert_is(self.client.post("/account/second-factor/off/"), 302)
        self.assertFalse(Authenticator.objects.exists())
        browser = Client()
        self.assertEqual(browser.post("/login/", {"username": "alice", "password": LANTERN})["Location"], "/")

    def test_the_trail_knows_all_of_it(self) -> None:
        secret = self.switch_on()
        for path in ("/account/second-factor/codes/new/", "/account/second-factor/off/"):
            with self.captureOnCommitCallbacks(execute=True):
                self.client.post(path)
        self.assertTrue(secret)
        expected = ["log_in", "second_factor_on", "recovery_codes", "second_factor_off"]
        self.assertEqual([event.removeprefix("account.") for event in self.events()], expected)

    def test_the_picture_is_no_foreign_address_and_has_no_script(self) -> None:
        self.log_in()
        self.client.post("/account/confirm/?next=/account/second-factor/on/", {"password": LANTERN})
        text = self.assert_is(self.client.get("/account/second-factor/on/"), 200)
        self.assertIn('src="data:image/svg+xml;base64,', text)
        self.assertNotIn("style=", text)

    def test_keys_are_not_asked_for_it(self) -> None:
        self.switch_on()
        self.assertEqual(self.get(self.alice, "/api/v1/formats").status_code, 200)


class PasswordTests(AccountCase):
    def test_a_wrong_old_password_changes_nothing(self) -> None:
        self.log_in()
        form = {"old_password": "x", "new_password1": "another lantern", "new_password2": "another lantern"}
        self.assert_is(self.client.post("/account/password/", form), 200)
        self.assertEqual(self.log_in(Client()), 302)

    def test_old_passwords_are_guessed_only_a_few_times(self) -> None:
        self.log_in()
        form = {"old_password": "x", "new_password1": "another lantern", "new_password2": "another lantern"}
        statuses = [self.client.post("/account/password/", form).status_code for _ in range(6)]
        self.assertEqual(statuses, [200] * 5 + [429])

    def test_without_mail_the_page_says_whom_to_ask(self) -> None:
        self.assertIn("manage.py changepassword", self.assert_is(self.client.get("/password/reset/"), 200))
        self.assert_is(self.client.post("/password/reset/", {"email": "alice@example.org"}), 200)
        self.assertEqual(mail.outbox, [])

    @override_settings(MAIL_CONFIGURED=True)
    def test_with_mail_a_link_sets_a_new_one_and_ends_the_sessions(self) -> None:
        User.objects.filter(pk=self.alice.user.pk).update(email="alice@example.org")
        browser = Client()
        self.log_in(browser)
        self.assertEqual(self.client.post("/password/reset/", {"email": "alice@example.org"}).status_code, 302)
        found = re.search(r"http://testserver(/password/reset/[^\s]+/)", mail.outbox[0].body)
        assert found is not None
        page = self.client.get(found[1])
        form = {"password1": "another lantern", "password2": "another lantern"}
        self.assertEqual(self.client.post(page["Location"], form)["Location"], "/password/reset/done/")
        self.assert_to_login(browser.get("/t/tavern/formats/"))
        self.assertEqual(self.log_in(Client(), "another lantern"), 302)
        self.assertIn("no longer works", self.assert_is(Client().get(found[1]), 200))
        self.assertIn("account.password_reset", self.events())

    @override_settings(MAIL_CONFIGURED=True)
    def test_an_address_that_nobody_has_is_answered_alike_and_mailed_nothing(self) -> None:
        answer = self.client.post("/password/reset/", {"email": "nobody@example.org"})
        self.assertEqual((answer.status_code, answer["Location"]), (302, "/password/reset/sent/"))
        self.assertEqual(mail.outbox, [])

    def test_the_address_is_stored_with_the_password_only(self) -> None:
        self.log_in()
        form = {"email": "alice@example.org", "password": "x"}
        self.assertIn("not your password", self.assert_is(self.client.post("/account/email/", form), 422))
        self.assert_is(self.client.post("/account/email/", form | {"password": LANTERN}), 302)
        self.assertEqual(User.objects.get(username="alice").email, "alice@example.org")


class EventTests(AccountCase):
    def test_each_team_of_the_person_has_the_entry(self) -> None:
        self.log_in()
        self.log_in(Client(), "wrong")
        self.client.post("/logout/")
        self.assertEqual(self.events(), ["account.log_in", "account.log_in_failed", "account.log_out"])
        self.assertEqual(AuditEntry.objects.filter(team_id=self.other_team.pk, item_kind="account").count(), 0)

    def test_a_name_that_nobody_has_is_in_no_trail(self) -> None:
        self.client.post("/login/", {"username": "nobody", "password": "x"})
        self.assertFalse(AuditEntry.objects.filter(item_kind="account").exists())


class AdministrationTests(AccountCase):
    def test_it_is_for_superusers_and_shows_no_secret(self) -> None:
        User.objects.filter(pk=self.alice.user.pk).update(is_staff=True, is_superuser=True)
        self.client.force_login(User.objects.get(username="alice"))
        stored = User.objects.get(username="alice").password
        assert stored
        for path in ("", "accounts/user/", f"accounts/user/{self.alice.user.pk}/change/", "accounts/team/"):
            text = self.assert_is(self.client.get(f"/admin/{path}"), 200)
            self.assertNotIn(stored, text)
            self.assertNotIn("md5$", text)
        self.assertEqual(self.client.get("/admin/password_change/")["Location"], "/account/password/")
        for path in ("mfa/authenticator/", "usersessions/usersession/", "account/emailaddress/", "accounts/apikey/"):
            self.assertEqual(self.client.get(f"/admin/{path}").status_code, 404)

    def test_leaving_it_is_recorded(self) -> None:
        User.objects.filter(pk=self.alice.user.pk).update(is_staff=True, is_superuser=True)
        self.log_in()
        self.assert_is(self.client.post("/admin/logout/"), 302)
        self.assertEqual(self.events()[-1], "account.log_out")

    def test_others_are_refused_and_strangers_log_in_with_us(self) -> None:
        self.assert_to_login(self.client.get("/admin/login/"))
        User.objects.filter(pk=self.bob.user.pk).update(is_staff=True)
        self.client.force_login(self.bob.user)
        self.assertNotEqual(self.client.get("/admin/").status_code, 200)
