"""What pages say: lists, search, empty states, errors, hostile names, headers."""

from __future__ import annotations

import re

from django.test import override_settings

from neotavern.library.models import Item
from tests.web.case import PageCase, document

ATTACK = "<script>alert(1)</script>\"'"


class ListTests(PageCase):
    def test_rows_show_what_a_person_looks_for(self) -> None:
        self.make(tags=["roleplay"])
        text = self.assert_is(self.page(self.alice, "/formats/"), 200)
        for part in ("House style", "house", "roleplay", "latest", "Make active", "alice"):
            self.assertIn(part, text)

    def test_search_works_without_a_script(self) -> None:
        self.make()
        self.make("other", name="Other")
        text = self.assert_is(self.page(self.alice, "/formats/?q=house"), 200)
        self.assertIn("House style</a>", text)
        self.assertNotIn("Other</a>", text)

    def test_htmx_gets_the_rows_alone(self) -> None:
        self.make()
        text = self.assert_is(self.page(self.alice, "/formats/?q=house", headers={"HX-Request": "true"}), 200)
        self.assertNotIn("<html", text)
        self.assertIn("House style</a>", text)

    def test_tag_and_origin_narrow(self) -> None:
        self.load_builtins()
        self.make(tags=["mine"])
        only = self.assert_is(self.page(self.alice, "/formats/?tag=mine"), 200)
        self.assertEqual(only.count('class="name"'), 1)
        team = self.assert_is(self.page(self.alice, "/formats/?origin=team"), 200)
        self.assertEqual(team.count('class="name"'), 1)
        self.assertNotIn("House style</a>", self.assert_is(self.page(self.alice, "/formats/?origin=builtin"), 200))

    def test_an_empty_list_says_what_to_do(self) -> None:
        self.assertIn("No formats yet", self.assert_is(self.page(self.alice, "/formats/"), 200))
        self.assertIn("Nothing matches", self.assert_is(self.page(self.alice, "/formats/?q=zzz"), 200))
        self.assertIn("Nothing is archived", self.assert_is(self.page(self.alice, "/formats/?archived=1"), 200))

    def test_a_made_up_cursor_is_refused_as_a_page(self) -> None:
        self.assertIn("<h1>", self.assert_is(self.page(self.alice, "/formats/?cursor=x"), 422))

    def test_older_ones_are_one_click_away(self) -> None:
        for number in range(51):
            self.make(f"f{number:02d}")
        first = self.assert_is(self.page(self.alice, "/formats/"), 200)
        following = re.search(r'href="(\?cursor=[^"]+)"', first)
        assert following is not None
        self.assertEqual(
            self.assert_is(self.page(self.alice, "/formats/" + following[1]), 200).count('class="name"'), 1
        )


class SearchTests(PageCase):
    def test_objects_and_actions_in_one_list(self) -> None:
        self.make()
        text = self.assert_is(self.page(self.alice, "/search/?q=house"), 200)
        self.assertIn('href="/t/tavern/formats/house/"', text)
        actions = self.assert_is(self.page(self.alice, "/search/?q=new", headers={"HX-Request": "true"}), 200)
        self.assertIn('href="/t/tavern/formats/new/"', actions)

    def test_a_viewer_is_offered_no_action_that_he_may_not_do(self) -> None:
        self.assertNotIn("/formats/new/", self.assert_is(self.page(self.bob, "/search/"), 200))

    def test_nothing_found_says_so(self) -> None:
        self.assertIn("&lt;b&gt;zzz", self.assert_is(self.page(self.alice, "/search/?q=<b>zzz"), 200))


class HostileTests(PageCase):
    def test_names_and_templates_are_text_everywhere(self) -> None:
        self.make(name=ATTACK, description=ATTACK, tags=[ATTACK], user=ATTACK + "{{{content}}}</textarea>", bos=ATTACK)
        Item.objects.update(updated_by_name=ATTACK)
        self.send(self.alice, "/formats/house/activate/")
        paths = [
            "/formats/", "/formats/house/", "/formats/house/revisions/", "/formats/house/clone/", "/settings/",
            "/search/?q=script", "/formats/new/?from=house", "/formats/?tag=<script>alert(1)</script>",
            "/formats/?q=<script>alert(1)</script>",
        ]  # fmt: skip
        for who in (self.alice, self.bob):
            for path in paths:
                with self.subTest(path=path, who=who.name):
                    self.assertNotIn("<script>alert", self.page(who, path).content.decode())

    def test_a_leading_newline_of_a_template_survives_the_page(self) -> None:
        self.make(user="\n\n{{{content}}}")
        self.assertIn(">\n\n\n{{{content}}}</textarea>", self.assert_is(self.page(self.alice, "/formats/house/"), 200))


class HeaderTests(PageCase):
    def test_the_policy_allows_nothing_inline_on_any_page(self) -> None:
        self.make()
        for path in ("/formats/", "/formats/house/", "/settings/", "/formats/import/", "/nothing/"):
            policy = self.page(self.alice, path)["Content-Security-Policy"]
            with self.subTest(path=path):
                self.assertNotIn("unsafe", policy)
                self.assertIn("default-src 'none'", policy)

    def test_pages_carry_no_inline_script_style_or_handler(self) -> None:
        self.make()
        for path in ("/formats/", "/formats/house/", "/settings/", "/formats/import/", "/formats/new/"):
            text = self.page(self.alice, path).content.decode()
            with self.subTest(path=path):
                self.assertEqual(re.findall(r"<style|\sstyle=|\son\w+=|javascript:", text), [])
                inline = re.findall(r"<script(?![^>]*(?:src=|application/json))", text)
                self.assertEqual(inline, [])

    def test_the_theme_of_the_cookie_is_in_the_page_and_nothing_else_of_it(self) -> None:
        self.client.force_login(self.alice.user)
        self.client.cookies["theme"] = "dark"
        self.assertIn('data-theme="dark"', self.client.get("/t/tavern/formats/").content.decode())
        self.client.cookies["theme"] = "evil"
        self.assertNotIn("evil", self.client.get("/t/tavern/formats/").content.decode())


class ErrorPageTests(PageCase):
    def test_an_unknown_address_is_a_page(self) -> None:
        text = self.assert_is(self.page(self.alice, "/nothing/"), 404)
        self.assertIn("There is nothing here", text)

    def test_a_refusal_says_what_happened(self) -> None:
        self.assertIn("You may not do this", self.assert_is(self.send(self.bob, "/formats/new/"), 403))

    def test_a_form_without_its_token_is_out_of_date(self) -> None:
        from django.test import Client

        client = Client(enforce_csrf_checks=True)
        client.force_login(self.alice.user)
        text = self.assert_is(client.post("/t/tavern/settings/", {}), 403)
        self.assertIn("out of date", text)

    def test_who_is_in_no_team_is_told_so(self) -> None:
        from neotavern.accounts.models import Membership

        Membership.objects.all().delete()
        self.client.force_login(self.bob.user)
        self.assertIn("no team", self.assert_is(self.client.get("/"), 403))

    def test_the_500_page_needs_no_context(self) -> None:
        from django.template.loader import render_to_string

        self.assertIn("Something went wrong", render_to_string("500.html"))
        self.assertIn("f00d", render_to_string("500.html", {"trace_id": "f00d"}))

    @override_settings(ALLOWED_HOSTS=["only.example"])
    def test_a_strange_host_is_refused(self) -> None:
        self.assert_is(self.client.get("/login/"), 400)

    def test_a_page_exists_for_each_refusal(self) -> None:
        self.make()
        _ = document()
        for template in ("400.html", "403.html", "404.html"):
            from django.template.loader import render_to_string

            self.assertIn("<h1>", render_to_string(template))
