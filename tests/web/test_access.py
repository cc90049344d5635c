"""Who may see and send what: Alice owns, Bob looks, Charlie belongs elsewhere, and a stranger logs in first."""

from __future__ import annotations

from tests.web.case import PageCase

READ = ["/formats/", "/formats/house/", "/formats/house/revisions/", "/formats/house/export/", "/settings/", "/search/"]
WRITE = ["/formats/new/", "/formats/import/", "/formats/house/clone/"]
POST = [
    "/formats/house/save/",
    "/formats/house/activate/",
    "/formats/house/archive/",
    "/formats/house/unarchive/",
    "/formats/house/restore/1/",
    "/formats/house/clone/",
    "/formats/new/",
    "/formats/import/",
    "/settings/",
]


class AccessTests(PageCase):
    def setUp(self) -> None:
        super().setUp()
        self.make()

    def test_alice_and_bob_read(self) -> None:
        for path in READ:
            for who in (self.alice, self.bob):
                with self.subTest(path=path, who=who.name):
                    self.assert_is(self.page(who, path), 200)

    def test_bob_finds_no_form_that_writes(self) -> None:
        for path in WRITE:
            with self.subTest(path=path):
                self.assert_is(self.page(self.alice, path), 200)
                self.assert_is(self.page(self.bob, path), 403)

    def test_bob_can_not_send_what_writes(self) -> None:
        for path in POST:
            with self.subTest(path=path):
                self.assert_is(self.send(self.bob, path), 403)

    def test_charlie_finds_nothing(self) -> None:
        for path in READ + WRITE:
            with self.subTest(path=path):
                self.assert_is(self.page(self.charlie, path), 404)
        for path in [*POST, "/preview/"]:
            with self.subTest(path=path):
                self.assert_is(self.send(self.charlie, path), 404)

    def test_a_stranger_logs_in_first(self) -> None:
        for path in READ + WRITE:
            with self.subTest(path=path):
                self.assert_to_login(self.page(None, path))
        for path in [*POST, "/preview/"]:
            with self.subTest(path=path):
                self.assert_to_login(self.send(None, path))

    def test_a_form_address_is_no_page(self) -> None:
        for path in ("/formats/house/activate/", "/formats/house/archive/", "/preview/"):
            with self.subTest(path=path):
                self.assert_is(self.page(self.alice, path), 405)

    def test_reloading_a_refused_save_leads_to_the_format(self) -> None:
        answer = self.page(self.alice, "/formats/house/save/")
        self.assertEqual((answer.status_code, answer["Location"]), (302, "/t/tavern/formats/house/"))

    def test_head_is_answered_like_get(self) -> None:
        self.client.force_login(self.alice.user)
        for path in READ + WRITE:
            with self.subTest(path=path):
                self.assertEqual(self.client.head(self.base + path).status_code, 200)

    def test_bob_may_preview(self) -> None:
        self.assert_is(self.send(self.bob, "/preview/", {"base": "{}"}), 422)

    def test_bob_sees_no_button_that_he_may_not_press(self) -> None:
        text = self.assert_is(self.page(self.bob, "/formats/house/"), 200)
        for url in ("save", "activate", "archive", "clone"):
            self.assertNotIn(f"/formats/house/{url}/", text.replace('action="/t/tavern/formats/house/save/"', ""))
        self.assertNotIn('name="d.', text)

    def test_charlie_has_a_list_of_his_own(self) -> None:
        self.client.force_login(self.charlie.user)
        text = self.assert_is(self.client.get("/t/harbour/formats/"), 200)
        self.assertNotIn("House style", text)


class LogInTests(PageCase):
    def test_the_right_password_leads_home(self) -> None:
        self.alice.user.set_password("lantern on the quay")
        self.alice.user.save()
        answer = self.client.post("/login/", {"username": "alice", "password": "lantern on the quay"})
        self.assertEqual((answer.status_code, answer["Location"]), (302, "/"))
        self.assertEqual(self.client.get("/")["Location"], "/t/tavern/formats/")

    def test_a_wrong_one_says_so_and_keeps_the_name(self) -> None:
        text = self.assert_is(self.client.post("/login/", {"username": "al<i>ce", "password": "x"}), 200)
        self.assertIn("Not logged in", text)
        self.assertIn('value="al&lt;i&gt;ce"', text)

    def test_the_way_back_stays_on_this_host(self) -> None:
        self.alice.user.set_password("lantern on the quay")
        self.alice.user.save()
        form = {"username": "alice", "password": "lantern on the quay", "next": "https://elsewhere.example/"}
        self.assertEqual(self.client.post("/login/", form)["Location"], "/")

    def test_a_password_is_changed(self) -> None:
        self.alice.user.set_password("lantern on the quay")
        self.alice.user.save()
        self.client.force_login(self.alice.user)
        form = {
            "old_password": "lantern on the quay",
            "new_password1": "another lantern",
            "new_password2": "another lantern",
        }
        self.assert_is(self.client.post("/account/password/", form), 302)
        self.alice.user.refresh_from_db()
        self.assertTrue(self.alice.user.check_password("another lantern"))

    def test_logging_out_takes_a_form(self) -> None:
        self.client.force_login(self.alice.user)
        self.assert_is(self.client.get("/logout/"), 405)
        self.assert_is(self.client.post("/logout/"), 302)
        self.assert_to_login(self.client.get("/t/tavern/formats/"))
