"""What a chat remembers of its lore: begun by whoever sent the prompt, read by renders."""

from __future__ import annotations

from typing import Any

from tests.chats.stored.base import API, StoriesTestCase


class LoreStateTests(StoriesTestCase):
    def setUp(self) -> None:
        super().setUp()
        entries = [
            {"uid": "a", "keys": ["lamp"], "content": "Dark.", "sticky": 2, "cooldown": 3},
            {"uid": "b", "keys": ["sea"], "content": "Wide."},
        ]
        self.make("lorebooks", id="quay", name="Quay", entries=entries)
        messages = [{"role": "user", "content": "The lamp?"}]
        self.make("chats", id="night", name="Night", shared=True, lorebooks=["quay"], messages=messages)
        self.url = f"{API}/chats/night/lore-state"

    def tell(self, *uids: str) -> Any:
        return self.post(self.alice, self.url, {"entries": [{"book": "quay", "uid": uid} for uid in uids]})

    def write(self, count: int) -> None:
        messages = [{"role": "user", "content": "on"}] * count
        assert self.post(self.alice, f"{API}/chats/night/messages", {"messages": messages}).status_code == 201

    def test_a_sent_entry_sticks_then_cools_down_and_is_forgotten(self) -> None:
        remembered = {"book": "quay", "uid": "a", "stickyUntil": 3, "cooldownUntil": 6}
        assert self.tell("a", "b").json() == {"messages": 1, "items": [remembered]}
        self.write(2)
        assert self.tell("a").json() == {"messages": 3, "items": [remembered]}
        self.write(3)
        assert self.tell().json() == {"messages": 6, "items": []}

    def test_a_render_reads_it_and_writes_nothing(self) -> None:
        self.tell("a")
        before = self.get(self.bob, self.url)
        self.write(1)
        sent = self.post(self.bob, f"{API}/render", {"chat": "night", "trace": True})
        assert sent.status_code == 200, sent.content
        lore = next(stage for stage in sent.json()["trace"] if stage["stage"] == "lore")
        assert [(one["origin"], one["reason"]) for one in lore["added"]] == [("lore:a", "sticky")]
        assert self.get(self.bob, self.url).json()["items"] == before.json()["items"]

    def test_it_can_be_forgotten(self) -> None:
        self.tell("a")
        tag = self.get(self.bob, self.url)["ETag"]
        assert self.get(self.bob, self.url, **{"If-None-Match": tag}).status_code == 304
        assert self.delete(self.alice, self.url).status_code == 204
        assert self.get(self.bob, self.url).json() == {"messages": 1, "items": []}

    def test_what_is_not_there_is_not_found(self) -> None:
        self.assert_error(self.tell("z"), 404, "NOT_FOUND")
        other = self.post(self.alice, self.url, {"entries": [{"book": "nobody", "uid": "a"}]})
        self.assert_error(other, 404, "NOT_FOUND")
        self.assert_error(self.post(self.alice, self.url, {"entries": 1}), 422, "VALIDATION")

    def test_who_may(self) -> None:
        self.assert_who("get", self.url, viewer=200)
        self.assert_who("post", self.url, {"entries": []})
        self.assert_who("delete", self.url)
