"""Messages of a chat on its page: added, edited, pinned, left out, moved and deleted, with and without scripts."""

from __future__ import annotations

import json

import orjson

from chats.services.messages import add_messages, delete_message, edit_message
from tests.web.chats import HTMX, ChatCase

HERE = "/chats/night/messages/"


class AddingTests(ChatCase):
    def test_a_message_of_each_role_is_added(self) -> None:
        for role in ("user", "assistant", "system", "tool"):
            with self.subTest(role=role):
                response = self.send(self.alice, HERE, {"say.text": f"as {role}\r\nhere", "say.role": role})
                newest = self.ids()[-1]
                self.assertEqual(
                    (response.status_code, response["Location"]), (302, f"/t/tavern/chats/night/#m-{newest}")
                )
                self.assertEqual(self.body(newest), {"role": role, "content": f"as {role}\nhere"})

    def test_a_name_and_the_id_of_a_call(self) -> None:
        form = {"say.text": "42", "say.role": "tool", "say.name": "map", "say.call": "c1"}
        self.send(self.alice, HERE, form)
        self.assertEqual(
            self.body(self.ids()[-1]), {"role": "tool", "content": "42", "name": "map", "tool_call_id": "c1"}
        )

    def test_htmx_gets_the_thread_and_the_news(self) -> None:
        response = self.send(self.alice, HERE, {"say.text": "Four", "say.role": "user"}, headers=HTMX)
        text = self.assert_is(response, 200)
        self.assertEqual((text.count('class="said"'), "<!doctype" in text), (4, False))
        self.assertEqual(json.loads(response["HX-Trigger"]), {"chat-changed": {"said": "Added."}})

    def test_nothing_is_not_added_and_what_was_typed_stays(self) -> None:
        text = self.assert_is(self.send(self.alice, HERE, {"say.text": " ", "say.role": "system"}), 422)
        self.assertIn("Write something first.", text)
        self.assertIn('value="system" checked', text)
        response = self.send(self.alice, HERE, {"say.text": "", "say.role": "user"}, headers=HTMX)
        self.assertEqual(response["HX-Reswap"], "none")
        self.assertEqual(json.loads(response["HX-Trigger"])["say-refused"], {"message": "Write something first."})
        self.assertEqual(self.texts(), ["One", "Two", "Three"])

    def test_who_may_not(self) -> None:
        form = {"say.text": "Four", "say.role": "user"}
        self.assert_is(self.send(self.bob, HERE, form), 403)
        self.assert_is(self.send(self.charlie, HERE, form), 404)
        self.assert_to_login(self.send(None, HERE, form))
        self.assertEqual(self.texts(), ["One", "Two", "Three"])

    def test_the_address_of_the_thread_leads_to_the_chat(self) -> None:
        response = self.page(self.alice, HERE)
        self.assertEqual((response.status_code, response["Location"]), (302, "/t/tavern/chats/night/"))
        self.assert_is(self.page(self.charlie, HERE, headers=HTMX), 404)


class ActingTests(ChatCase):
    def do(self, what: str, at: int, who: object = None, **more: object) -> object:
        return self.send(who or self.alice, f"{HERE}{self.ids()[at]}/", {"do": what}, **more)  # type: ignore[arg-type]

    def test_up_and_down(self) -> None:
        self.do("up", 2)
        self.assertEqual(self.texts(), ["One", "Three", "Two"])
        self.do("down", 0)
        self.assertEqual(self.texts(), ["Three", "One", "Two"])
        self.do("up", 0)
        self.do("down", 2)
        self.assertEqual(self.texts(), ["Three", "One", "Two"])

    def test_dropped_beside_another(self) -> None:
        first, _second, third = self.ids()
        self.send(self.alice, f"{HERE}{third}/", {"do": f"before:{first}"})
        self.assertEqual(self.texts(), ["Three", "One", "Two"])
        self.send(self.alice, f"{HERE}{third}/", {"do": f"after:{first}"})
        self.assertEqual(self.texts(), ["One", "Three", "Two"])

    def test_a_move_tells_where_it_led(self) -> None:
        moved = self.ids()[2]
        response = self.do("up", 2, headers=HTMX)
        self.assertEqual(json.loads(response["HX-Trigger"]), {"chat-changed": {"said": "Moved: now message 2."}})  # type: ignore[index]
        text = response.content.decode()  # type: ignore[attr-defined]
        self.assertLess(text.index(f'id="m-{moved}"'), text.index(f'id="m-{self.ids()[2]}"'))

    def test_pinned_and_left_out_and_back(self) -> None:
        number = self.ids()[1]
        for verb, expected in (
            ("pin", {"pinned": True}),
            ("leave", {"pinned": True, "excluded": True}),
            ("unpin", {"excluded": True}),
            ("take", {}),
        ):
            with self.subTest(verb=verb):
                response = self.do(verb, 1)
                self.assertEqual(response["Location"], f"/t/tavern/chats/night/#m-{number}")  # type: ignore[index]
                self.assertEqual(self.body(number), {"role": "assistant", "content": "Two"} | expected)

    def test_htmx_gets_the_one_row(self) -> None:
        number = self.ids()[1]
        response = self.do("pin", 1, headers=HTMX)
        text = self.assert_is(response, 200)  # type: ignore[arg-type]
        self.assertEqual(
            (response["HX-Retarget"], response["HX-Reswap"], text.count("<li ")),
            (f"#m-{number}", "outerHTML", 1),  # type: ignore[index]
        )
        self.assertIn(">pinned</span>", text)

    def test_deleted(self) -> None:
        self.do("delete", 1)
        self.assertEqual(self.texts(), ["One", "Three"])

    def test_what_is_gone_shows_the_chat_as_it_is(self) -> None:
        gone = self.ids()[1]
        delete_message(self.alice.actor, chat=self.chat, message_id=gone)
        for verb in ("up", "pin", "delete", f"before:{self.ids()[0]}"):
            with self.subTest(verb=verb):
                response = self.send(self.alice, f"{HERE}{gone}/", {"do": verb})
                if verb == "up":  # nothing is above it, so there is nothing to do
                    self.assertEqual(response.status_code, 302)
                    continue
                self.assertIn("The chat has changed meanwhile", self.assert_is(response, 404))
                shown = self.assert_is(self.send(self.alice, f"{HERE}{gone}/", {"do": verb}, headers=HTMX), 200)
                self.assertEqual(shown.count('class="said"'), 2)

    def test_an_unknown_verb_is_refused(self) -> None:
        self.assertEqual(self.do("explode", 0).status_code, 422)  # type: ignore[attr-defined]

    def test_who_may_not(self) -> None:
        for verb in ("up", "pin", "delete", "save"):
            with self.subTest(verb=verb):
                number = self.ids()[1]
                self.assert_is(self.send(self.bob, f"{HERE}{number}/", {"do": verb, "text": "x"}), 403)
                self.assert_is(self.send(self.charlie, f"{HERE}{number}/", {"do": verb, "text": "x"}), 404)
                self.assert_to_login(self.send(None, f"{HERE}{number}/", {"do": verb, "text": "x"}))
        self.assertEqual(self.texts(), ["One", "Two", "Three"])

    def test_another_chats_message_is_not_touched(self) -> None:
        other = self.chat_of("other", name="Other")
        number = self.say(other, ("user", "Theirs"))[0]
        self.assert_is(self.send(self.alice, f"{HERE}{number}/", {"do": "delete"}), 404)
        self.assertEqual(self.texts(other), ["Theirs"])


class EditingTests(ChatCase):
    def setUp(self) -> None:
        super().setUp()
        self.number = self.ids()[1]
        self.here = f"{HERE}{self.number}/"

    def save(self, **typed: str) -> object:
        base = orjson.dumps(self.body(self.number)).decode()
        form = {"do": "save", "base": base, "role": "assistant", "name": "", "text": "Two"}
        return self.send(self.alice, self.here, form | typed)

    def test_a_row_opens_as_a_form_and_closes(self) -> None:
        page = self.assert_is(self.page(self.alice, f"/chats/night/?edit={self.number}"), 200)
        self.assertIn('name="do" value="save"', page)
        row = self.assert_is(self.page(self.alice, f"{self.here}?edit=1", headers=HTMX), 200)
        self.assertIn(">\nTwo</textarea>", row)
        closed = self.assert_is(self.page(self.alice, self.here, headers=HTMX), 200)
        self.assertNotIn("textarea", closed)
        self.assertEqual(
            self.page(self.alice, f"{self.here}?edit=1")["Location"],
            f"/t/tavern/chats/night/?edit={self.number}#m-{self.number}",
        )
        self.assertNotIn("textarea", self.assert_is(self.page(self.bob, f"{self.here}?edit=1", headers=HTMX), 200))
        self.assert_is(self.page(self.charlie, f"{self.here}?edit=1", headers=HTMX), 404)

    def test_text_role_and_name_are_saved_and_flags_stay(self) -> None:
        edit_message(
            self.alice.actor,
            chat=self.chat,
            message_id=self.number,
            message={"role": "assistant", "content": "Two", "pinned": True},
        )
        self.save(text="Zwei\r\nTwo", role="system", name="Joss")
        self.assertEqual(
            self.body(self.number), {"role": "system", "content": "Zwei\nTwo", "name": "Joss", "pinned": True}
        )

    def test_untouched_text_keeps_its_carriage_returns(self) -> None:
        edit_message(
            self.alice.actor,
            chat=self.chat,
            message_id=self.number,
            message={"role": "assistant", "content": "a\r\nb"},
        )
        self.save(text="a\r\nb", role="user")
        self.assertEqual(self.body(self.number), {"role": "user", "content": "a\r\nb"})

    def test_a_message_that_is_more_than_text_is_edited_as_json(self) -> None:
        parts = {"role": "user", "content": [{"type": "text", "text": "Look"}]}
        row = add_messages(self.alice.actor, chat=self.chat, messages=[parts])[0]
        here = f"{HERE}{row.pk}/"
        form = {"do": "save", "base": row.body, "text": '{"role": "user", "content": "Plain"}'}
        self.send(self.alice, here, form)
        self.assertEqual(self.body(str(row.pk)), {"role": "user", "content": "Plain"})

    def test_json_that_is_none_comes_back(self) -> None:
        parts = {"role": "user", "content": [{"type": "text", "text": "Look"}]}
        row = add_messages(self.alice.actor, chat=self.chat, messages=[parts])[0]
        form = {"do": "save", "base": row.body, "text": '{"role": '}
        text = self.assert_is(self.send(self.alice, f"{HERE}{row.pk}/", form), 422)
        self.assertIn("This is not JSON", text)
        self.assertIn("{&quot;role&quot;: </textarea>", text)

    def test_somebody_changed_it_meanwhile_both_are_shown_and_the_next_save_wins(self) -> None:
        base = orjson.dumps(self.body(self.number)).decode()
        theirs = {"role": "assistant", "content": "Theirs"}
        edit_message(self.alice.actor, chat=self.chat, message_id=self.number, message=theirs)
        text = self.assert_is(self.save(base=base, text="Mine"), 409)  # type: ignore[arg-type]
        self.assertIn('<pre class="theirs">Theirs</pre>', text)
        self.assertIn(">\nMine</textarea>", text)
        self.assertEqual(self.body(self.number), theirs)
        self.save(text="Mine")
        self.assertEqual(self.body(self.number)["content"], "Mine")

    def test_it_was_deleted_meanwhile_and_the_text_is_kept(self) -> None:
        form = {"do": "save", "base": "", "role": "assistant", "name": "", "text": "Mine"}
        delete_message(self.alice.actor, chat=self.chat, message_id=self.number)
        shown = self.assert_is(self.send(self.alice, self.here, form, headers=HTMX), 200)
        self.assertIn("This message was deleted meanwhile.", shown)
        self.assertIn(">\nMine</textarea>", shown)
        text = self.assert_is(self.send(self.alice, self.here, form), 404)
        self.assertIn(">\nMine</textarea>", text)
        self.send(self.alice, self.here, form | {"do": "again"})
        self.assertEqual(self.body(self.ids()[-1]), {"role": "assistant", "content": "Mine"})
