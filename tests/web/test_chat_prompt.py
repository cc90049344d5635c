"""The live prompt of a chat: the bytes of the one render function, with unsaved settings and what is being written."""

from __future__ import annotations

import json
from typing import Any

from chats.services.messages import add_messages, edit_message
from chats.services.render import ActorCaller, RenderRequest, answer
from neotavern.library import services
from tests.web.case import document, text_of
from tests.web.chats import ChatCase

HERE = "/chats/night/prompt/"
PANE = {"HX-Request": "true", "HX-Target": "prompt-pane"}
OUTPUT = {"HX-Request": "true", "HX-Target": "prompt-output"}


class PromptTests(ChatCase):
    def setUp(self) -> None:
        super().setUp()
        self.make()  # the format `house`
        self.store("character", "joss", description="Draws maps.")
        self.store("persona", "ana", description="A pilot.", shared=True)

    def ask(self, headers: dict[str, str] | None = None, **typed: str) -> Any:
        form = self.form() | {"o.mode": "string", "d.format": "house"} | typed
        return self.send(self.alice, HERE, form, headers=headers or OUTPUT)

    def prompt(self, **typed: str) -> str:
        return text_of(self.assert_is(self.ask(**typed), 200))

    def report(self, response: Any) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(response["HX-Trigger"])["preview-report"]
        return found

    def test_it_is_the_prompt_of_the_render_function_byte_for_byte(self) -> None:
        made = answer(
            ActorCaller(self.alice.actor), RenderRequest(chat="night", format="house", serialize_as_text=True)
        )
        self.assertEqual(self.prompt(), "<u>One</u>\n<a>Two</a>\n<u>Three</u>\n<a>")
        self.assertEqual(self.prompt(), made.prompt)

    def test_what_is_being_written_is_the_last_message_and_is_not_stored(self) -> None:
        self.assertEqual(
            self.prompt(**{"say.text": "Four\r\n", "say.role": "user"}),
            "<u>One</u>\n<a>Two</a>\n<u>Three</u>\n<u>Four\n</u>\n<a>",
        )
        self.assertTrue(self.prompt(**{"say.text": "Four", "say.role": "system"}).endswith("<s>Four</s>\n<a>"))
        self.assertTrue(self.prompt(**{"say.text": "  ", "say.role": "user"}).endswith("<u>Three</u>\n<a>"))
        self.assertEqual(self.texts(), ["One", "Two", "Three"])

    def test_unsaved_settings_count(self) -> None:
        text = self.prompt(**{"d.persona": "ana", "d.authorsNote.content": "Slowly.", "d.authorsNote.depth": "1"})
        self.assertEqual(
            text,
            "<s>The user is ana: A pilot.</s>\n<u>One</u>\n<a>Two</a>\n<s>Slowly.</s>\n<u>Three</u>\n<a>".replace(
                "is ana", "is Ana"
            ),
        )
        self.assertEqual(self.settings().get("persona"), None)

    def test_options_reach_the_render(self) -> None:
        self.assertTrue(self.prompt(**{"o.start": "I"}).endswith("<u>Three</u>\n<a>I"))
        self.assertEqual(self.prompt(**{"o.generationType": "impersonate"})[-3:], "<u>")
        self.assertEqual(self.prompt(**{"o.window": "6", "o.reserve": "0"})[:10], "<u>Three</")

    def test_views_as_messages_and_as_a_request(self) -> None:
        text = self.assert_is(self.ask(**{"o.mode": "messages"}), 200)
        self.assertEqual((text.count("<li><span"), "Three" in text), (3, True))
        text = self.assert_is(self.ask(**{"o.mode": "request", "o.provider": "anthropic"}), 200)
        self.assertIn("/v1/messages", text)

    def test_window_parts_and_what_was_left_out(self) -> None:
        self.store("lorebook", "icy", entries=[{"uid": "a", "name": "Ice", "keys": ["three"], "content": "Cold."}])
        text = self.assert_is(self.ask(**{"d.lorebooks.0": "icy"}), 200)
        self.assertIn("lore “Ice”", text)
        self.assertIn("In: key “three” in message 3.", text)
        self.assertIn("message 2", text)
        self.assertNotIn("style=", text)
        text = self.assert_is(self.ask(**{"o.window": "60", "o.reserve": "20"}), 200)
        self.assertIn("of 60 tokens", text)
        self.assertIn("<b>20</b> kept for the reply", text)
        text = self.assert_is(self.ask(**{"o.window": "6", "o.reserve": "0"}), 200)
        self.assertIn("2 left out, 6 tokens", text)
        self.assertIn("It did not fit: what may leave first left.", text)

    def test_special_tokens_are_pills(self) -> None:
        self.assertIn('<span class="sp">&lt;u&gt;</span>', self.assert_is(self.ask(), 200))

    def test_a_long_chat_is_taken_apart_at_its_ends_and_its_bytes_are_whole(self) -> None:
        messages = [{"role": "user", "content": f"line {n}."} for n in range(300)]
        add_messages(self.alice.actor, chat=self.chat, messages=messages)
        text = self.assert_is(self.ask(), 200)
        expected = "<u>One</u>\n<a>Two</a>\n<u>Three</u>\n" + "".join(f"<u>line {n}.</u>\n" for n in range(300)) + "<a>"
        self.assertEqual(text_of(text), expected)
        self.assertEqual(text.count('<li id="part-'), 42)
        self.assertIn("263 parts in between", text)

    def test_what_can_not_be_rendered_changes_nothing_and_says_where(self) -> None:
        cases = [
            ({"d.authorsNote.depth": "deep"}, "authorsNote.depth"),
            ({"d.authorsNote.depth": "99999"}, "authorsNote.depth"),
            ({"d.variables": "no sign"}, "variables"),
            ({"d.persona": "ghost"}, ""),
            ({"o.window": "1"}, "history"),
        ]
        for typed, path in cases:
            with self.subTest(typed=typed):
                response = self.ask(**typed)
                self.assertEqual((self.assert_is(response, 200), response["HX-Reswap"]), ("", "none"))
                report = self.report(response)
                self.assertEqual((report["held"], report["errors"][0]["path"]), (True, path))
        report = self.report(self.ask(**{"d.authorsNote.depth": "deep"}))
        self.assertEqual(report["errors"][0]["label"], "Depth")

    def test_the_report_has_the_lines_of_closed_sections(self) -> None:
        report = self.report(self.ask(**{"d.character": "joss", "d.persona": "ana"}))
        self.assertEqual(report["held"], False)
        self.assertEqual(report["summaries"]["who"], "Joss · you are Ana")
        self.assertEqual(report["summaries"]["settings"], "Joss · you are Ana · House style")

    def test_the_first_answer_brings_the_controls_even_when_it_can_not_be_rendered(self) -> None:
        response = self.ask(PANE, **{"d.persona": "ghost"})
        self.assertIn('name="o.generationType"', self.assert_is(response, 200))
        self.assertTrue(json.loads(response["HX-Trigger-After-Swap"])["preview-report"]["held"])

    def test_a_viewer_sees_it_another_team_and_nobody_do_not(self) -> None:
        base = self.settings() | {"format": "house"}
        text = self.assert_is(self.send(self.bob, HERE, {"base": json.dumps(base)}, headers=PANE), 200)
        self.assertIn("Three", text_of(text))
        self.assert_is(self.send(self.charlie, HERE, {}, headers=PANE), 404)
        self.assert_to_login(self.send(None, HERE, {}))

    def test_a_private_chat_renders_for_its_author_alone(self) -> None:
        self.chat_of("secret", name="Secret")
        text = self.assert_is(self.send(self.alice, "/chats/secret/prompt/", {"o.mode": "messages"}, headers=PANE), 200)
        self.assertIn("no messages", text)
        self.assert_is(self.send(self.bob, "/chats/secret/prompt/", {}, headers=PANE), 404)

    def test_a_viewers_form_can_not_name_what_is_private_to_others(self) -> None:
        self.store("persona", "mine", description="Hidden.")
        response = self.send(
            self.bob, HERE, {"base": json.dumps(self.settings() | {"persona": "mine"})}, headers=OUTPUT
        )
        self.assertTrue(self.report(response)["held"])

    def test_without_a_script_it_is_a_page(self) -> None:
        text = self.assert_is(self.send(self.alice, HERE, self.form() | {"d.format": "house"}), 200)
        self.assertIn("<!doctype html>", text)
        self.assertEqual(text_of(text), "<u>One</u>\n<a>Two</a>\n<u>Three</u>\n<a>")
        self.assert_is(self.send(self.alice, HERE, self.form() | {"d.persona": "ghost"}), 404)

    def test_hostile_text_is_text(self) -> None:
        attack = "</span><script>alert(1)</script><img src=x onerror=alert(1)> \"'&amp;"
        edit_message(
            self.alice.actor, chat=self.chat, message_id=self.ids()[0], message={"role": "user", "content": attack}
        )
        entry = {"uid": attack[:90], "name": attack, "constant": True, "content": attack}
        self.store("lorebook", "hostile", entries=[entry])
        for mode in ("string", "messages", "request"):
            text = self.assert_is(self.ask(**{"o.mode": mode, "d.lorebooks.0": "hostile"}), 200)
            self.assertNotIn("<script>alert", text)
            self.assertNotIn("<img", text)
        self.assertNotIn("<img", self.assert_is(self.page(self.alice, "/chats/night/"), 200))
        form = self.form() | {"d.format": "house", "d.lorebooks.0": "hostile", "why": "alert"}
        self.assertNotIn("<img", self.assert_is(self.send(self.alice, "/chats/night/trace/", form), 200))


def test_every_reason_of_the_pipeline_has_words() -> None:
    from chats.infill.types import Reason
    from chats.lore import Code
    from chats.web.chat.reasons import CODES, INFILL

    assert frozenset(code.value for code in Code) == CODES
    assert {reason.value for reason in Reason} == set(INFILL)


class TraceTests(ChatCase):
    HERE = "/chats/night/trace/"

    def setUp(self) -> None:
        super().setUp()
        self.make()
        entries = [
            {"uid": "ice", "name": "Ice", "keys": ["three"], "content": "It freezes."},
            {"uid": "art", "name": "Knots", "keys": ["thr"], "wholeWords": True, "content": "Bowlines."},
            {"uid": "off", "name": "Old", "keys": ["three"], "enabled": False},
            {"uid": "luck", "name": "Luck", "keys": ["three"], "probability": 0, "content": "Wind."},
        ]
        self.store("lorebook", "port", entries=entries)
        item = self.chat
        document_ = self.settings() | {"lorebooks": ["port"], "format": "house"}
        services.save(self.alice.actor, item=item, document=document_, base_revision=1)

    def test_every_stage_says_what_it_did_and_why(self) -> None:
        text = self.assert_is(self.page(self.alice, self.HERE), 200)
        for part in (
            'id="stage-lore"',
            'id="stage-fit"',
            "of 4 entries",
            "In: key “three” in message 3.",
            "Out: the dice. It comes in 0",
            "Out: it is switched off.",
            "Block “lore before the character” of the prompt put it here.",
            '<span class="what">lore “Ice”</span>',
        ):
            with self.subTest(part=part):
                self.assertIn(part, text)
        self.assertEqual(text_of(text), "<s>It freezes.</s>\n<u>One</u>\n<a>Two</a>\n<u>Three</u>\n<a>")
        self.assertNotIn("style=", text)

    def test_why_something_is_not_in_the_prompt(self) -> None:
        for asked, told in (
            ("knots", "Out: key “thr” stands only inside “three” in message 3; the entry asks for whole words."),
            ("luck", "Out: the dice."),
            ("old", "Out: it is switched off."),
            ("ice", "In: key “three” in message 3."),
            ("two", "It is in the prompt."),
            ("ghost", "Nothing here is called “ghost”"),
        ):
            with self.subTest(asked=asked):
                response = self.send(
                    self.alice, self.HERE, {"why": asked}, headers={"HX-Request": "true", "HX-Target": "why-not"}
                )
                text = self.assert_is(response, 200)
                self.assertIn(told, text)
                self.assertNotIn("<!doctype", text)
                self.assertIn(told, self.assert_is(self.page(self.alice, f"{self.HERE}?why={asked}"), 200))

    def test_lore_that_a_context_template_holds(self) -> None:
        self.load_builtins()
        form = self.form(**{"d.contextTemplate": "story", "d.format": "chatml", "why": "ice"})
        text = self.assert_is(self.send(self.alice, self.HERE, form), 200)
        self.assertIn("It freezes.", text_of(text))
        for part in (
            "Lore and history are chosen by what is said now, and the template prints them.",
            "Engine “keyword” chose lore and messages of ",
            "The context template made it.",
            "lore “Ice” – In: what is said now speaks of it.",
            'data-part-link="',
        ):
            with self.subTest(part=part):
                self.assertIn(part, text)
        text = self.assert_is(self.send(self.alice, self.HERE, form | {"why": "old"}), 200)
        self.assertIn("Out: it is switched off.", text)

    def test_an_entry_that_was_called_and_left_for_want_of_room(self) -> None:
        response = self.send(self.alice, self.HERE, self.form() | {"why": "ice", "o.window": "12"})
        text = self.assert_is(response, 200)
        self.assertIn("It did not fit: what may leave first left.", text)

    def test_unsaved_settings_are_traced_and_carried_to_the_next_question(self) -> None:
        form = self.form(**{"d.lorebooks.0": "", "say.text": "Four", "say.role": "user"})
        text = self.assert_is(self.send(self.alice, self.HERE, form), 200)
        self.assertIn("with what you did not save", text)
        self.assertIn('<input type="hidden" name="say.text" value="Four">', text)
        self.assertEqual(text_of(text), "<u>One</u>\n<a>Two</a>\n<u>Three</u>\n<u>Four</u>\n<a>")

    def test_what_can_not_be_rendered_says_why(self) -> None:
        response = self.send(self.alice, self.HERE, self.form(**{"d.authorsNote.depth": "deep"}))
        self.assertIn("This is not a whole number.", self.assert_is(response, 422))
        response = self.send(self.alice, self.HERE, self.form(**{"o.window": "1"}))
        self.assertIn("The prompt needs", self.assert_is(response, 422))

    def test_who_sees_it(self) -> None:
        self.assertIn("It freezes.", self.assert_is(self.page(self.bob, self.HERE), 200))
        self.assert_is(self.page(self.charlie, self.HERE), 404)
        self.assert_to_login(self.page(None, self.HERE))

    def test_a_conversation_in_an_unsaved_format_is_traced(self) -> None:
        form = {"base": json.dumps(document()), "o.mode": "string", "o.sample": "short", "o.generation": "on"}
        text = self.assert_is(self.send(self.alice, "/preview/trace/", form), 200)
        self.assertIn('id="stage-fit"', text)
        self.assertIn("<u>", text_of(text))
        self.assert_is(self.send(self.bob, "/preview/trace/", form), 200)
        self.assert_is(self.send(self.charlie, "/preview/trace/", form), 404)
        self.assert_to_login(self.send(None, "/preview/trace/", form))
        broken = form | {"base": json.dumps(document(user="{{#if"))}
        self.assertIn("Can not be rendered", self.assert_is(self.send(self.alice, "/preview/trace/", broken), 422))
