"""/render chooses lore by an engine where the request names one, its chat or preset does, or the team does."""

from __future__ import annotations

from typing import Any

from chats.services.embedding import wanted
from formats.services.builtins import load_builtins
from tests.chats.embedding.base import EmbeddingTestCase
from tests.jobs.base import work_off

BOOK = {
    "name": "b",
    "entries": [
        {"name": "Osk", "content": "Osk keeps the lighthouse."},
        {"name": "Beast", "content": "A dragon sleeps here."},
        {"name": "Guild", "content": "The guild is rich.", "keys": ["Merchants"]},
    ],
}
BEACON = [{"role": "user", "content": "Who lit the beacon?"}]
TEMPLATE = {
    "template": "{{#systemBlock}}{{{worldLore}}}{{/systemBlock}}"
    "{{#each chatMessages}}{{#if (eq role 'user')}}{{#userBlock}}{{{message}}}{{/userBlock}}{{/if}}{{/each}}"
}


class Ranked(EmbeddingTestCase):
    def setUp(self) -> None:
        super().setUp()
        load_builtins()

    def rendered(self, **body: Any) -> dict[str, Any]:
        answer = self.post(
            self.alice,
            "/api/v1/render",
            {"format": "chatml", "messages": BEACON, "lorebooks": [BOOK], "trace": True, **body},
        )
        assert answer.status_code == 200, answer.content
        made: dict[str, Any] = answer.json()
        return made

    def lore(self, body: dict[str, Any]) -> dict[str, str]:
        """Entry → why it is in or out, in the order told."""
        return {
            change["data"]["name"]: change["reason"]
            for stage in body["trace"]
            for change in (*stage["added"], *stage["dropped"])
            if change["origin"].startswith("lore:")
            and stage["stage"] in ("lore", "assemble")
            and "score" in (change.get("data") or {})
            and "tokens" in change["data"]
        }

    def choice(self, body: dict[str, Any]) -> dict[str, Any]:
        """What the trace says of the choice as a whole."""
        return next(change for stage in body["trace"] for change in stage["changed"] if change["origin"] == "infill")

    def test_blocks_get_lore_by_its_keys_alone_unless_an_engine_is_named(self) -> None:
        assert "Osk" not in self.rendered()["prompt"]

    def test_by_meaning(self) -> None:
        body = self.rendered(infill="vector")
        assert self.lore(body) == {"Osk": "scored", "Beast": "unlike", "Guild": "unlike"}
        assert "Osk keeps the lighthouse." in body["prompt"]
        assert "dragon" not in body["prompt"]

    def test_by_keyword(self) -> None:
        body = self.rendered(infill="keyword", messages=[{"role": "user", "content": "The merchants!"}])
        assert self.lore(body) == {"Osk": "zeroScore", "Beast": "zeroScore", "Guild": "scored"}
        assert self.choice(body)["reason"] == "keyword"

    def test_hybrid(self) -> None:
        assert self.choice(self.rendered(infill="hybrid"))["reason"] == "hybrid"

    def test_the_trace_and_a_finding_say_that_keywords_stood_in(self) -> None:
        self.model.fails = True
        body = self.rendered(infill="vector")
        assert (self.choice(body)["reason"], self.choice(body)["data"]["asked"]) == ("keyword", "vector")
        assert [one["code"] for one in body["findings"]] == ["INFILL_FALLBACK"]

    def test_without_a_model(self) -> None:
        self.model = None
        messages = [one["message"] for one in self.rendered(infill="vector")["findings"]]
        assert messages == [
            "Infill by meaning was not possible: the operator of this server has turned it off. Keywords chose."
        ]
        assert self.rendered(infill="auto")["findings"] == []

    def test_a_budget_leaves_lore_a_share(self) -> None:
        long = [{"role": "user", "content": f"lamp {'x ' * 200}"}] * 4
        body = self.rendered(infill="keyword", messages=long, maxContextTokens=400)
        assert self.choice(body)["data"]["budget"] == 100

    def test_a_stored_book_that_is_not_ready_falls_back_and_then_does_not(self) -> None:
        book = self.book(*[f"lamp {at}" for at in range(30)], slug="lamps")
        assert self.choice(self.rendered(infill="vector", lorebooks=["lamps"]))["reason"] == "keyword"
        wanted.ask(book)
        work_off()
        self.forget()
        assert self.choice(self.rendered(infill="vector", lorebooks=["lamps"]))["reason"] == "vector"

    def test_a_context_template_ranks_by_the_teams_choice(self) -> None:
        assert self.choice(self.rendered(contextTemplate=TEMPLATE))["reason"] == "vector"
        self.patch(self.alice, "/api/v1/settings", {"infill": "hybrid"})
        assert self.choice(self.rendered(contextTemplate=TEMPLATE))["reason"] == "hybrid"

    def test_a_chat_opts_out_by_itself(self) -> None:
        self.make("chats", id="c", name="c", infill="keyword")
        assert self.choice(self.rendered(contextTemplate=TEMPLATE, chat="c"))["reason"] == "keyword"
        body = self.rendered(contextTemplate=TEMPLATE, chat="c", infill="vector")
        assert self.choice(body)["reason"] == "vector"

    def test_a_chats_choice_ranks_nothing_for_blocks(self) -> None:
        self.make("chats", id="c", name="c", infill="vector")
        assert "Osk" not in self.rendered(chat="c")["prompt"]

    def test_a_text_with_macros_is_found_by_its_stored_form(self) -> None:
        texts = [f"{{{{char}}}} lights lamp {at}" for at in range(30)]
        wanted.ask(self.book(*texts, slug="macros"))
        work_off()
        self.forget()
        body = self.rendered(
            contextTemplate=TEMPLATE, infill="vector", lorebooks=["macros"], character={"name": "Mira"}
        )
        assert self.choice(body)["reason"] == "vector"
        assert "Mira lights lamp" in body["prompt"]

    def test_another_choice_is_another_fingerprint(self) -> None:
        assert self.rendered(infill="vector")["fingerprint"] != self.rendered(infill="keyword")["fingerprint"]
