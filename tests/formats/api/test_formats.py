"""The /formats operations as a program sees them: shapes, statuses, codes, and who may do what."""

from __future__ import annotations

from typing import Any
from unittest import mock

from django.test import Client

from formats.builtin import builtin_slugs
from formats.services.builtins import FIRST, load_builtins
from neotavern.library.kinds import CheckReport, Finding
from neotavern.library.models import Item, Revision
from tests.library.samples import instruct_format
from tests.teams import TeamTestCase

FORMATS = "/api/v1/formats"
HOUSE = f"{FORMATS}/house"


def red_when(word: str) -> Any:
    """Replace the lint: a document with `word` in its system template is red."""

    def checks(document: dict[str, Any]) -> CheckReport:
        if word not in document["system"]:
            return CheckReport()
        return CheckReport("red", [Finding("error", "bad-word", "It says so.", "system", 1, 3)])

    from formats.stored.instruct_format import KIND

    return mock.patch.object(type(KIND), "checks", property(lambda self: checks))


class FormatTestCase(TeamTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.created = self.post(self.alice, FORMATS, {"document": instruct_format(), "note": "first"})

    def save(self, text: str, base: int, **more: Any) -> Any:
        body = {"document": instruct_format(text=text), "baseRevision": base, **more}
        return self.put(self.alice, HOUSE, body)


class CreateTests(FormatTestCase):
    def test_it_answers_the_stored_object(self) -> None:
        body = self.created.json()
        self.assertEqual(self.created.status_code, 201)
        self.assertEqual(self.created["ETag"], body["etag"])
        self.assertEqual(
            {key: body[key] for key in body if key not in {"updatedAt", "etag", "findings"}},
            {
                "slug": "house",
                "name": "House",
                "kind": "instruct-format",
                "description": "",
                "builtin": False,
                "archived": False,
                "revision": 1,
                "latest": 1,
                "checks": "green",
                "labels": {},
                "tags": [],
                "updatedBy": "alice",
                "document": instruct_format(),
            },
        )

    def test_keys_keep_their_order_and_their_values(self) -> None:
        document = dict(reversed(instruct_format("back").items()))
        body = self.post(self.alice, FORMATS, {"document": document}).json()
        self.assertEqual(list(body["document"]), list(document))
        self.assertEqual(list(self.get(self.bob, f"{FORMATS}/back").json()["document"]), list(document))

    def test_version_1_is_stored_as_version_2(self) -> None:
        older = {
            "id": "old",
            "version": 1,
            "system": "{{{content}}}",
            "user": "{{{content}}}",
            "assistant": "{{{content}}}",
            "tool": "{{{content}}}",
            "promptSuffix": ">",
            "stopStrings": ["", "x"],
        }
        body = self.post(self.alice, FORMATS, {"document": older}).json()
        self.assertEqual(
            body["document"], {"kind": "instruct-format", **older, "version": 2, "name": "old", "stopStrings": ["x"]}
        )

    def test_a_taken_slug(self) -> None:
        answer = self.post(self.alice, FORMATS, {"document": instruct_format()})
        self.assert_error(answer, 409, "CONFLICT", {"slug": "house"})

    def test_faults_are_located_and_nothing_is_stored(self) -> None:
        for change, code, path in [
            ({"user": "{{#if content}}"}, "TEMPLATE_SYNTAX", "user"),
            ({"surprise": 1}, "VALIDATION", "surprise"),
            ({"version": 3}, "UNSUPPORTED_VERSION", "version"),
            ({"id": "no slug"}, "VALIDATION", "id"),
            ({"id": "validate"}, "VALIDATION", "id"),
            ({"system": "x\0"}, "VALIDATION", "system"),
        ]:
            answer = self.post(self.alice, FORMATS, {"document": instruct_format("other") | change})
            error = self.assert_error(answer, 422, code)
            self.assertEqual(error["details"][0]["path"], path, error)
        self.assertEqual(Item.objects.count(), 1)

    def test_a_lone_surrogate(self) -> None:
        body = '{"document": {"id": "s", "system": "\\ud800"}}'
        self.assert_error(self.post(self.alice, FORMATS, body), 422, "VALIDATION")

    def test_a_document_past_the_limit(self) -> None:
        huge = instruct_format("huge", description="x" * (1024 * 1024))
        self.assert_error(self.post(self.alice, FORMATS, {"document": huge}), 413, "PAYLOAD_TOO_LARGE")

    def test_who_may(self) -> None:
        new = {"document": instruct_format("new-one")}
        self.assert_error(self.post(self.bob, FORMATS, new), 403, "FORBIDDEN")
        self.assert_error(self.post(None, FORMATS, new), 401, "UNAUTHENTICATED")
        self.assertEqual(self.post(self.charlie, FORMATS, {"document": instruct_format()}).status_code, 201)

    def test_permission_comes_before_the_body(self) -> None:
        self.assert_error(self.post(self.bob, FORMATS, {"nonsense": 1}), 403, "FORBIDDEN")
        self.assert_error(self.put(self.bob, HOUSE, {"nonsense": 1}), 403, "FORBIDDEN")
        self.assert_error(self.post(self.alice, FORMATS, {"nonsense": 1}), 422, "VALIDATION")

    def test_the_teams_own_slug_comes_before_a_built_ins(self) -> None:
        load_builtins()
        own = self.post(self.alice, FORMATS, {"document": instruct_format("chatml")})
        self.assertEqual((own.status_code, own.json()["builtin"]), (201, False))
        self.assertEqual(self.get(self.bob, f"{FORMATS}/chatml").json()["builtin"], False)
        self.assertEqual(self.get(self.charlie, f"{FORMATS}/chatml").json()["builtin"], True)


class SaveTests(FormatTestCase):
    def test_the_next_revision(self) -> None:
        answer = self.save("2", 1, note="second")
        self.assertEqual((answer.status_code, answer.json()["revision"]), (200, 2))
        self.assertEqual(answer["ETag"], self.get(self.bob, HOUSE)["ETag"])

    def test_equal_content_is_the_same_revision(self) -> None:
        shuffled = dict(reversed(instruct_format().items()))
        answer = self.put(self.alice, HOUSE, {"document": shuffled, "baseRevision": 1})
        self.assertEqual((answer.status_code, answer.json()["revision"]), (200, 1))
        self.assertEqual(answer.json()["etag"], self.created.json()["etag"])

    def test_neither_base_nor_if_match(self) -> None:
        error = self.assert_error(self.put(self.alice, HOUSE, {"document": instruct_format()}), 422, "VALIDATION")
        self.assertEqual(error["details"][0]["path"], "baseRevision")

    def test_a_stale_base_is_a_conflict_with_the_current_revision(self) -> None:
        self.save("2", 1)
        self.assert_error(self.save("3", 1), 409, "CONFLICT", {"currentRevision": 2})

    def test_if_match(self) -> None:
        first = self.created["ETag"]
        body = {"document": instruct_format(text="2")}
        self.assertEqual(self.put(self.alice, HOUSE, body, **{"If-Match": first}).json()["revision"], 2)
        late = self.put(self.alice, HOUSE, {"document": instruct_format(text="3")}, **{"If-Match": first})
        self.assert_error(late, 412, "PRECONDITION_FAILED", {"currentRevision": 2})

    def test_a_label_move_makes_the_etag_stale(self) -> None:
        self.put(self.alice, f"{HOUSE}/labels/production", {"revision": 1})
        body = {"document": instruct_format(text="2")}
        answer = self.put(self.alice, HOUSE, body, **{"If-Match": self.created["ETag"]})
        self.assert_error(answer, 412, "PRECONDITION_FAILED")
        self.assertEqual(self.save("2", 1).status_code, 200)

    def test_body_before_staleness_before_equality(self) -> None:
        self.save("2", 1)
        broken = {"document": instruct_format(user="{{"), "baseRevision": 1}
        self.assert_error(self.put(self.alice, HOUSE, broken), 422, "TEMPLATE_SYNTAX")
        self.assert_error(self.save("2", 1), 409, "CONFLICT")

    def test_the_slug_never_changes(self) -> None:
        answer = self.put(self.alice, HOUSE, {"document": instruct_format("home"), "baseRevision": 1})
        self.assertEqual(self.assert_error(answer, 422, "VALIDATION")["details"][0]["path"], "id")

    def test_built_ins_are_read_only(self) -> None:
        load_builtins()
        chatml = f"{FORMATS}/chatml"
        for answer in (
            self.put(self.alice, chatml, {"document": {}}),
            self.delete(self.alice, chatml),
            self.delete(self.alice, f"{chatml}?permanent=true"),
            self.post(self.alice, f"{chatml}/unarchive"),
            self.post(self.alice, f"{chatml}/revisions/1/restore"),
            self.put(self.alice, f"{chatml}/labels/production", {"revision": 1}),
            self.delete(self.alice, f"{chatml}/labels/production"),
        ):
            self.assert_error(answer, 403, "FORBIDDEN", {"slug": "chatml"})

    def test_tags_follow_the_document(self) -> None:
        tagged = instruct_format(tags=["roleplay", "a"])
        answer = self.put(self.alice, HOUSE, {"document": tagged, "baseRevision": 1})
        self.assertEqual(answer.json()["tags"], ["a", "roleplay"])
        again = self.put(self.alice, HOUSE, {"document": instruct_format(tags=["a"]), "baseRevision": 2})
        self.assertEqual(again.json()["tags"], ["a"])


class RedTests(FormatTestCase):
    def test_a_red_save_is_kept_and_moves_nothing(self) -> None:
        with red_when("BAD"):
            body = self.save("BAD", 1).json()
        self.assertEqual((body["revision"], body["latest"], body["checks"]), (2, 1, "red"))
        self.assertEqual(
            body["findings"],
            [
                {
                    "severity": "error",
                    "code": "bad-word",
                    "message": "It says so.",
                    "path": "system",
                    "line": 1,
                    "column": 3,
                }
            ],
        )
        self.assertEqual(self.get(self.bob, HOUSE).json()["revision"], 2)
        self.assertEqual(self.get(self.bob, f"{HOUSE}?label=latest").json()["revision"], 1)

    def test_force_needs_a_note_and_moves_latest(self) -> None:
        with red_when("BAD"):
            self.assert_error(self.save("BAD", 1, force=True), 422, "VALIDATION")
            body = self.save("BAD", 1, force=True, note="known").json()
        self.assertEqual((body["revision"], body["latest"], body["checks"]), (2, 2, "forced"))

    def test_a_red_one_can_be_forced_later_without_another_change(self) -> None:
        with red_when("BAD"):
            self.save("BAD", 1)
            self.assertEqual(self.save("BAD", 2).json()["revision"], 2)
            body = self.save("BAD", 2, force=True, note="known").json()
        self.assertEqual((body["revision"], body["latest"], body["checks"]), (3, 3, "forced"))

    def test_a_failing_test_of_the_document_is_red_and_content_that_is_lost_too(self) -> None:
        greeting = {"name": "hello", "messages": [{"role": "user", "content": "hi"}], "expected": "U:hi\nA:"}
        wrong = greeting | {"expected": "U:hello\nA:"}
        for number, (change, checks, codes) in enumerate(
            [
                ({"tests": [greeting]}, "green", set()),
                ({"tests": [wrong]}, "red", {"TEST_FAILED"}),
                ({"user": "U:\n"}, "red", {"CONTENT_LOST"}),
            ],
            start=1,
        ):
            document = instruct_format(**change)
            body = self.put(self.alice, HOUSE, {"document": document, "baseRevision": number}).json()
            errors = {finding["code"] for finding in body["findings"] if finding["severity"] == "error"}
            self.assertEqual((body["checks"], body["latest"], errors), (checks, 2, codes), body["findings"])

    def test_the_base_is_the_newest_of_any_colour(self) -> None:
        with red_when("BAD"):
            self.save("BAD", 1)
            self.assert_error(self.save("good", 1), 409, "CONFLICT", {"currentRevision": 2})
            self.assertEqual(self.save("good", 2).json()["latest"], 3)

    def test_a_format_that_was_never_green_has_no_latest(self) -> None:
        with red_when("BAD"):
            body = self.post(self.alice, FORMATS, {"document": instruct_format("odd", "BAD")}).json()
        self.assertEqual((body["revision"], body["latest"]), (1, None))
        self.assertEqual(self.get(self.bob, f"{FORMATS}/odd").status_code, 200)
        self.assert_error(self.get(self.bob, f"{FORMATS}/odd?label=latest"), 404, "NOT_FOUND")

    def test_a_label_does_not_move_to_a_red_one(self) -> None:
        with red_when("BAD"):
            self.save("BAD", 1)
        answer = self.put(self.alice, f"{HOUSE}/labels/production", {"revision": 2})
        self.assertEqual(self.assert_error(answer, 422, "VALIDATION")["details"][0]["path"], "revision")


class ReadTests(FormatTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.save("2", 1, note="second")
        self.put(self.alice, f"{HOUSE}/labels/production", {"revision": 1})

    def test_by_revision_by_label_and_both(self) -> None:
        self.assertEqual(self.get(self.bob, HOUSE).json()["revision"], 2)
        first = self.get(self.bob, f"{HOUSE}?revision=1").json()
        self.assertEqual((first["revision"], first["document"]), (1, instruct_format()))
        self.assertEqual(self.get(self.bob, f"{HOUSE}?label=production").json(), first)
        self.assert_error(self.get(self.bob, f"{HOUSE}?label=production&revision=1"), 422, "VALIDATION")

    def test_unknown_ones(self) -> None:
        self.assert_error(self.get(self.bob, f"{HOUSE}?revision=3"), 404, "NOT_FOUND", {"slug": "house", "revision": 3})
        staging = {"slug": "house", "label": "staging"}
        self.assert_error(self.get(self.bob, f"{HOUSE}?label=staging"), 404, "NOT_FOUND", staging)
        for odd in ("revision=0", "revision=-1", "revision=99999999999999999999", "label=%00", "label="):
            self.assert_error(self.get(self.bob, f"{HOUSE}?{odd}"), 404, "NOT_FOUND")
        self.assert_error(self.get(self.bob, f"{FORMATS}/a%00b"), 404, "NOT_FOUND")

    def test_another_teams_format_and_none_at_all_look_the_same(self) -> None:
        theirs = self.get(self.charlie, HOUSE)
        none = self.get(self.charlie, f"{FORMATS}/mouse")
        self.assertEqual(theirs.content.replace(b"house", b"mouse"), none.content)
        self.assert_error(theirs, 404, "NOT_FOUND", {"slug": "house"})

    def test_another_team_gets_404_everywhere(self) -> None:
        who = self.charlie
        for answer in (
            self.get(who, HOUSE),
            self.put(who, HOUSE, {"document": instruct_format(text="x"), "baseRevision": 2}),
            self.delete(who, HOUSE),
            self.delete(who, f"{HOUSE}?permanent=true"),
            self.post(who, f"{HOUSE}/clone", {"slug": "copy"}),
            self.post(who, f"{HOUSE}/unarchive"),
            self.get(who, f"{HOUSE}/revisions"),
            self.post(who, f"{HOUSE}/revisions/1/restore"),
            self.get(who, f"{HOUSE}/export"),
            self.put(who, f"{HOUSE}/labels/production", {"revision": 1}),
            self.delete(who, f"{HOUSE}/labels/production"),
        ):
            self.assert_error(answer, 404, "NOT_FOUND", {"slug": "house"})
        self.assertEqual(self.get(who, f"{FORMATS}?search=house").json(), {"items": [], "nextCursor": None})

    def test_etag_and_304(self) -> None:
        for url in (HOUSE, f"{HOUSE}?revision=1", f"{HOUSE}/export", f"{HOUSE}/export?report=true"):
            tag = self.get(self.bob, url)["ETag"]
            known = self.get(self.bob, url, **{"If-None-Match": tag})
            self.assertEqual((known.status_code, known.content, known["ETag"]), (304, b"", tag), url)
            self.assertEqual(self.get(self.bob, url, **{"If-None-Match": '"other"'}).status_code, 200)

    def test_revisions(self) -> None:
        answer = self.get(self.bob, f"{HOUSE}/revisions").json()
        hashes = list(Revision.objects.order_by("-number").values_list("content_hash", flat=True))
        for entry in answer["items"]:
            self.assertRegex(entry.pop("createdAt"), r"^\d{4}-\d\d-\d\dT.*Z$")
        self.assertEqual(
            answer,
            {
                "items": [
                    {"revision": 2, "author": "alice", "note": "second", "contentHash": hashes[0], "checks": "green"},
                    {"revision": 1, "author": "alice", "note": "first", "contentHash": hashes[1], "checks": "green"},
                ],
                "nextCursor": None,
            },
        )

    def test_revisions_by_pages(self) -> None:
        first = self.get(self.bob, f"{HOUSE}/revisions?limit=1").json()
        self.assertEqual([entry["revision"] for entry in first["items"]], [2])
        second = self.get(self.bob, f"{HOUSE}/revisions?limit=1&cursor={first['nextCursor']}").json()
        self.assertEqual(([entry["revision"] for entry in second["items"]], second["nextCursor"]), ([1], None))

    def test_a_key_that_may_only_render_reads_nothing(self) -> None:
        key = self.post(self.alice, "/api/v1/keys", {"name": "gateway", "scopes": ["render"]}).json()["key"]
        answer = self.client.get(HOUSE, headers={"Authorization": f"Bearer {key}"})
        self.assert_error(answer, 403, "FORBIDDEN")


class ListTests(FormatTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.post(self.alice, FORMATS, {"document": instruct_format("été", name="x")})
        document = instruct_format("tavern", name="Été Tavern", description="By the SEA", tags=["rp"])
        self.post(self.alice, FORMATS, {"document": document})

    def slugs(self, query: str = "") -> list[str]:
        return [item["slug"] for item in self.get(self.bob, f"{FORMATS}{query}").json()["items"]]

    def test_newest_first_without_documents(self) -> None:
        answer = self.get(self.bob, FORMATS).json()
        self.assertEqual([item["slug"] for item in answer["items"]], ["tavern", "house"])
        self.assertNotIn("document", answer["items"][0])
        item = self.get(self.bob, f"{FORMATS}/tavern").json()
        del item["document"], item["findings"]
        self.assertEqual(answer["items"][0], item)

    def test_search_in_name_slug_description_tags_and_templates(self) -> None:
        found = {"été": ["tavern"], "TAV": ["tavern"], "sea": ["tavern"], "rp": ["tavern"], "{{{content}}}": 2}
        for word, slugs in found.items():
            answer = self.slugs(f"?search={word}")
            self.assertEqual(answer if isinstance(slugs, list) else len(answer), slugs, word)
        self.assertEqual(self.slugs("?search=tavern%20sea"), ["tavern"])
        for nothing in ("100%25", "_", "%00", "nowhere"):
            self.assertEqual(self.slugs(f"?search={nothing}%25"), [], nothing)

    def test_tag(self) -> None:
        self.assertEqual((self.slugs("?tag=rp"), self.slugs("?tag=r"), self.slugs("?tag=%00")), (["tavern"], [], []))

    def test_builtin(self) -> None:
        load_builtins()
        self.assertEqual(self.slugs("?builtin=false"), ["tavern", "house"])
        shown = self.slugs("?builtin=true")
        self.assertEqual(shown[:2], ["chatml", "llama3"])
        self.assertEqual(shown[len(FIRST) :], sorted(shown[len(FIRST) :]))
        self.assertEqual(self.slugs()[:3], ["tavern", "house", "chatml"])

    def test_an_own_format_hides_the_built_in_of_its_slug(self) -> None:
        load_builtins()
        self.post(self.alice, FORMATS, {"document": instruct_format("chatml")})
        self.assertEqual(self.slugs().count("chatml"), 1)
        self.assertNotIn("chatml", self.slugs("?builtin=true"))

    def test_archived(self) -> None:
        self.delete(self.alice, HOUSE)
        self.assertEqual((self.slugs(), self.slugs("?archived=true")), (["tavern"], ["house"]))

    def test_pages_walk_through_everything_once(self) -> None:
        load_builtins()
        seen: list[str] = []
        url = f"{FORMATS}?limit=40"
        cursor: str | None = ""
        while cursor is not None:
            page = self.get(self.bob, url + (f"&cursor={cursor}" if cursor else "")).json()
            seen += [item["slug"] for item in page["items"]]
            cursor = page["nextCursor"]
        self.assertEqual(sorted(seen), sorted(["tavern", "house", *builtin_slugs()]))

    def test_a_cursor_of_ones_own(self) -> None:
        for cursor in ("x", "MjAyNg==", "%00", "é"):
            self.assert_error(self.get(self.bob, f"{FORMATS}?cursor={cursor}"), 422, "VALIDATION")

    def test_it_takes_the_same_number_of_queries_for_any_number_of_objects(self) -> None:
        self.get(self.bob, FORMATS)  # the first use of a key in a minute is written down
        with self.assertNumQueries(6):  # key, own, built-in, labels, tags, checks
            self.get(self.bob, FORMATS)


class LifeTests(FormatTestCase):
    def test_archive_and_unarchive(self) -> None:
        answer = self.delete(self.alice, HOUSE)
        self.assertEqual((answer.status_code, answer.content), (204, b""))
        self.assertEqual(self.delete(self.alice, HOUSE).status_code, 204)
        self.assertEqual(self.get(self.bob, HOUSE).json()["archived"], True)
        self.assert_error(self.save("2", 1), 409, "CONFLICT", {"slug": "house", "archived": True})
        again = self.post(self.alice, FORMATS, {"document": instruct_format()})
        self.assert_error(again, 409, "CONFLICT", {"slug": "house"})
        back = self.post(self.alice, f"{HOUSE}/unarchive")
        self.assertEqual((back.status_code, back.json()["archived"]), (200, False))

    def test_only_administrators_delete_for_good(self) -> None:
        key = self.post(self.alice, "/api/v1/keys", {"name": "ci", "scopes": ["write"]}).json()["key"]
        headers = {"Authorization": f"Bearer {key}"}
        answer = self.client.delete(f"{HOUSE}?permanent=true", headers=headers)
        self.assert_error(answer, 403, "FORBIDDEN")
        self.assertEqual(self.client.delete(HOUSE, headers=headers).status_code, 204)
        self.assertEqual(self.delete(self.alice, f"{HOUSE}?permanent=true").status_code, 204)
        self.assertEqual(Revision.objects.count(), 0)

    def test_what_is_in_use_stays(self) -> None:
        self.patch(self.alice, "/api/v1/settings", {"instructFormat": "house"})
        used = {"usedBy": [{"kind": "app-settings", "slug": "team", "path": "instructFormat"}]}
        self.assert_error(self.delete(self.alice, HOUSE), 409, "CONFLICT", used)
        self.assert_error(self.delete(self.alice, f"{HOUSE}?permanent=true"), 409, "CONFLICT", used)
        self.patch(self.alice, "/api/v1/settings", {"instructFormat": None})
        self.assertEqual(self.delete(self.alice, HOUSE).status_code, 204)

    def test_another_teams_use_is_no_use(self) -> None:
        self.post(self.charlie, FORMATS, {"document": instruct_format()})
        self.patch(self.charlie, "/api/v1/settings", {"instructFormat": "house"})
        self.assertEqual(self.delete(self.alice, HOUSE).status_code, 204)

    def test_clone(self) -> None:
        answer = self.post(self.alice, f"{HOUSE}/clone", {"slug": "copy"})
        body = answer.json()
        self.assertEqual((answer.status_code, body["slug"], body["revision"]), (201, "copy", 1))
        self.assertEqual(body["document"], instruct_format("copy"))
        self.assert_error(self.post(self.alice, f"{HOUSE}/clone", {"slug": "copy"}), 409, "CONFLICT", {"slug": "copy"})
        self.assert_error(self.post(self.alice, f"{HOUSE}/clone", {"slug": "a b"}), 422, "VALIDATION")
        self.assert_error(self.post(self.bob, f"{HOUSE}/clone", {"slug": "mine"}), 403, "FORBIDDEN")

    def test_clone_of_a_built_in(self) -> None:
        load_builtins()
        body = self.post(self.alice, f"{FORMATS}/chatml/clone", {"slug": "mine"}).json()
        source = self.get(self.alice, f"{FORMATS}/chatml").json()["document"]
        self.assertEqual((body["builtin"], body["document"]), (False, source | {"id": "mine"}))

    def test_restore(self) -> None:
        self.save("2", 1)
        answer = self.post(self.alice, f"{HOUSE}/revisions/1/restore")
        self.assertEqual((answer.status_code, answer.json()["revision"]), (200, 3))
        self.assertEqual(answer.json()["document"], instruct_format())
        self.assertEqual(self.post(self.alice, f"{HOUSE}/revisions/3/restore").json()["revision"], 3)
        self.assert_error(self.post(self.alice, f"{HOUSE}/revisions/9/restore"), 404, "NOT_FOUND")
        stale = self.post(self.alice, f"{HOUSE}/revisions/1/restore", {"baseRevision": 1})
        self.assert_error(stale, 409, "CONFLICT", {"currentRevision": 3})

    def test_who_may(self) -> None:
        for answer in (
            self.delete(self.bob, HOUSE),
            self.post(self.bob, f"{HOUSE}/unarchive"),
            self.post(self.bob, f"{HOUSE}/revisions/1/restore"),
        ):
            self.assert_error(answer, 403, "FORBIDDEN")
        self.assert_error(self.delete(None, HOUSE), 401, "UNAUTHENTICATED")


class LabelTests(FormatTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.save("2", 1)
        self.url = f"{HOUSE}/labels/production"

    def test_it_moves_and_says_where_it_was(self) -> None:
        first = self.put(self.alice, self.url, {"revision": 1})
        second = self.put(self.alice, self.url, {"revision": 2})
        self.assertEqual(first.json(), {"label": "production", "revision": 1, "previous": None})
        self.assertEqual(second.json(), {"label": "production", "revision": 2, "previous": 1})
        self.assertEqual(self.get(self.bob, HOUSE).json()["labels"], {"production": 2})

    def test_delete(self) -> None:
        self.put(self.alice, self.url, {"revision": 1})
        self.assertEqual(self.delete(self.alice, self.url).status_code, 204)
        self.assert_error(self.delete(self.alice, self.url), 404, "NOT_FOUND", {"label": "production"})

    def test_a_label_that_is_asked_for_stays(self) -> None:
        self.put(self.alice, self.url, {"revision": 1})
        self.patch(self.alice, "/api/v1/settings", {"instructFormat": "house@production"})
        used = {"usedBy": [{"kind": "app-settings", "slug": "team", "path": "instructFormat"}]}
        self.assert_error(self.delete(self.alice, self.url), 409, "CONFLICT", used)

    def test_names_that_are_no_label(self) -> None:
        for name in ("latest", "7", "a%20b", "%00", "x" * 65):
            answer = self.put(self.alice, f"{HOUSE}/labels/{name}", {"revision": 1})
            self.assertEqual(self.assert_error(answer, 422, "VALIDATION")["details"][0]["path"], "label", name)

    def test_an_unknown_revision_is_named(self) -> None:
        self.assert_error(self.put(self.alice, self.url, {"revision": 9}), 404, "NOT_FOUND", {"revision": 9})
        self.assert_error(self.put(self.alice, self.url, {"revision": 2**53}), 404, "NOT_FOUND", {"revision": 2**53})

    def test_a_viewer_may_not(self) -> None:
        self.assert_error(self.put(self.bob, self.url, {"revision": 1}), 403, "FORBIDDEN")
        self.assert_error(self.delete(self.bob, self.url), 403, "FORBIDDEN")

    def test_bases_are_optional_and_kept(self) -> None:
        self.assert_error(self.put(self.alice, self.url, {"revision": 1, "baseRevision": 1}), 409, "CONFLICT")
        stale = self.put(self.alice, self.url, {"revision": 1}, **{"If-Match": '"x"'})
        self.assert_error(stale, 412, "PRECONDITION_FAILED", {"currentRevision": 2})


class BrowserTests(FormatTestCase):
    def test_a_session_works_with_its_csrf_token_and_not_without(self) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(self.alice.user)
        self.assertEqual(client.get(HOUSE).status_code, 200)
        body = {"document": instruct_format("mine")}
        answer = client.post(FORMATS, body, content_type="application/json")
        self.assert_error(answer, 403, "FORBIDDEN")
