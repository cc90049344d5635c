"""The page of a chat: who sees it, what it shows, saving its settings, sharing, beginning one."""

from __future__ import annotations

from chats.services.messages import add_messages
from neotavern.library import services
from tests.web.chats import HTMX, ChatCase


class PageTests(ChatCase):
    def test_it_shows_messages_settings_and_the_field_to_write_in(self) -> None:
        text = self.assert_is(self.page(self.alice, "/chats/night/"), 200)
        for part in ("One", "Two", "Three", 'id="say"', 'name="d.character"', "shared with the team"):
            with self.subTest(part=part):
                self.assertIn(part, text)

    def test_a_viewer_reads_and_cannot_write(self) -> None:
        text = self.assert_is(self.page(self.bob, "/chats/night/"), 200)
        self.assertIn("You may read here, not write.", text)
        self.assertIn("You try it out: nothing is stored.", text)
        for part in ("Add to the chat", 'name="do"', 'name="d.all"', "Stop sharing", "Share with the team"):
            with self.subTest(part=part):
                self.assertNotIn(part, text)

    def test_another_team_and_nobody_see_nothing(self) -> None:
        self.assert_is(self.page(self.charlie, "/chats/night/"), 404)
        self.assert_to_login(self.page(None, "/chats/night/"))

    def test_a_chat_that_is_not_shared_is_its_authors_alone(self) -> None:
        self.chat_of("secret", name="Secret")
        self.assertIn("yours alone", self.assert_is(self.page(self.alice, "/chats/secret/"), 200))
        self.assert_is(self.page(self.bob, "/chats/secret/"), 404)

    def test_only_the_newest_messages_are_shown_and_older_ones_on_demand(self) -> None:
        long = self.chat_of("long", name="Long", shared=True)
        add_messages(
            self.alice.actor, chat=long, messages=[{"role": "user", "content": f"line {n}."} for n in range(1, 301)]
        )
        text = self.assert_is(self.page(self.alice, "/chats/long/"), 200)
        self.assertEqual(text.count('class="said"'), 50)
        self.assertIn('data-number="251"', text)
        self.assertIn("Older: 250 messages", text)
        self.assertNotIn("line 250.", text)
        more = self.assert_is(self.page(self.bob, "/chats/long/messages/?shown=250", headers=HTMX), 200)
        self.assertEqual((more.count('class="said"'), "Older: 50 messages" in more), (250, True))
        self.assertIn("?shown=450", more)
        everything = self.assert_is(self.page(self.alice, "/chats/long/?shown=99999999999999"), 200)
        self.assertEqual(everything.count('class="said"'), 50)

    def test_a_message_that_an_address_names_is_in_sight(self) -> None:
        long = self.chat_of("long", name="Long", shared=True)
        first = self.say(long, *(("user", f"line {n}.") for n in range(120)))[0]
        text = self.assert_is(self.page(self.alice, f"/chats/long/?at={first}"), 200)
        self.assertEqual(text.count('class="said"'), 120)
        self.assert_is(self.page(self.alice, "/chats/long/?at=999999"), 200)

    def test_messages_that_are_more_than_text_are_told(self) -> None:
        parts = [{"type": "text", "text": "Look"}, {"type": "image_url", "image_url": {"url": "data:,"}}]
        call = {"id": "c", "type": "function", "function": {"name": "map", "arguments": '{"a":1}'}}
        chat = self.chat_of("odd", name="Odd")
        messages = [
            {"role": "user", "content": parts},
            {"role": "assistant", "tool_calls": [call]},
            {"role": "tool", "content": "<b>done</b>", "tool_call_id": "c"},
        ]
        add_messages(self.alice.actor, chat=chat, messages=messages)
        text = self.assert_is(self.page(self.alice, "/chats/odd/"), 200)
        for part in ("Look", "image_url", "map({&quot;a&quot;:1})", "&lt;b&gt;done&lt;/b&gt;"):
            with self.subTest(part=part):
                self.assertIn(part, text)

    def test_a_very_long_message_is_folded(self) -> None:
        text = "a" * 1_999 + "bc" + "d" * 5_000
        self.say(self.chat, ("user", text))
        shown = self.assert_is(self.page(self.alice, "/chats/night/"), 200)
        self.assertIn("All 7,001 characters", shown)
        self.assertIn("ab<details", shown)
        self.assertIn(f"</summary>c{'d' * 5_000}</details>", shown)

    def test_old_settings_are_read_and_not_written(self) -> None:
        services.save(
            self.alice.actor, item=self.chat, document=self.settings() | {"scenario": "Ice."}, base_revision=1
        )
        text = self.assert_is(self.page(self.alice, "/chats/night/?revision=1"), 200)
        self.assertIn("You read the settings of revision 1; the newest is 2.", text)
        self.assertNotIn('name="d.all"', text)
        self.assert_is(self.page(self.alice, "/chats/night/?revision=9"), 404)

    def test_an_empty_and_an_archived_chat_say_so(self) -> None:
        empty = self.chat_of("empty", name="Empty", shared=True)
        self.assertIn("Nobody has said anything yet", self.assert_is(self.page(self.alice, "/chats/empty/"), 200))
        services.archive(self.alice.actor, item=empty)
        text = self.assert_is(self.page(self.alice, "/chats/empty/"), 200)
        self.assertNotIn('id="say"', text)


class SavingTests(ChatCase):
    def setUp(self) -> None:
        super().setUp()
        self.store("character", "joss")
        self.store("persona", "ana", shared=True)
        self.store("lorebook", "port")
        self.store("lorebook", "ice")

    def test_fields_become_the_document_and_nothing_else_changes(self) -> None:
        form = self.form(
            **{
                "d.character": "joss",
                "d.persona": "ana",
                "d.lorebooks.0": "port",
                "d.lorebooks.1": "",
                "d.lorebooks.2": "ice",
                "d.scenario": "Dusk.\r\nIce.",
                "d.authorsNote.content": "Slowly.",
                "d.authorsNote.position": "at_depth",
                "d.authorsNote.depth": "2",
                "d.variables": "place=the quay\r\nline=a\\nb",
                "d.tags": "night, ferry",
                "note": "who and where",
            }
        )
        response = self.send(self.alice, "/chats/night/save/", form)
        self.assertEqual((response.status_code, response["Location"]), (302, "/t/tavern/chats/night/"))
        stored = self.settings()
        self.assertEqual(
            {name: stored[name] for name in ("character", "persona", "lorebooks", "scenario", "variables", "tags")},
            {
                "character": "joss",
                "persona": "ana",
                "lorebooks": ["port", "ice"],
                "scenario": "Dusk.\nIce.",
                "variables": {"place": "the quay", "line": "a\nb"},
                "tags": ["night", "ferry"],
            },
        )
        note = stored["authorsNote"]
        self.assertEqual((note["content"], note["depth"]), ("Slowly.", 2))
        self.assertEqual((stored["shared"], self.texts()), (True, ["One", "Two", "Three"]))
        self.assertEqual(self.chat.revisions.get(number=2).note, "who and where")

    def test_what_is_unchanged_makes_no_revision(self) -> None:
        self.send(self.alice, "/chats/night/save/", self.form())
        self.chat.refresh_from_db()
        self.assertEqual(self.chat.last_number, 1)

    def test_a_list_is_emptied(self) -> None:
        self.send(self.alice, "/chats/night/save/", self.form(**{"d.lorebooks.0": "port"}))
        self.send(self.alice, "/chats/night/save/", self.form(**{"d.lorebooks.0": "", "d.lorebooks.1": ""}))
        self.assertEqual(self.settings()["lorebooks"], [])

    def test_a_fault_comes_back_at_its_field_with_everything_typed(self) -> None:
        cases = [
            ({"d.variables": "no sign"}, "Line 1 is not name=value.", "no sign"),
            ({"d.authorsNote.depth": "deep"}, "This is not a whole number.", "deep"),
            ({"d.name": " "}, "must not be blank", "Not saved"),
            ({"d.character": "ghost"}, "ghost", "Not saved"),
        ]
        for typed, fault, kept in cases:
            with self.subTest(typed=typed):
                response = self.send(self.alice, "/chats/night/save/", self.form(**typed))
                text = response.content.decode()
                self.assertEqual((response.status_code, fault in text, kept in text), (422, True, True))
        self.assertEqual(self.chat.revisions.count(), 1)

    def test_somebody_saved_in_between(self) -> None:
        form = self.form(**{"d.scenario": "Mine."})
        services.save(
            self.alice.actor, item=self.chat, document=self.settings() | {"scenario": "Theirs."}, base_revision=1
        )
        text = self.assert_is(self.send(self.alice, "/chats/night/save/", form), 409)
        self.assertIn("<del>Theirs</del>", text)
        self.assertIn(">\nMine.</textarea>", text)
        self.assertIn('name="baseRevision" value="2"', text)
        self.assertEqual(self.settings()["scenario"], "Theirs.")

    def test_who_may_not_save(self) -> None:
        form = self.form(**{"d.scenario": "Mine."})
        self.assert_is(self.send(self.bob, "/chats/night/save/", form), 403)
        self.assert_is(self.send(self.charlie, "/chats/night/save/", form), 404)
        self.assert_to_login(self.send(None, "/chats/night/save/", form))
        self.assertEqual(self.settings().get("scenario"), None)

    def test_its_address_leads_to_the_chat(self) -> None:
        response = self.page(self.alice, "/chats/night/save/")
        self.assertEqual((response.status_code, response["Location"]), (302, "/t/tavern/chats/night/"))


class SharingTests(ChatCase):
    def test_a_chat_is_shared_and_taken_back(self) -> None:
        self.chat_of("secret", name="Secret")
        self.assert_is(self.page(self.bob, "/chats/secret/"), 404)
        self.assertEqual(self.send(self.alice, "/chats/secret/share/", {"shared": "1"}).status_code, 302)
        self.assertEqual(self.settings("secret")["shared"], True)
        self.assert_is(self.page(self.bob, "/chats/secret/"), 200)
        self.send(self.alice, "/chats/secret/share/", {"shared": "0"})
        self.assert_is(self.page(self.bob, "/chats/secret/"), 404)

    def test_who_may_not(self) -> None:
        self.assert_is(self.send(self.bob, "/chats/night/share/", {"shared": "0"}), 403)
        self.assert_is(self.send(self.charlie, "/chats/night/share/", {"shared": "0"}), 404)
        self.assert_to_login(self.send(None, "/chats/night/share/", {"shared": "0"}))
        self.assertEqual(self.page(self.alice, "/chats/night/share/").status_code, 405)
        self.assertEqual(self.settings()["shared"], True)

    def test_a_shared_chat_may_not_name_what_is_private(self) -> None:
        self.store("persona", "mine")
        self.chat_of("secret", name="Secret", persona="mine")
        text = self.assert_is(self.send(self.alice, "/chats/secret/share/", {"shared": "1"}), 422)
        self.assertIn("Not saved", text)
        self.assertNotIn("shared", {name for name, value in self.settings("secret").items() if value is True})


class StartTests(ChatCase):
    def setUp(self) -> None:
        super().setUp()
        self.store("character", "joss")
        self.store("persona", "ana", shared=True)

    def test_a_characters_page_leads_to_a_new_chat_with_it(self) -> None:
        text = self.assert_is(self.page(self.alice, "/characters/joss/"), 200)
        self.assertIn('href="/t/tavern/chats/new/?character=joss"', text)
        self.assertNotIn("/chats/new/?character", self.assert_is(self.page(self.bob, "/characters/joss/"), 200))
        text = self.assert_is(self.page(self.alice, "/chats/new/?character=joss"), 200)
        self.assertIn('<option value="joss" selected>', text)
        self.assertIn('value="Chat with Joss"', text)
        self.assertIn('value="chat-with-joss"', text)

    def test_the_list_leads_to_a_new_chat_too(self) -> None:
        self.assertIn('href="/t/tavern/chats/new/"', self.assert_is(self.page(self.alice, "/chats/"), 200))
        self.assertIn("The character's greeting opens it.", self.assert_is(self.page(self.alice, "/chats/new/"), 200))

    def test_a_greeting_opens_the_chat(self) -> None:
        self.store("character", "mira", firstMes="Mind the plank, {{user}}.")
        self.send(self.alice, "/chats/new/", {"name": "Sea", "character": "mira", "slug": "sea"})
        text = self.assert_is(self.page(self.alice, "/chats/sea/"), 200)
        self.assertIn("Mind the plank, {{user}}.", text)

    def test_a_chat_begins(self) -> None:
        form = {"name": "At sea", "character": "joss", "persona": "ana", "slug": "sea"}
        response = self.send(self.alice, "/chats/new/", form)
        self.assertEqual((response.status_code, response["Location"]), (302, "/t/tavern/chats/sea/"))
        stored = self.settings("sea")
        self.assertEqual((stored["name"], stored["character"], stored["persona"]), ("At sea", "joss", "ana"))

    def test_slug_and_name_are_proposed_and_free(self) -> None:
        self.send(self.alice, "/chats/new/", {"character": "joss", "name": "", "slug": ""})
        self.send(self.alice, "/chats/new/", {"character": "joss", "name": "", "slug": ""})
        self.assertEqual(self.settings("chat-with-joss")["name"], "Chat with Joss")
        self.assertEqual(self.settings("chat-with-joss-2")["name"], "Chat with Joss")

    def test_a_slug_that_is_taken_comes_back(self) -> None:
        text = self.assert_is(self.send(self.alice, "/chats/new/", {"name": "Other", "slug": "night"}), 409)
        self.assertIn('value="Other"', text)
        self.assertIn('role="alert"', text)

    def test_who_may_not(self) -> None:
        self.assert_is(self.page(self.bob, "/chats/new/"), 403)
        self.assert_is(self.send(self.bob, "/chats/new/", {"name": "x"}), 403)
        self.assert_is(self.send(self.charlie, "/chats/new/", {"name": "x"}), 404)
        self.assert_to_login(self.page(None, "/chats/new/"))
