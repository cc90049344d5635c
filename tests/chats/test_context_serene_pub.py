"""The published template through /render: cast, book and chat of a request give the golden messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chats.services.render import BuiltinCaller, RenderRequest, answer

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "serene_pub"
NO_FOLDER = "the golden renders are not here: ../shared/data/serene_pub"

pytestmark = [pytest.mark.conformance, pytest.mark.skipif(not FOLDER.is_dir(), reason=NO_FOLDER)]

PERSONS = [{"number": 1, "name": "Mira Holt"}, {"number": 2, "name": "Old Ferrin"}]


def request_of(context: dict[str, Any], depth: int, **more: Any) -> RenderRequest:
    """What a caller sends so that the template sees the golden context."""
    cast = json.loads(context["characters"])
    own = cast[0].pop("extra lore")
    post = context["postHistory"]
    return RenderRequest.model_validate({
        "contextTemplate": {"template": (FOLDER / "seed_template.hbs").read_text(encoding="utf-8")},
        "promptConfig": {
            "systemPrompt": context["instructions"],
            "postHistoryInstructions": post["instructions"],
            "postHistoryDepth": depth,
        },
        "character": {
            **cast[0],
            "post_history_instructions": post["charInstructions"],
            "mes_example": post["exampleDialogue"],
        },
        "characters": cast[1:],
        "persona": json.loads(context["personas"])[0],
        "scenario": context["scenario"],
        "lorebooks": [book_of(context, own)],
        "messages": [
            {"id": str(one["id"]), "role": one["role"], "name": one["name"], "content": one["message"]}
            for one in context["chatMessages"][:-1]
        ],
        **more,
    })  # fmt: skip


def book_of(context: dict[str, Any], own: dict[str, str]) -> dict[str, Any]:
    """A book whose lore is that of the golden context; what is pinned keeps its order."""
    entries: list[dict[str, Any]] = []
    for name, content in json.loads(context["worldLore"]).items():
        entries.append({"name": name, "content": content, "pinned": True})
    for name, content in own.items():
        entries.append({"name": name, "content": content, "kind": "character", "binding": 1, "pinned": True})
    for date, content in json.loads(context["history"]).items():
        entries.append({"content": content, "kind": "history", "date": date_of(date), "pinned": True})
    entries.append({"content": "", "kind": "history", "date": date_of(context["currentDate"])})
    graph = json.loads(context["narrativeGraph"])
    sides = [
        {"number": at, "name": name, "summary": summary}
        for at, (name, summary) in enumerate(graph.pop("side_characters").items(), 3)
    ]
    told = graph["Mira Holt_perspective"][0]["relationships"]
    edges = [{"source": 1, "target": 2, "type": one["type"], "description": one["description"]} for one in told]
    return {"name": "Saltmere", "entries": entries, "bindings": [*PERSONS, *sides], "relationships": edges}


def date_of(text: str) -> dict[str, int]:
    """`412-03-05` as an entry has it."""
    return dict(zip(("year", "month", "day"), map(int, text.split("-")), strict=False))


@pytest.mark.parametrize("depth", [0, 1, 2, 6, 99])
def test_an_array_is_the_golden_messages(depth: int) -> None:
    golden = json.loads((FOLDER / f"depth{depth}_split_chat.json").read_text(encoding="utf-8"))
    request = request_of(golden["context"], depth, provider="openai-compatible")
    assert answer(BuiltinCaller(), request).messages == golden["messages_raw"]


@pytest.mark.parametrize("depth", [0, 1, 2, 6, 99])
def test_a_text_is_the_same_messages_in_a_format(depth: int) -> None:
    golden = json.loads((FOLDER / f"depth{depth}_split_chat.json").read_text(encoding="utf-8"))
    prompt = answer(BuiltinCaller(), request_of(golden["context"], depth, format="chatml")).prompt
    turns = [f"<|im_start|>{one['role']}\n{one['content']}" for one in golden["messages_raw"]]
    assert prompt == "<|im_end|>\n".join(turns)
