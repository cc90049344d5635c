"""Other programs' files through /import, and out again through export."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from chats.interchange.card import export_card, read_card
from chats.interchange.card_png import export_card_png, read_png
from chats.interchange.chat_st import export_jsonl, parse_lines, read_chat
from chats.interchange.lorebook import read as read_book
from chats.interchange.worldinfo import export_world_info
from tests.chats.stored.base import API, StoriesTestCase

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "data" / "samples"
CARD: dict[str, Any] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "Keeper",
        "description": "{{char}} keeps the light.",
        "personality": "",
        "scenario": "",
        "first_mes": "You came.",
        "mes_example": "",
        "creator_notes": "",
        "system_prompt": "",
        "post_history_instructions": "",
        "alternate_greetings": ["Late again."],
        "tags": ["sea"],
        "creator": "",
        "character_version": "1",
        "extensions": {"depth_prompt": {"prompt": "Storm.", "depth": 2, "role": "system"}},
        "mood": "calm",
    },
}
HEADER = {"user_name": "Bob", "character_name": "Keeper", "create_date": "2025-1-2", "chat_metadata": {}}


def lines(*messages: dict[str, Any], **metadata: Any) -> bytes:
    return b"\n".join(json.dumps(one).encode() for one in ({**HEADER, "chat_metadata": metadata}, *messages))


def test_a_card_comes_back_as_it_was() -> None:
    document, losses = read_card(CARD)
    assert losses == [("data.mood", "is no field of a card: it is kept under `extra`")]
    back, lost = export_card(document, "2")
    assert (back, lost) == (CARD, [])
    newest, _ = export_card(document, "3")
    assert (newest["spec"], newest["data"]["group_only_greetings"]) == ("chara_card_v3", [])


def test_a_picture_holds_a_card_in_both_versions() -> None:
    body, _ = export_card_png(read_card(CARD)[0])
    assert read_png(body)["spec"] == "chara_card_v3"
    assert read_png(body.replace(b"ccv3", b"ccv9"))["spec"] == "chara_card_v2"


def test_world_info_comes_back_as_it_was() -> None:
    entries = {
        "0": {"uid": 0, "key": ["lamp"], "keysecondary": ["storm"], "comment": "Lamp", "content": "Dark.", "order": 5,
              "selectiveLogic": 3, "position": 4, "depth": 2, "role": 1, "disable": True, "group": "a, b", "sticky": 2},
    }  # fmt: skip
    book, losses = read_book({"entries": entries}, "quay.json")
    assert (book["name"], losses) == ("quay", [])
    back, lost = export_world_info(book)
    assert lost == []
    assert {key: back["entries"]["0"][key] for key in entries["0"]} == entries["0"]
    again, _ = read_book(back)
    assert again["entries"] == book["entries"]


def test_a_chat_is_read_line_by_line() -> None:
    raw = lines(
        {"name": "Keeper", "is_user": False, "mes": "Late.", "swipes": ["Late.", "So."], "extra": {"reasoning": "r"}},
        {"name": "Bob", "is_user": True, "mes": "Is it far?"},
        {"name": "Narrator", "mes": "Thunder.", "extra": {"type": "narrator"}},
        {"name": "System", "is_system": True, "mes": "hidden"},
        {"name": "broken"},
        variables={"town": "Quay", "list": [1]},
        note_prompt="Slow.",
        note_depth=3,
    )
    parsed = parse_lines(raw)
    assert parsed is not None
    document, losses = read_chat(parsed)
    assert document["messages"] == [
        {"role": "assistant", "content": "Late.", "name": "Keeper", "reasoning_content": "r"},
        {"role": "user", "content": "Is it far?", "name": "Bob"},
        {"role": "system", "content": "Thunder."},
        {"role": "assistant", "content": "hidden", "name": "System", "excluded": True},
    ]
    assert (document["variables"], document["authorsNote"]["depth"]) == ({"town": "Quay"}, 3)
    assert [loss.path for loss in losses] == [
        "line 2.swipes",
        "line 6",
        "character_name",
        "chat_metadata.variables.list",
    ]
    body, lost = export_jsonl(document)
    again = parse_lines(body)
    assert (lost, again is not None and read_chat(again)[0]["messages"]) == ([], document["messages"])


class ImportTests(StoriesTestCase):
    def upload(self, name: str, raw: bytes) -> dict[str, Any]:
        file = io.BytesIO(raw)
        file.name = name
        headers = {"Authorization": f"Bearer {self.alice.key}"}
        answer = self.client.post(f"{API}/import", {"file": file}, headers=headers)
        assert answer.status_code == 200, answer.content
        item: dict[str, Any] = answer.json()["items"][0]
        return item

    def test_a_card_becomes_a_character_once(self) -> None:
        first = self.upload("k.json", json.dumps(CARD).encode())
        assert (first["action"], first["slug"], first["kind"], first["detected"]) == (
            "created",
            "keeper",
            "character",
            "character card",
        )
        assert [one["path"] for one in first["loss"]] == ["data.mood"]
        assert self.upload("k.json", json.dumps(CARD).encode())["action"] == "unchanged"
        stored = self.get(self.bob, f"{API}/characters/keeper").json()
        assert (stored["document"]["firstMes"], stored["tags"]) == ("You came.", ["sea"])
        card = self.get(self.bob, f"{API}/characters/keeper/export?as=card&version=2").json()
        assert card == CARD

    def test_a_picture_goes_out_and_comes_in(self) -> None:
        self.upload("k.json", json.dumps(CARD).encode())
        picture = self.get(self.bob, f"{API}/characters/keeper/export?as=card-png")
        assert picture["Content-Type"] == "image/png"
        assert self.upload("k.png", picture.content)["slug"] == "keeper"
        broken = self.upload("k.png", picture.content[:60])
        assert (broken["action"], broken["error"]["code"]) == ("refused", "VALIDATION")

    def test_a_chat_comes_in_with_messages_and_goes_out_three_ways(self) -> None:
        raw = lines({"name": "Bob", "is_user": True, "mes": "Hi"}, {"name": "Keeper", "mes": "So.", "is_system": True})
        made = self.upload("chat.jsonl", raw)
        assert (made["action"], made["kind"]) == ("created", "chat")
        url = f"{API}/chats/{made['slug']}"
        assert self.get(self.alice, f"{url}/export?as=openai").json() == {
            "messages": [{"role": "user", "content": "Hi", "name": "Bob"}]
        }
        assert parse_lines(self.get(self.alice, f"{url}/export?as=sillytavern").content) is not None
        assert len(self.get(self.alice, f"{url}/export").json()["messages"]) == 2
        assert self.upload("chat.jsonl", raw)["action"] == "unchanged"
        self.assert_error(self.get(self.bob, url), 404, "NOT_FOUND")

    def test_a_book_goes_out_as_others_read_it(self) -> None:
        self.make("lorebooks", id="quay", name="Quay", entries=[{"keys": ["lamp"], "content": "Dark."}])
        book = self.get(self.bob, f"{API}/lorebooks/quay/export?as=worldinfo").json()
        assert (book["entries"]["0"]["key"], book["entries"]["0"]["content"]) == (["lamp"], "Dark.")
        newest = self.get(self.bob, f"{API}/lorebooks/quay/export?as=card").json()
        assert (newest["spec"], newest["data"]["entries"][0]["keys"]) == ("lorebook_v3", ["lamp"])
        report = self.get(self.bob, f"{API}/lorebooks/quay/export?as=card&report=true").json()
        assert report == {"loss": []}

    def test_a_character_without_a_book_has_no_world_info(self) -> None:
        self.make("characters", id="keeper", name="Keeper")
        error = self.assert_error(self.get(self.bob, f"{API}/characters/keeper/export?as=worldinfo"), 422, "VALIDATION")
        assert error["details"][0]["path"] == "as"

    def test_real_files(self) -> None:
        if not SAMPLES.is_dir():
            pytest.skip("no ../shared/data/samples here")
        expected = {
            "card-v1.json": ("character", "created"),
            "card-v2.json": ("character", "newRevision"),
            "card-v2.png": ("character", "newRevision"),
            "card-v2v3.png": ("character", "newRevision"),
            "card-v3.json": ("character", "newRevision"),
            "lorebook-v3.json": ("lorebook", "created"),
            "st-worldinfo.json": ("lorebook", "created"),
            "novelai.lorebook": ("lorebook", "created"),
            "agnai-memorybook.json": ("lorebook", "created"),
            "risu-lorebook.json": ("lorebook", "created"),
            "st-chat.jsonl": ("chat", "created"),
        }
        made = {name: self.upload(name, (SAMPLES / name).read_bytes()) for name in expected}
        kinds = {name: (one["kind"], one["error"]) for name, one in made.items()}
        assert kinds == {name: (kind, None) for name, (kind, _) in expected.items()}
        for one in made.values():
            url = f"{API}/{one['kind']}s/{one['slug']}/export"
            assert self.get(self.alice, url).status_code == 200


class DocumentTests(StoriesTestCase):
    def test_a_slug_is_made_from_the_name(self) -> None:
        assert self.make("characters", name="Éloïse de l'Étoile")["slug"] == "eloise-de-l-etoile"
        assert self.make("memories", content="雪が降る")["slug"] == "memory"
        saved = self.put(
            self.alice, f"{API}/memories/memory", {"document": {"content": "雪"}, "baseRevision": 1}
        ).json()
        assert (saved["slug"], saved["document"]["id"], saved["revision"]) == ("memory", "memory", 2)

    def test_what_a_chat_names_must_be_there_and_is_kept(self) -> None:
        missing = {"document": {"id": "n", "name": "N", "lorebooks": ["quay"]}}
        error = self.assert_error(self.post(self.alice, f"{API}/chats", missing), 422, "VALIDATION")
        assert error["details"][0]["path"] == "lorebooks[0]"
        self.make("lorebooks", id="quay", name="Quay")
        self.make("chats", id="n", name="N", lorebooks=["quay"], shared=True)
        used = self.assert_error(self.delete(self.alice, f"{API}/lorebooks/quay"), 409, "CONFLICT")
        assert used["params"]["usedBy"] == [{"kind": "chat", "slug": "n", "path": "lorebooks[0]"}]

    def test_blocks_are_in_order(self) -> None:
        from formats.context import DEFAULT_BLOCKS

        blocks = [{"id": block.id} for block in DEFAULT_BLOCKS]
        blocks.insert(0, {"id": "custom-mood", "content": "Be calm.", "role": "user"})
        made = self.make("prompt-configs", id="calm", name="Calm", blocks=blocks)
        assert made["document"]["blocks"][0] == {"id": "custom-mood", "content": "Be calm.", "role": "user"}
        for wrong in (blocks[:-1], blocks[::-1], [*blocks, blocks[0]], [{"id": "else"}], []):
            body = {"document": {"id": "wrong", "name": "W", "blocks": wrong}}
            error = self.assert_error(self.post(self.alice, f"{API}/prompt-configs", body), 422, "VALIDATION")
            assert error["details"][0]["path"].startswith("blocks")

    def test_a_pattern_of_an_interceptor_is_compiled(self) -> None:
        rule = {"type": "replace", "find": "(", "regex": True}
        body = {"document": {"id": "soft", "name": "Soft", "rules": [rule]}}
        error = self.assert_error(self.post(self.alice, f"{API}/interceptors", body), 422, "VALIDATION")
        assert error["details"][0]["path"] == "rules[0].find"
        rule["find"] = "[a-z]+"
        assert self.make("interceptors", **body["document"])["document"]["rules"] == [rule]
