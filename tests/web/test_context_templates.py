"""Pages of context templates: the form with its switch, the preview with reminder and lore, the two defaults."""

from __future__ import annotations

import json
from typing import Any

from chats.samples import STORIES, story
from chats.services.render import ActorCaller, RenderRequest, answer
from formats.context.catalogue import built_in
from neotavern.accounts.policy import Policy
from neotavern.accounts.services import teams
from neotavern.library import selectors, services
from tests.formats.context.templates import STORY
from tests.teams import Person
from tests.web.case import PageCase, text_of

KIND = "context-template"
URL = "/context-templates/"
PANE = {"HX-Request": "true", "HX-Target": "prompt-pane"}
OUTPUT = {"HX-Request": "true", "HX-Target": "prompt-output"}
DOCUMENT = {"kind": KIND, "version": 1, "id": "ours", "name": "Ours", "template": STORY}


class ContextPageCase(PageCase):
    """The built-ins, one template of the team, and an editor."""

    def setUp(self) -> None:
        super().setUp()
        self.load_builtins()
        services.create(self.alice.actor, kind=KIND, document=DOCUMENT)
        self.erin = Person("erin", self.team, "editor")


class FormTests(ContextPageCase):
    def test_the_list_marks_built_ins_and_the_active_one(self) -> None:
        self.send(self.alice, f"{URL}ours/default/", {"for": "team"})
        text = self.assert_is(self.page(self.bob, URL), 200)
        self.assertIn("active: ours", text)
        self.assertEqual(text.count(">built-in<"), 2)

    def test_the_template_is_behind_a_switch(self) -> None:
        text = self.assert_is(self.page(self.erin, f"{URL}ours/"), 200)
        self.assertIn('<details class="section" id="section-advanced"><summary>', text)
        self.assertIn('data-editor="handlebars"', text)

    def test_it_stands_open_where_it_has_an_error(self) -> None:
        form = {"d.all": "1", "base": json.dumps(DOCUMENT), "baseRevision": "1", "d.template": "{{#systemBlock}}"}
        text = self.assert_is(self.send(self.erin, f"{URL}ours/save/", form), 422)
        self.assertIn('id="section-advanced" open', text)
        self.assertIn("is never closed", text)

    def test_a_save_changes_what_was_typed_and_nothing_else(self) -> None:
        form = {"d.all": "1", "base": json.dumps(DOCUMENT), "baseRevision": "1", "d.historyOrder": "date"}
        self.assert_is(self.send(self.erin, f"{URL}ours/save/", form), 302)
        item = selectors.get_item(self.alice.actor, kind=KIND, slug="ours")
        stored = selectors.document(item, selectors.revision(item))
        self.assertEqual(stored, DOCUMENT | {"historyOrder": "date"})

    def test_a_new_one_begins_with_the_built_in_template(self) -> None:
        text = self.assert_is(self.page(self.erin, f"{URL}new/"), 200)
        self.assertIn("Characters you speak for:", text)

    def test_a_built_in_is_read_and_cloned(self) -> None:
        text = self.assert_is(self.page(self.bob, f"{URL}story/"), 200)
        self.assertNotIn("data-key-save", text)
        self.assert_is(self.send(self.erin, f"{URL}story/clone/", {"slug": "mine"}), 302)

    def test_another_team_and_a_stranger_see_nothing(self) -> None:
        for path in (URL, f"{URL}ours/"):
            self.assertEqual(self.page(self.charlie, path).status_code, 404)
            self.assert_to_login(self.page(None, path))

    def test_the_variables_and_role_blocks_can_be_completed(self) -> None:
        text = self.assert_is(self.page(self.erin, f"{URL}ours/"), 200)
        words = json.loads(text.split('<script id="editor-words" type="application/json">')[1].split("</script>")[0])
        labels = {one["label"] for one in words["variables"]["default"]}
        self.assertLessEqual({"instructions", "worldLore", "chatMessages", "postHistory", "targetIndex"}, labels)
        self.assertIn("assistantBlock", {one["label"] for one in words["helpers"] if one["block"]})


class DefaultTests(ContextPageCase):
    def test_two_buttons_for_administrators_and_one_for_the_others(self) -> None:
        self.assertIn("Make active", self.assert_is(self.page(self.alice, f"{URL}ours/"), 200))
        for who in (self.erin, self.bob):
            text = self.assert_is(self.page(who, f"{URL}ours/"), 200)
            self.assertNotIn("Make active", text)
            self.assertIn("Active for me", text)

    def test_the_teams_is_an_administrators_and_ones_own_is_everybodys(self) -> None:
        self.assertEqual(self.send(self.erin, f"{URL}ours/default/", {"for": "team"}).status_code, 403)
        self.assert_is(self.send(self.bob, f"{URL}ours/default/", {"for": "me"}), 302)
        self.assert_is(self.send(self.alice, f"{URL}ours/default/", {"for": "team"}), 302)

    def test_a_closed_kind_is_on_no_shelf(self) -> None:
        teams.change_team(actor=self.alice.actor, policy=Policy(context_templates_for="admin"))
        self.assertEqual(self.page(self.erin, URL).status_code, 403)
        self.assertNotIn("Context templates", self.assert_is(self.page(self.erin, "/formats/"), 200))
        self.assertIn("Context templates", self.assert_is(self.page(self.alice, "/formats/"), 200))


class PreviewTests(ContextPageCase):
    def ask(self, headers: dict[str, str] | None = None, who: Person | None = None, **form: str) -> Any:
        sent = {"base": json.dumps(DOCUMENT), "o.mode": "string", "o.sample": "harbour"} | form
        return self.send(who or self.erin, "/context-preview/", sent, headers=headers or OUTPUT)

    def test_the_text_is_the_prompt_of_the_one_render_function(self) -> None:
        for name in STORIES:
            with self.subTest(story=name):
                shown = text_of(self.assert_is(self.ask(**{"o.sample": name}), 200))
                fields = {
                    **story(name),
                    "provider": "text-completion",
                    "contextTemplate": {"template": STORY},
                    "randomSeed": 1,
                }
                request = RenderRequest.model_validate(fields)
                self.assertEqual(shown, answer(ActorCaller(self.erin.actor), request).prompt)

    def test_the_first_answer_has_the_controls_reminder_and_lore(self) -> None:
        text = self.assert_is(
            self.send(self.bob, "/context-preview/", {"base": json.dumps(DOCUMENT)}, headers=PANE), 200
        )
        for part in ('name="o.sample"', "Mind: Stay in the part of Mira", "not for this speaker", "before the reply"):
            self.assertIn(part, text)

    def test_depth_and_trigger_can_be_tried(self) -> None:
        text = self.assert_is(self.ask(**{"o.depth": "2", "o.trigger": "3000"}), 200)
        self.assertIn("The reminder stands before message 5.", text)
        self.assertIn("of 3,000 tokens", text)

    def test_a_chat_of_the_team_is_shown(self) -> None:
        chat = {"kind": "chat", "version": 1, "id": "night", "name": "Night", "shared": True}
        services.create(self.alice.actor, kind="chat", document=chat)
        self.assertIn("chat:night", self.assert_is(self.ask(PANE), 200))
        self.assertIn("Assistant:", self.assert_is(self.ask(**{"o.sample": "chat:night"}), 200))

    def test_a_broken_template_holds_the_prompt_and_says_where(self) -> None:
        broken = self.ask(**{"d.all": "1", "d.template": "a\n{{#if x}}"})
        self.assertEqual((self.assert_is(broken, 200), broken["HX-Reswap"]), ("", "none"))
        error = json.loads(broken["HX-Trigger"])["preview-report"]["errors"][0]
        self.assertEqual((error["path"], error["line"]), ("template", 2))

    def test_warnings_go_to_their_field(self) -> None:
        answered = self.ask(**{"d.all": "1", "d.template": STORY + "{{#systemBlock}}{{worldLoer}}{{/systemBlock}}"})
        found = json.loads(answered["HX-Trigger"])["preview-report"]["findings"]
        self.assertIn("template", {one["path"] for one in found})

    def test_without_a_script_it_is_a_page(self) -> None:
        self.assertIn("Nothing was saved", self.assert_is(self.ask({"HX-Request": ""}), 200))

    def test_charlie_and_a_stranger_get_none(self) -> None:
        self.assertEqual(self.ask(who=self.charlie).status_code, 404)
        self.assert_to_login(self.send(None, "/context-preview/"))

    def test_every_built_in_shows_every_story(self) -> None:
        for document in built_in("context_templates"):
            for name in STORIES:
                form = {"base": json.dumps(document), "o.sample": name}
                with self.subTest(template=document["id"], story=name):
                    self.assert_is(self.ask(**form), 200)
