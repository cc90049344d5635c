"""An interceptor's page: its rules as fields, and tried on messages as they are in the form."""

from __future__ import annotations

import json

from neotavern.library import selectors, services
from tests.web.case import PageCase

RULES = [
    {"type": "replace", "find": "—", "replace": ","},
    {"type": "drop", "roles": ["tool"]},
    {"type": "insert", "content": "Be brief.", "depth": 1},
]
DOCUMENT = {"kind": "interceptor", "version": 1, "id": "calm", "name": "Calm", "rules": RULES}
TEXT = "user: Well — <b>\ntool: 42\nassistant: Yes."


class RulesTests(PageCase):
    def setUp(self) -> None:
        super().setUp()
        services.create(self.alice.actor, kind="interceptor", document=DOCUMENT)

    def form(self, **changes: str) -> dict[str, str]:
        order = "0-replace 1-drop 2-insert"
        form = {"d.all": "1", "base": json.dumps(DOCUMENT), "baseRevision": "1", "d.name": "Calm", "d.rules": order}
        for name, rule in zip(order.split(), RULES, strict=True):
            form |= {f"d.rules.{name}.raw": json.dumps(rule)}
        form |= {
            "d.rules.0-replace.caseSensitive": "on",
            "d.rules.1-drop.roles:": "1",
            "d.rules.1-drop.roles:tool": "on",
        }
        return form | changes

    def test_rules_run_as_they_are_in_the_form_and_nothing_is_stored(self) -> None:
        text = self.assert_is(self.send(self.bob, "/interceptors/-/try/", self.form(**{"try": TEXT})), 200)
        self.assertIn('<span class="pre">Well , &lt;b&gt;</span>', text)
        self.assertIn("Be brief.", text)
        self.assertEqual([text.count(word) for word in (">changed<", ">dropped<", ">inserted<")], [1, 1, 1])
        changed = self.form(**{"try": TEXT, "d.rules": "2-insert", "d.rules.2-insert.content": "Sing."})
        text = self.assert_is(self.send(self.alice, "/interceptors/-/try/", changed), 200)
        self.assertIn("Sing.", text)
        self.assertIn("Well — ", text)
        item = selectors.get_item(self.alice.actor, kind="interceptor", slug="calm")
        self.assertEqual(item.last_number, 1)

    def test_what_can_not_run_is_said(self) -> None:
        form = self.form(**{"try": TEXT, "d.rules.0-replace.find": "(", "d.rules.0-replace.regex": "on"})
        self.assertIn("can not be compiled", self.assert_is(self.send(self.alice, "/interceptors/-/try/", form), 200))
        form = self.form(**{"try": TEXT, "d.rules.2-insert.depth": "deep"})
        self.assertIn("not a whole number", self.assert_is(self.send(self.alice, "/interceptors/-/try/", form), 200))
        form = self.form(**{"try": "[1]"})
        self.assertIn("msg error", self.assert_is(self.send(self.alice, "/interceptors/-/try/", form), 200))
        self.assert_is(self.send(self.charlie, "/interceptors/-/try/", self.form()), 404)

    def test_they_are_saved_in_another_order_and_a_bad_pattern_stands_at_its_rule(self) -> None:
        form = self.form(**{"d.rules": "2-insert 0-replace"})
        self.assert_is(self.send(self.alice, "/interceptors/calm/save/", form), 302)
        item = selectors.get_item(self.alice.actor, kind="interceptor", slug="calm")
        stored = selectors.document(item, selectors.revision(item))
        self.assertEqual(stored["rules"], [RULES[2], RULES[0]])
        bad = form | {"baseRevision": "2", "d.rules.0-replace.find": "(", "d.rules.0-replace.regex": "on"}
        text = self.assert_is(self.send(self.alice, "/interceptors/calm/save/", bad), 422)
        row = text.split('data-row="1-replace"')[1]
        self.assertIn("can not be compiled", row.split("</li>")[0])

    def test_fields_become_json_and_back_with_everything_typed(self) -> None:
        form = self.form(**{"d.name": "Calmer", "do": "json"})
        text = self.assert_is(self.send(self.alice, "/interceptors/calm/save/", form), 200)
        self.assertIn("&quot;name&quot;: &quot;Calmer&quot;", text)
        self.assertIn('name="d.json"', text)
        back = {"baseRevision": "1", "d.json": json.dumps(DOCUMENT | {"name": "Calmest"}), "do": "fields"}
        self.assertIn('value="Calmest"', self.assert_is(self.send(self.alice, "/interceptors/calm/save/", back), 200))
        broken = back | {"d.json": "{oops"}
        self.assertIn(
            "{oops</textarea>", self.assert_is(self.send(self.alice, "/interceptors/calm/save/", broken), 200)
        )
        self.assertIn("readonly", self.assert_is(self.page(self.bob, "/interceptors/calm/?view=json"), 200))
