"""A chat's messages: written, paged, changed, moved and taken out, without revisions."""

from __future__ import annotations

from typing import Any

import orjson
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chats.models import ChatMessage
from chats.selectors import stored_messages
from neotavern.library.models import Item
from tests.chats.stored.base import API, StoriesTestCase


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


class MessageTests(StoriesTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.make("chats", id="night", name="Night", shared=True)
        self.url = f"{API}/chats/night/messages"

    def add(self, *texts: str) -> list[str]:
        answer = self.post(self.alice, self.url, {"messages": [user(text) for text in texts]})
        assert answer.status_code == 201, answer.content
        return [item["id"] for item in answer.json()["items"]]

    def texts(self, query: str = "") -> list[str]:
        return [item["content"] for item in self.get(self.bob, self.url + query).json()["items"]]

    def test_one_bare_message_or_many(self) -> None:
        one = self.post(self.alice, self.url, {"role": "Human", "content": "Hi", "name": "Bob"}).json()["items"]
        assert one == [{"id": one[0]["id"], "role": "user", "content": "Hi", "name": "Bob"}]
        self.post(self.alice, self.url, {"document": user("there")})
        self.add("a", "b")
        assert self.texts() == ["Hi", "there", "a", "b"]

    def test_pages_from_both_ends(self) -> None:
        self.add("a", "b", "c")
        first = self.get(self.bob, f"{self.url}?limit=2").json()
        rest = self.get(self.bob, f"{self.url}?limit=2&cursor={first['nextCursor']}").json()
        assert ([one["content"] for one in first["items"]], [one["content"] for one in rest["items"]]) == (
            ["a", "b"],
            ["c"],
        )
        assert rest["nextCursor"] is None
        newest = self.get(self.bob, f"{self.url}?limit=2&order=newest").json()
        assert [one["content"] for one in newest["items"]] == ["c", "b"]
        assert self.texts(f"?order=newest&cursor={newest['nextCursor']}") == ["a"]
        for cursor in ("x", "1", "1.x", "-.1", "²" + ".1", "%00"):
            self.assert_error(self.get(self.bob, f"{self.url}?cursor={cursor}"), 422, "VALIDATION")

    def test_a_message_is_changed_in_place_and_counted_again(self) -> None:
        first, second = self.add("a", "b")
        ChatMessage.objects.update(counts='{"estimate": 9}')
        changed = self.put(self.alice, f"{self.url}/{first}", {"role": "assistant", "content": "A", "pinned": True})
        assert changed.json() == {"id": first, "role": "assistant", "content": "A", "pinned": True}
        assert self.texts() == ["A", "b"]
        counts = dict(ChatMessage.objects.values_list("id", "counts"))
        assert orjson.loads(counts[int(first)])["estimate"] == 1
        assert counts[int(second)] == '{"estimate": 9}'

    def test_a_message_is_taken_out(self) -> None:
        first, _ = self.add("a", "b")
        assert self.delete(self.alice, f"{self.url}/{first}").status_code == 204
        assert self.texts() == ["b"]
        self.assert_error(self.delete(self.alice, f"{self.url}/{first}"), 404, "NOT_FOUND", {"message": first})

    def test_messages_move_before_and_after(self) -> None:
        a, b, c = self.add("a", "b", "c")
        assert self.post(self.alice, f"{self.url}/{c}/move", {"before": a}).json()["content"] == "c"
        assert self.texts() == ["c", "a", "b"]
        self.post(self.alice, f"{self.url}/{a}/move", {"after": b})
        assert self.texts() == ["c", "b", "a"]
        self.post(self.alice, f"{self.url}/{a}/move", {"after": a})
        assert self.texts() == ["c", "b", "a"]

    def test_a_hundred_moves_into_one_gap_find_room(self) -> None:
        a, b, c = self.add("a", "b", "c")
        for _ in range(25):
            self.post(self.alice, f"{self.url}/{c}/move", {"after": a})
            self.post(self.alice, f"{self.url}/{b}/move", {"after": a})
        assert self.texts() == ["a", "b", "c"]

    def test_a_place_is_named_once(self) -> None:
        a, b = self.add("a", "b")
        for body in ({}, {"before": a, "after": b}, {"under": a}):
            self.assert_error(self.post(self.alice, f"{self.url}/{b}/move", body), 422, "VALIDATION")
        self.assert_error(self.post(self.alice, f"{self.url}/{b}/move", {"after": "0"}), 404, "NOT_FOUND")

    def test_a_bad_message_is_refused_with_its_place(self) -> None:
        many = self.post(self.alice, self.url, {"messages": [user("a"), {"role": "narrator", "content": "b"}]})
        error = self.assert_error(many, 422, "VALIDATION")
        assert error["details"][0]["path"] == "messages[1].role"
        for body in ({}, {"messages": "x"}, {"messages": [1]}, {"document": 1}, {"role": "user", "content": "a\0"}):
            self.assert_error(self.post(self.alice, self.url, body), 422, "VALIDATION")
        assert self.texts() == []

    def test_messages_make_no_revision_and_change_the_etag(self) -> None:
        before = self.get(self.bob, f"{API}/chats/night")
        listed = self.get(self.bob, self.url)
        assert self.get(self.bob, self.url, **{"If-None-Match": listed["ETag"]}).status_code == 304
        self.add("a")
        after = self.get(self.bob, f"{API}/chats/night")
        assert (before.json()["revision"], after.json()["revision"]) == (1, 1)
        assert before["ETag"] != after["ETag"]
        assert self.get(self.bob, self.url, **{"If-None-Match": listed["ETag"]}).status_code == 200

    def test_a_chat_is_made_with_its_messages_and_cloned_with_them(self) -> None:
        self.make("chats", id="day", name="Day", shared=True, messages=[user("a"), user("b")])
        clone = self.post(self.alice, f"{API}/chats/day/clone", {"slug": "day-2"})
        assert clone.status_code == 201
        self.url = f"{API}/chats/day-2/messages"
        assert self.texts() == ["a", "b"]
        stored = self.get(self.bob, f"{API}/chats/day").json()
        assert "messages" not in stored["document"]

    def test_a_save_with_messages_only_goes_on(self) -> None:
        self.add("a")
        document = {"id": "night", "name": "Night", "shared": True, "messages": [user("a"), user("b")]}
        saved = self.put(self.alice, f"{API}/chats/night", {"document": document, "baseRevision": 1})
        assert (saved.status_code, self.texts()) == (200, ["a", "b"])
        document["messages"] = [user("z")]
        refused = self.put(self.alice, f"{API}/chats/night", {"document": document, "baseRevision": 2})
        self.assert_error(refused, 409, "CONFLICT")
        assert self.texts() == ["a", "b"]

    def test_a_restored_chat_keeps_its_messages(self) -> None:
        self.add("a")
        document = {"id": "night", "name": "Later", "shared": True}
        self.put(self.alice, f"{API}/chats/night", {"document": document, "baseRevision": 1})
        restored = self.post(self.alice, f"{API}/chats/night/revisions/1/restore")
        assert (restored.json()["name"], self.texts()) == ("Night", ["a"])

    def test_who_may(self) -> None:
        [a] = self.add("a")
        self.assert_who("get", self.url, viewer=200)
        self.assert_who("post", self.url, user("b"))
        self.assert_who("put", f"{self.url}/{a}", user("b"))
        self.assert_who("post", f"{self.url}/{a}/move", {"after": a})
        self.assert_who("delete", f"{self.url}/{a}")
        self.delete(self.alice, f"{API}/chats/night")
        self.assert_error(self.post(self.alice, self.url, user("b")), 409, "CONFLICT")

    def test_a_thousand_messages_are_one_query(self) -> None:
        self.add(*(f"message {number}" for number in range(1_000)))
        chat = Item.objects.get(kind="chat", slug="night")
        with CaptureQueriesContext(
            connection,
        ) as queries:
            rows = stored_messages(chat.pk)
            newest = stored_messages(chat.pk, newest=2)
        assert (len(queries), len(rows)) == (2, 1_000)
        assert [row.message().text for row in newest] == ["message 998", "message 999"]
        assert rows[0].message().id == str(rows[0].id)
        assert (rows[0].tokens("estimate"), rows[0]._replace(counts="{}").tokens("estimate")) == (2, None)
