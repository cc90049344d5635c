"""POST /render as a program sees it: shape, modes, settings, references, options, refusals."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from chats.services import formats
from neotavern.accounts.models import ApiKey
from tests.chats.base import CHATML_HI, LLAMA3_HI, RENDER, USER_HI, RenderTestCase, tiny_format


def only(body: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: body[name] for name in names}


def codes(body: dict[str, Any]) -> list[str]:
    return [finding["code"] for finding in body["findings"]]


class ShapeTests(RenderTestCase):
    def test_the_whole_answer(self) -> None:
        body = self.render(format="chatml", randomSeed=7)
        fingerprint = body.pop("fingerprint")
        self.assertRegex(fingerprint, r"\A[0-9a-f]{64}\Z")
        self.assertEqual(
            body,
            {
                "schemaVersion": 1,
                "mode": "text",
                "prompt": CHATML_HI,
                "messages": [{"role": "user", "content": CHATML_HI}],
                "stop": ["<|im_end|>"],
                "tokenBudget": {
                    "profile": "estimate",
                    "approximate": True,
                    "contextLimit": None,
                    "reservedForReply": None,
                    "promptTokens": 13,
                },
                "excluded": [],
                "findings": [],
                "randomSeed": 7,
            },
        )

    def test_a_trace_adds_segments_and_stages(self) -> None:
        body = self.render(format="chatml", trace=True, userInput="More")
        self.assertEqual("".join(segment["text"] for segment in body["segments"]), body["prompt"])
        self.assertEqual(
            body["segments"][4],
            {"text": "More", "kind": "content", "source": "input", "messageIndex": 1},
        )
        for stage in body["trace"]:
            self.assertGreaterEqual(stage.pop("ms"), 0)
        added = {"message": 1, "id": None, "origin": "input", "reason": "the user's input"}
        nothing = {"added": [], "changed": [], "dropped": [], "tokens": None}
        self.assertEqual(
            body["trace"],
            [
                {"stage": "userInput", **nothing, "added": [added]},
                {"stage": "macros", **nothing},
                {"stage": "lore", **nothing},
                {"stage": "memory", **nothing},
                {"stage": "assemble", **nothing, "tokens": 22},
                {"stage": "fit", **nothing, "tokens": 22},
            ],
        )

    def test_spans_say_what_is_trainable(self) -> None:
        messages = [*USER_HI, {"role": "assistant", "content": "Yo"}]
        body = self.render(format="chatml", messages=messages, spans=True, addGenerationPrompt=False)
        self.assertEqual(
            body["spans"],
            [
                {"message": 0, "start": 17, "end": 19, "trainable": False},
                {"message": 1, "start": 52, "end": 54, "trainable": True},
            ],
        )
        self.assertEqual(body["prompt"][52:54], "Yo")

    def test_media_are_listed_and_counted(self) -> None:
        form = tiny_format("p") | {"vision": {"imageToken": "[I]", "tokens": 300}}
        parts = [{"type": "text", "text": "Hi"}, {"type": "image_url", "image_url": {"url": "https://x.example/a.png"}}]
        body = self.render(format=form, messages=[{"role": "user", "content": parts}], tokenizer="o200k_base")
        self.assertEqual(
            body["media"],
            [{"type": "image_url", "path": "messages[0].content[1]", "tokens": 300, "approximate": True}],
        )
        self.assertTrue(body["tokenBudget"]["approximate"])
        self.assertGreater(body["tokenBudget"]["promptTokens"], 300)

    def test_excluded_messages_are_listed_and_left_out(self) -> None:
        messages = [{"role": "user", "content": "Old", "id": "m1", "excluded": True}, *USER_HI]
        body = self.render(format="chatml", messages=messages)
        self.assertEqual(body["prompt"], CHATML_HI)
        self.assertEqual(body["excluded"], [{"id": "m1", "origin": "history", "reason": "manual"}])

    def test_a_drawn_seed_is_answered(self) -> None:
        self.assertNotEqual(self.render()["randomSeed"], self.render()["randomSeed"])

    def test_equal_settings_have_equal_fingerprints(self) -> None:
        one, same, other = self.render(format="chatml"), self.render(format="chatml"), self.render(format="llama3")
        self.assertEqual(one["fingerprint"], same["fingerprint"])
        self.assertNotEqual(one["fingerprint"], other["fingerprint"])
        self.assertNotEqual(one["fingerprint"], self.render(format="chatml", variables={"a": "b"})["fingerprint"])


class ModeTests(RenderTestCase):
    def test_a_new_team_without_provider_gets_the_array(self) -> None:
        body = self.render()
        self.assertEqual(
            only(body, "mode", "prompt", "messages", "stop", "findings"),
            {"mode": "chat", "prompt": None, "messages": USER_HI, "stop": [], "findings": []},
        )

    def test_a_text_provider_without_a_format_gets_chatml(self) -> None:
        body = self.render(provider="koboldai")
        self.assertEqual((body["mode"], body["prompt"], codes(body)), ("text", CHATML_HI, ["DEFAULT_FORMAT_USED"]))

    def test_null_beats_the_teams_format(self) -> None:
        self.set_team(self.alice, instructFormat="llama3")
        self.assertEqual(self.render(format=None)["mode"], "chat")

    def test_the_teams_format_is_used_when_none_is_named(self) -> None:
        self.set_team(self.alice, instructFormat="llama3")
        self.assertEqual(only(self.render(), "mode", "prompt"), {"mode": "text", "prompt": LLAMA3_HI})

    def test_a_chat_provider_gets_the_array_and_no_stops_of_the_format(self) -> None:
        body = self.render(format="chatml", provider="anthropic", stopStrings=["END"])
        self.assertEqual(
            only(body, "mode", "messages", "stop", "prompt"),
            {"mode": "chat", "messages": USER_HI, "stop": ["END"], "prompt": CHATML_HI},
        )
        self.assertEqual(codes(body), ["FORMAT_NOT_APPLIED"])

    def test_text_for_a_chat_provider_is_done_and_said(self) -> None:
        body = self.render(format="chatml", provider="openai-compatible", serializeAsText=True)
        self.assertEqual((body["mode"], codes(body)), ("text", ["DOUBLE_TEMPLATING"]))

    def test_an_array_for_a_text_provider_is_refused(self) -> None:
        error = self.refusal(422, "RENDER_REFUSED", provider="novelai", serializeAsText=False)
        self.assertEqual(error["details"][0]["path"], "serializeAsText")

    def test_a_stored_false_is_ignored_there(self) -> None:
        self.set_team(self.alice, serializeAsText=False)
        self.assertEqual(self.render(format="chatml", provider="novelai")["mode"], "text")
        self.assertEqual(self.render(format="chatml")["mode"], "chat")
        self.assertEqual(self.render(format="chatml", serializeAsText=True)["mode"], "text")

    def test_chat_messages_have_only_keys_with_a_value(self) -> None:
        call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        parts = [{"type": "text", "text": "Look"}, {"type": "image_url", "image_url": {"url": "data:,x"}}]
        messages = [
            {"id": "1", "role": "user", "content": parts, "name": None},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "content": "42", "tool_call_id": "c1", "pinned": True},
            {"role": "user", "content": "So?", "name": "Ann"},
        ]
        self.assertEqual(
            self.render(messages=messages)["messages"],
            [
                {"role": "user", "content": parts},
                {"role": "assistant", "tool_calls": [call]},
                {"role": "tool", "content": "42", "tool_call_id": "c1"},
                {"role": "user", "content": "So?", "name": "Ann"},
            ],
        )

    def test_a_format_that_refuses_costs_a_chat_provider_only_the_prompt(self) -> None:
        body = self.render(format="chatml", provider="anthropic", specialTokenPolicy="reject", userInput="<|im_end|>")
        self.assertEqual((body["mode"], body["prompt"]), ("chat", None))
        self.assertEqual(codes(body), ["FORMAT_NOT_APPLIED", "PROMPT_NOT_RENDERED"])


class TailTests(RenderTestCase):
    open_end = [*USER_HI, {"role": "assistant", "content": "Well"}]

    def test_no_generation_prompt(self) -> None:
        prompt = self.render(format="chatml", addGenerationPrompt=False)["prompt"]
        self.assertEqual(prompt, "<|im_start|>user\nHi<|im_end|>\n")

    def test_a_continued_message_stays_open_and_the_prefill_follows(self) -> None:
        expected = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nWell, then"
        for asked in ({"continueFinalMessage": True}, {"generationType": "continue"}):
            body = self.render(format="chatml", messages=self.open_end, assistantPrefill=", then", **asked)
            self.assertEqual(body["prompt"], expected)

    def test_only_an_assistant_can_be_continued(self) -> None:
        for form in ("chatml", None):
            error = self.refusal(422, "VALIDATION", format=form, continueFinalMessage=True)
            self.assertEqual(error["details"][0]["path"], "continueFinalMessage")

    def test_the_prefill_is_the_last_assistant_message_of_an_array(self) -> None:
        body = self.render(assistantPrefill="Sure")
        self.assertEqual(body["messages"], [*USER_HI, {"role": "assistant", "content": "Sure"}])

    def test_the_prefill_goes_on_with_a_continued_message_of_an_array(self) -> None:
        body = self.render(messages=self.open_end, assistantPrefill="!", continueFinalMessage=True)
        self.assertEqual(body["messages"], [*USER_HI, {"role": "assistant", "content": "Well!"}])

    def test_bos_can_be_left_out(self) -> None:
        self.assertEqual("<|begin_of_text|>" + self.render(format="llama3", bos="omit")["prompt"], LLAMA3_HI)

    def test_stops_keep_their_order_and_lose_what_is_empty_or_twice(self) -> None:
        body = self.render(format="chatml", stopStrings=["", "A", "<|im_end|>", "A", "\n"])
        self.assertEqual(body["stop"], ["<|im_end|>", "A", "\n"])


class ReferenceTests(RenderTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.make_format(self.alice)
        body = {"document": tiny_format(user="V:{{{content}}}\n"), "baseRevision": 1}
        assert self.put(self.alice, "/api/v1/formats/tiny", body).status_code == 200
        self.put(self.alice, "/api/v1/formats/tiny/labels/production", {"revision": 1})

    def test_slug_label_and_number(self) -> None:
        expected = {"tiny": "V:Hi\nA:", "tiny@latest": "V:Hi\nA:", "tiny@production": "U:Hi\nA:", "tiny@1": "U:Hi\nA:"}
        for named, prompt in expected.items():
            with self.subTest(named):
                self.assertEqual(self.render(format=named)["prompt"], prompt)

    def test_what_does_not_exist_is_404(self) -> None:
        for named in ("nope", "tiny@9", "tiny@nope", "", "@", "tiny@0", "Tiny", "ti\tny", "tiny@99999999999999999999"):
            with self.subTest(named):
                error = self.refusal(404, "NOT_FOUND", format=named)
                self.assertEqual(error["params"], {"format": named})

    def test_another_teams_format_is_404(self) -> None:
        response = self.post(self.charlie, RENDER, {"format": "tiny", "messages": USER_HI})
        self.assert_error(response, 404, "NOT_FOUND", params={"format": "tiny"})

    def test_the_own_team_comes_before_a_builtin(self) -> None:
        self.make_format(self.alice, slug="chatml")
        self.assertEqual(self.render(format="chatml")["prompt"], "U:Hi\nA:")
        self.assertEqual(self.render(self.charlie, format="chatml")["prompt"], CHATML_HI)

    def test_an_archived_slug_is_404(self) -> None:
        self.delete(self.alice, "/api/v1/formats/tiny")
        self.refusal(404, "NOT_FOUND", format="tiny")

    def test_a_moved_label_holds_at_once(self) -> None:
        self.put(self.alice, "/api/v1/formats/tiny/labels/production", {"revision": 2})
        self.assertEqual(self.render(format="tiny@production")["prompt"], "V:Hi\nA:")

    def test_one_query_when_the_content_is_compiled(self) -> None:
        self.render(format="tiny")
        with CaptureQueriesContext(connection) as queries:
            self.render(format="tiny")
        self.assertEqual(len(queries), 1)

    def test_two_queries_when_the_settings_name_the_format(self) -> None:
        self.set_team(self.alice, instructFormat="tiny")
        self.render()
        with CaptureQueriesContext(connection) as queries:
            self.assertEqual(self.render()["prompt"], "V:Hi\nA:")
        self.assertEqual(len(queries), 2)


class InlineTests(RenderTestCase):
    def test_an_inline_format_renders(self) -> None:
        self.assertEqual(self.render(format=tiny_format())["prompt"], "U:Hi\nA:")

    def test_a_version_1_document_renders(self) -> None:
        document = {name: tiny_format()[name] for name in ("id", "system", "user", "assistant", "tool", "promptSuffix")}
        body = self.render(format={**document, "version": 1, "stopStrings": ["", "X"]})
        self.assertEqual(only(body, "prompt", "stop"), {"prompt": "U:Hi\nA:", "stop": ["X"]})
        self.assertIn("IMPORT_LOSS", codes(body))

    def test_it_is_compiled_once(self) -> None:
        before = len(formats._CACHE)
        for _ in range(2):
            self.render(format=tiny_format(name="Once"))
        self.assertEqual(len(formats._CACHE), before + 1)

    def test_a_broken_template_is_located(self) -> None:
        error = self.refusal(422, "TEMPLATE_SYNTAX", format=tiny_format(user="a\n{{#if}"))
        detail = error["details"][0]
        self.assertEqual((detail["path"], detail["line"]), ("format.user", 2))

    def test_unknown_keys_are_named(self) -> None:
        error = self.refusal(422, "VALIDATION", format=tiny_format(colour="red"))
        self.assertEqual(error["details"][0]["path"], "format.colour")

    def test_an_unknown_version_is_named(self) -> None:
        self.refusal(422, "UNSUPPORTED_VERSION", format=tiny_format(version=9))

    def test_warnings_of_the_document_are_findings(self) -> None:
        body = self.render(format=tiny_format(bos="<s>", user="<s>U:{{{content}}}\n"))
        self.assertTrue(any(finding["path"].startswith("format.") for finding in body["findings"]), body["findings"])


class RefusalTests(RenderTestCase):
    def test_faults_of_the_body_are_located(self) -> None:
        cases = {
            "messages[0]": {"messages": [3]},
            "messages[0].role": {"messages": [{"role": "narrator", "content": "x"}]},
            "messages[1].content": {"messages": [*USER_HI, {"role": "user", "content": 3}]},
            "format": {"format": 3},
            "bos": {"bos": "twice"},
            "addGenerationPrompt": {"addGenerationPrompt": "yes"},
            "stopStrings[0]": {"stopStrings": ["x" * 1025]},
            "skills[0].name": {"skills": [{}]},
            "colour": {"colour": "red"},
            "now": {"now": "soon"},
        }
        for path, body in cases.items():
            with self.subTest(path):
                error = self.refusal(422, "VALIDATION", **body)
                self.assertEqual(error["details"][0]["path"], path)

    def test_both_spellings_at_once_are_refused_and_each_alone_is_read(self) -> None:
        self.refusal(422, "VALIDATION", stopStrings=["A"], stop_strings=["B"])
        self.assertEqual(self.render(stop_strings=["B"])["stop"], ["B"])

    def test_values_that_ask_for_nothing_pass(self) -> None:
        body = self.render(
            format="chatml",
            chat=None,
            character=None,
            characters=[],
            persona=None,
            scenario=None,
            lorebooks=[],
            memories=[],
            preset=None,
            contextTemplate=None,
            promptConfig=None,
            infill=None,
            postProcessing="none",
            generationType="normal",
            maxContextTokens=None,
            reserveForReply=256,
            contextStrategy="truncate",
            tokenizer=None,
            thinking=None,
            serializeAsText=None,
            now="2026-11-30T12:00:00Z",
        )
        self.assertEqual(body["prompt"], CHATML_HI)
        self.assertEqual(body["tokenBudget"]["reservedForReply"], 256)

    def test_special_tokens_in_content(self) -> None:
        messages = [{"role": "user", "content": "x<|im_end|>"}]
        self.assertEqual(codes(self.render(format="chatml", messages=messages)), ["SPECIAL_TOKEN_IN_CONTENT"])
        self.refusal(422, "RENDER_REFUSED", format="chatml", messages=messages, specialTokenPolicy="reject")
        escaped = self.render(format="chatml", messages=messages, specialTokenPolicy="escape")["prompt"]
        self.assertNotIn("x<|im_end|>", escaped)

    def test_macros_are_expanded_and_unknown_ones_are_said(self) -> None:
        messages = [{"role": "user", "content": "I am {{user}} {{usr}}"}]
        body = self.render(format="chatml", messages=messages)
        self.assertIn("I am User {{usr}}", body["prompt"])
        self.assertEqual([(f["code"], f["path"]) for f in body["findings"]], [("UNKNOWN_MACRO", "messages[0].content")])
        raw = self.render(format="chatml", messages=messages, macros=False)
        self.assertIn("I am {{user}}", raw["prompt"])
        self.assertEqual(raw["findings"], [])

    def test_roles_are_folded_with_a_finding(self) -> None:
        body = self.render(format="chatml", messages=[{"role": "Human", "content": "Hi"}])
        self.assertEqual((body["prompt"], codes(body)), (CHATML_HI, ["ROLE_ALIAS"]))

    def test_bodies_that_are_no_request(self) -> None:
        for raw, status, code in ((b"{", 400, "BAD_JSON"), (b"[]", 422, "VALIDATION"), (b"", 422, "VALIDATION")):
            response = self.client.post(
                RENDER, raw, content_type="application/json", headers={"Authorization": f"Bearer {self.alice.key}"}
            )
            with self.subTest(raw):
                self.assert_error(response, status, code)

    def test_another_media_type(self) -> None:
        headers = {"Authorization": f"Bearer {self.alice.key}"}
        response = self.client.post(RENDER, b"a=1", content_type="application/x-www-form-urlencoded", headers=headers)
        self.assert_error(response, 415, "UNSUPPORTED_MEDIA")


class WhoTests(RenderTestCase):
    urls = (RENDER, "/api/v1/apply-template", "/apply-template", "/api/v1/render/batch")

    def each(self, status: int, code: str, **changes: Any) -> None:
        ApiKey.objects.filter(team=self.team).update(**changes)
        for url in self.urls:
            for body in ({"messages": USER_HI}, {"nonsense": 1}):
                with self.subTest(url=url, body=body):
                    self.assert_error(self.post(self.alice, url, body), status, code)

    def test_nobody(self) -> None:
        for url in self.urls:
            for body in ({"messages": USER_HI}, {"nonsense": 1}):
                response = self.post(None, url, body)
                self.assert_error(response, 401, "UNAUTHENTICATED")

    def test_a_bad_key_even_when_the_body_is_bad(self) -> None:
        for url in self.urls:
            for raw in (b'{"messages":[]}', b"{", b'{"nonsense":1}', b'{"format":{}}', b'{"format":"nope"}'):
                for media in ("application/json", "image/png"):
                    headers = {"Authorization": "Bearer nt_" + "x" * 30}
                    response = self.client.post(url, raw, content_type=media, headers=headers)
                    with self.subTest(url=url, raw=raw, media=media):
                        self.assert_error(response, 401, "UNAUTHENTICATED")
                        self.assertEqual(response["WWW-Authenticate"], "Bearer")

    def test_an_expired_key(self) -> None:
        self.each(401, "UNAUTHENTICATED", expires_at=self.now - timedelta(seconds=1))

    def test_a_revoked_key(self) -> None:
        self.each(401, "UNAUTHENTICATED", revoked_at=self.now)

    def test_a_key_without_the_scope(self) -> None:
        ApiKey.objects.filter(team=self.team).update(scopes="read write")
        for url in self.urls:
            response = self.post(self.alice, url, {"messages": USER_HI})
            self.assert_error(response, 403, "FORBIDDEN", params={"needs": "render"})

    def test_a_viewer_and_another_team_may_render_builtins(self) -> None:
        for who in (self.bob, self.charlie):
            self.assertEqual(self.render(who, format="chatml")["prompt"], CHATML_HI)

    def test_a_browser_session_needs_its_csrf_token(self) -> None:
        from django.test import Client

        client = Client(enforce_csrf_checks=True)
        client.force_login(self.bob.user)
        body = {"messages": USER_HI, "format": "chatml"}
        response = client.post(RENDER, body, content_type="application/json")
        self.assert_error(response, 403, "FORBIDDEN")
        client.cookies["csrftoken"] = "a" * 32
        response = client.post(RENDER, body, content_type="application/json", headers={"X-CSRFToken": "a" * 32})
        self.assertEqual(response.json()["prompt"], CHATML_HI)

    def test_personal_settings_reach_the_person_and_no_key(self) -> None:
        self.client.force_login(self.bob.user)
        self.set_team(self.alice, instructFormat="chatml")
        changed = self.client.patch(
            "/api/v1/settings/me", {"instructFormat": "llama3"}, content_type="application/json"
        )
        self.assertEqual(changed.status_code, 200, changed.content)
        mine = self.client.post(RENDER, {"messages": USER_HI}, content_type="application/json").json()
        self.assertEqual(mine["prompt"], LLAMA3_HI)
        self.assertEqual(self.render(self.bob)["prompt"], CHATML_HI)
