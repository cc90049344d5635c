"""A book's entries: one revision a change, whole history, staleness entry by entry."""

from __future__ import annotations

import time
from typing import Any

from chats.models import LoreEntryRow
from chats.selectors import inline_book
from neotavern.library.models import Item
from neotavern.library.resolve import Found
from tests.chats.stored.base import API, StoriesTestCase


def entry(text: str, **fields: Any) -> dict[str, Any]:
    return {"keys": ["lamp"], "content": text, **fields}


class EntryTests(StoriesTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.book = f"{API}/lorebooks/quay"
        self.url = f"{self.book}/entries"
        self.make("lorebooks", id="quay", name="Quay", entries=[entry("a", uid="a"), entry("b", uid="b")])

    def texts(self, query: str = "") -> dict[str, str]:
        items = self.get(self.bob, self.url + query).json()["items"]
        return {item["uid"]: item["content"] for item in items}

    def save(self, uid: str, text: str, base: int) -> Any:
        return self.put(self.alice, f"{self.url}/{uid}", {"document": entry(text), "baseRevision": base})

    def test_a_book_is_made_with_its_entries(self) -> None:
        assert "entries" not in self.get(self.bob, self.book).json()["document"]
        listed = self.get(self.bob, self.url).json()
        assert listed["items"][0] == {"uid": "a", "keys": ["lamp"], "content": "a"}
        assert (listed["revision"], listed["nextCursor"]) == (1, None)

    def test_each_change_is_a_revision_and_old_ones_stay(self) -> None:
        saved = self.save("a", "A", 1)
        assert saved.json() | {"etag": ""} == {
            "uid": "a",
            "revision": 2,
            "since": 2,
            "changed": True,
            "etag": "",
            "document": {"uid": "a", "keys": ["lamp"], "content": "A"},
        }
        added = self.post(self.alice, self.url, {"document": entry("c")}).json()
        assert (added["revision"], added["items"][0]["uid"]) == (3, "3.1")
        assert self.delete(self.alice, f"{self.url}/b?baseRevision=3").status_code == 204
        assert self.texts("?revision=1") == {"a": "a", "b": "b"}
        assert self.texts("?revision=2") == {"a": "A", "b": "b"}
        assert self.texts("?revision=3") == {"a": "A", "b": "b", "3.1": "c"}
        assert self.texts() == {"a": "A", "3.1": "c"}
        assert self.get(self.bob, f"{self.url}/b?revision=3").json()["document"]["content"] == "b"
        self.assert_error(self.get(self.bob, f"{self.url}/b"), 404, "NOT_FOUND", {"uid": "b"})
        self.assert_error(self.get(self.bob, f"{self.url}?revision=9"), 404, "NOT_FOUND")

    def test_equal_content_makes_no_revision(self) -> None:
        assert (self.save("a", "a", 1).json()["revision"], self.save("a", "a", 1).json()["changed"]) == (1, False)
        document = {"id": "quay", "name": "Quay", "entries": [entry("a", uid="a"), entry("b", uid="b")]}
        saved = self.put(self.alice, self.book, {"document": document, "baseRevision": 1}).json()
        assert (saved["revision"], LoreEntryRow.objects.count()) == (1, 2)

    def test_staleness_is_that_of_the_entry(self) -> None:
        self.save("a", "A", 1)
        stale = self.assert_error(self.save("a", "x", 1), 409, "CONFLICT")
        assert stale["params"] == {"currentRevision": 2, "uid": "a"}
        assert self.save("b", "B", 1).json()["revision"] == 3
        none = self.put(self.alice, f"{self.url}/a", {"document": entry("x")})
        self.assert_error(none, 422, "VALIDATION")
        tag = self.get(self.bob, f"{self.url}/a")["ETag"]
        assert self.get(self.bob, f"{self.url}/a", **{"If-None-Match": tag}).status_code == 304
        fresh = self.put(self.alice, f"{self.url}/a", entry("y"), **{"If-Match": tag})
        assert (fresh.status_code, fresh.json()["revision"]) == (200, 4)
        old = self.put(self.alice, f"{self.url}/a", entry("z"), **{"If-Match": tag})
        self.assert_error(old, 412, "PRECONDITION_FAILED", {"currentRevision": 4, "uid": "a"})

    def test_many_at_once_are_one_revision(self) -> None:
        body = {
            "save": [entry("A", uid="a"), entry("c", uid="c")],
            "remove": ["b"],
            "note": "spring",
            "baseRevision": 1,
        }
        changed = self.patch(self.alice, self.url, body).json()
        assert (changed["revision"], [one["uid"] for one in changed["items"]]) == (2, ["a", "c"])
        assert self.texts() == {"a": "A", "c": "c"}
        assert self.get(self.bob, f"{self.book}/revisions").json()["items"][0]["note"] == "spring"
        added = self.post(self.alice, self.url, {"entries": [entry("d"), entry("e")]}).json()
        assert (added["revision"], len(self.texts())) == (3, 4)

    def test_what_can_not_be_is_refused(self) -> None:
        self.assert_error(self.post(self.alice, self.url, entry("x", uid="a")), 409, "CONFLICT", {"uid": "a"})
        for body in ({"content": 1}, {"entries": 1}, {"entries": [{"x": 1}]}, {"document": 1}, {"baseRevision": "x"}):
            self.assert_error(self.post(self.alice, self.url, body), 422, "VALIDATION")
        twice = {"entries": [entry("x", uid="n"), entry("y", uid="n")]}
        self.assert_error(self.post(self.alice, self.url, twice), 422, "VALIDATION")
        for body in ({"remove": 1}, {"burn": []}, {"save": [entry("x", uid="a")], "remove": ["a"]}):
            self.assert_error(self.patch(self.alice, self.url, body), 422, "VALIDATION")
        self.assert_error(self.patch(self.alice, self.url, {"remove": ["zz"]}), 404, "NOT_FOUND")
        other = self.put(self.alice, f"{self.url}/a", {"document": entry("x", uid="b"), "baseRevision": 1})
        self.assert_error(other, 422, "VALIDATION")
        for uid in ("zz", "a%00b", "a/b"):
            self.assert_error(self.get(self.bob, f"{self.url}/{uid}"), 404, "NOT_FOUND")
        assert self.get(self.bob, self.book).json()["revision"] == 1

    def test_a_save_of_the_book_replaces_entries_only_when_it_has_them(self) -> None:
        settings = {"id": "quay", "name": "Quay", "scanDepth": 3}
        assert self.put(self.alice, self.book, {"document": settings, "baseRevision": 1}).json()["revision"] == 2
        assert self.texts() == {"a": "a", "b": "b"}
        whole = {**settings, "entries": [entry("b", uid="b"), entry("n")]}
        self.put(self.alice, self.book, {"document": whole, "baseRevision": 2})
        assert self.texts() == {"b": "b", "0": "n"}

    def test_restore_and_clone_bring_the_entries(self) -> None:
        self.save("a", "A", 1)
        self.delete(self.alice, f"{self.url}/b")
        restored = self.post(self.alice, f"{self.book}/revisions/1/restore").json()
        assert (restored["revision"], self.texts()) == (4, {"a": "a", "b": "b"})
        assert self.texts("?revision=3") == {"a": "A"}
        self.post(self.alice, f"{self.book}/clone", {"slug": "quay-2"})
        assert [one["uid"] for one in self.get(self.bob, f"{API}/lorebooks/quay-2/entries").json()["items"]] == [
            "a",
            "b",
        ]

    def test_export_has_the_entries_and_import_of_it_changes_nothing(self) -> None:
        file = self.get(self.bob, f"{self.book}/export").json()
        assert [one["uid"] for one in file["entries"]] == ["a", "b"]
        assert self.post(self.alice, f"{API}/import", file).json()["items"][0]["action"] == "unchanged"
        file["entries"].append(entry("c", uid="c"))
        assert self.post(self.alice, f"{API}/import", file).json()["items"][0]["action"] == "newRevision"
        assert self.texts() == {"a": "a", "b": "b", "c": "c"}

    def test_a_render_reads_the_entries_of_its_revision(self) -> None:
        self.save("a", "A", 1)
        item = Item.objects.get(kind="lorebook", slug="quay")
        document = self.get(self.bob, self.book).json()["document"]
        for number, text in ((1, "a"), (2, "A")):
            book = inline_book(Found(item.pk, 0, number, ""), document)
            assert [one.content for one in book.entries] == [text, "b"]

    def test_pages(self) -> None:
        page = self.get(self.bob, f"{self.url}?limit=1").json()
        assert self.texts(f"?limit=1&cursor={page['nextCursor']}") == {"b": "b"}
        listed = self.get(self.bob, self.url)
        assert self.get(self.bob, self.url, **{"If-None-Match": listed["ETag"]}).status_code == 304

    def test_who_may(self) -> None:
        self.assert_who("get", self.url, viewer=200)
        self.assert_who("get", f"{self.url}/a", viewer=200)
        self.assert_who("post", self.url, entry("x"))
        self.assert_who("patch", self.url, {"remove": ["a"]})
        self.assert_who("put", f"{self.url}/a", {"document": entry("x"), "baseRevision": 1})
        self.assert_who("delete", f"{self.url}/a")
        self.delete(self.alice, self.book)
        self.assert_error(self.post(self.alice, self.url, entry("x")), 409, "CONFLICT")


class LargeBookTests(StoriesTestCase):
    def test_ten_thousand_entries_are_edited_entry_by_entry(self) -> None:
        entries = [entry(f"text {number}", uid=f"u{number}") for number in range(10_000)]
        self.make("lorebooks", id="large", name="Large", entries=entries)
        url = f"{API}/lorebooks/large/entries"
        began = time.perf_counter()
        for number in range(10):
            body = {"document": entry("new"), "baseRevision": number + 1}
            assert self.put(self.alice, f"{url}/u{number * 997}", body).json()["revision"] == number + 2
        assert time.perf_counter() - began < 10
        assert LoreEntryRow.objects.count() == 10_010
