"""Labels of an object: moved, made and deleted on a page that needs no script; protected ones by administrators."""

from __future__ import annotations

from typing import Any

from neotavern.accounts.models import Membership, Team
from neotavern.library import selectors, services
from tests.web.case import KIND, PageCase, document

PAGE = "/formats/house/labels/"


class LabelPageTests(PageCase):
    def setUp(self) -> None:
        super().setUp()
        item = self.make()
        services.save(self.alice.actor, item=item, document=document(user="{{{content}}}!"), base_revision=1)
        services.move_label(self.alice.actor, item=self.item(), name="production", number=1)

    def item(self) -> Any:
        return selectors.get_item(self.alice.actor, kind=KIND, slug="house")

    def labels(self) -> dict[str, int]:
        return dict(self.item().labels.values_list("name", "number"))

    def test_the_button_says_from_where_to_where(self) -> None:
        self.assertIn(">production: 1 → 2</button>", self.assert_is(self.page(self.alice, PAGE), 200))
        self.assertIn("points there already", self.assert_is(self.page(self.alice, PAGE + "?to=1"), 200))

    def test_a_dialog_gets_the_part_alone(self) -> None:
        text = self.assert_is(self.page(self.alice, PAGE, headers={"HX-Request": "true"}), 200)
        self.assertNotIn("<html", text)
        self.assertIn("production: 1 → 2", text)

    def test_it_moves_and_says_so(self) -> None:
        answer = self.send(self.alice, PAGE, {"label": "production", "to": "2"})
        self.assertEqual((answer.status_code, answer["Location"]), (302, "/t/tavern/formats/house/"))
        self.assertEqual(self.labels(), {"production": 2})
        self.assertIn("production: 1 → 2.", self.client.get(answer["Location"]).content.decode())

    def test_the_way_back_stays_on_this_host(self) -> None:
        for back, lands in (
            ("/t/tavern/formats/", "/t/tavern/formats/"),
            ("//evil.example/", "/t/tavern/formats/house/"),
        ):
            answer = self.send(self.alice, PAGE, {"label": "production", "to": "2", "next": back})
            self.assertEqual(answer["Location"], lands)

    def test_a_new_one_and_one_deleted(self) -> None:
        self.assert_is(self.send(self.alice, PAGE, {"action": "new", "label": "staging", "to": "2"}), 302)
        self.assertEqual(self.labels(), {"production": 1, "staging": 2})
        self.assert_is(self.send(self.alice, PAGE, {"action": "delete", "label": "production"}), 302)
        self.assertEqual(self.labels(), {"staging": 2})

    def test_what_can_be_no_label_comes_back_as_typed(self) -> None:
        text = self.assert_is(self.send(self.alice, PAGE, {"action": "new", "label": "<b>x", "to": "2"}), 422)
        self.assertIn('value="&lt;b&gt;x"', text)

    def test_a_dialog_from_before_a_change_moves_nothing(self) -> None:
        form = {"label": "production", "to": "2", "etag": '"old"'}
        self.assert_is(self.send(self.alice, PAGE, form), 412)
        self.assertEqual(self.labels(), {"production": 1})

    def test_a_protected_one_is_for_administrators(self) -> None:
        Team.objects.filter(pk=self.team.pk).update(policy='{"protectedLabels": ["production"]}')
        Membership.objects.filter(user=self.bob.user).update(role="editor")
        text = self.assert_is(self.page(self.bob, PAGE), 200)
        self.assertIn("ask an administrator to move it", text)
        self.assertNotIn("production: 1 → 2", text)
        self.assert_is(self.send(self.bob, PAGE, {"label": "production", "to": "2"}), 403)
        self.assertEqual(self.labels(), {"production": 1})
        self.assert_is(self.send(self.alice, PAGE, {"label": "production", "to": "2"}), 302)

    def test_bob_reads_and_charlie_finds_nothing(self) -> None:
        self.assertNotIn('<button class="btn primary"', self.assert_is(self.page(self.bob, PAGE), 200))
        self.assert_is(self.send(self.bob, PAGE, {"label": "production", "to": "2"}), 403)
        self.assert_is(self.page(self.charlie, PAGE), 404)
        self.assert_is(self.send(self.charlie, PAGE, {"label": "production", "to": "2"}), 404)
        self.assert_to_login(self.page(None, PAGE))
