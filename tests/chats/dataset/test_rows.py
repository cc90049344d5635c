"""One row in, one line out: shapes that are read, what is added, and rows that are refused without being lost."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest

from chats.samples import NAMES, sample
from chats.services.dataset.plan import DatasetPlan
from chats.services.dataset.rows import Chunk, RowRenderer, token_mask
from chats.services.render import BuiltinCaller, RenderRequest, answer
from formats.builtin import builtin_document
from formats.prompt.loss_mask import Stretch
from tests.chats.base import tiny_format

HI = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yo"}]
TEXT = "U:Hi\nA:Yo\n"


def chunk(*rows: Any, **plan: Any) -> Chunk:
    lines = [row if isinstance(row, bytes) else orjson.dumps(row) for row in rows]
    return RowRenderer(DatasetPlan(**{"document": tiny_format(), **plan})).chunk(1, lines)


def rendered(*rows: Any, **plan: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in chunk(*rows, **plan).lines.splitlines()]


def test_messages_become_text_and_other_columns_stay() -> None:
    assert rendered({"id": 7, "messages": HI, "source": {"a": [1]}}) == [{"id": 7, "source": {"a": [1]}, "text": TEXT}]


def test_a_bare_array_and_sharegpt() -> None:
    sharegpt = {"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Yo"}]}
    assert rendered(HI, sharegpt) == [{"text": TEXT}, {"text": TEXT}]


def test_tools_may_be_json_text() -> None:
    tools = [{"type": "function", "function": {"name": "look"}}]
    form = tiny_format(system="S:{{{content}}}{{{tools}}}\n", tools={"item": "{{{tool}}}"})
    row = {"messages": [{"role": "system", "content": "x"}, *HI]}
    one, other = rendered({**row, "tools": tools}, {**row, "tools": json.dumps(tools)}, document=form)
    assert one == other == {"text": 'S:x{"type": "function", "function": {"name": "look"}}\n' + TEXT}


def test_the_generation_prompt_is_asked_for() -> None:
    assert rendered({"messages": HI[:1]}) == [{"text": "U:Hi\n"}]
    assert rendered({"messages": HI[:1]}, add_generation_prompt=True) == [{"text": "U:Hi\nA:"}]


def test_another_column_for_the_text() -> None:
    assert rendered({"messages": HI, "text": "kept"}, text_field="prompt") == [{"text": "kept", "prompt": TEXT}]


def test_macros_stay_as_typed() -> None:
    assert rendered([{"role": "user", "content": "{{user}}"}]) == [{"text": "U:{{user}}\n"}]


def test_spans_and_loss() -> None:
    (row,) = rendered(HI, spans=True, loss="all")
    assert row["spans"] == [
        {"message": 0, "start": 2, "end": 4, "trainable": False},
        {"message": 1, "start": 7, "end": 9, "trainable": True},
    ]
    assert row["loss"] == [[7, 9]]


def test_the_last_turn_alone() -> None:
    (row,) = rendered(HI + HI, loss="last")
    assert [row["text"][start:end] for start, end in row["loss"]] == ["Yo"]
    assert row["loss"] == [[17, 19]]


def test_ids_masks_and_offsets() -> None:
    plan = {"document": builtin_document("chatml"), "loss": "all", "tokenizer": "qwen3", "offsets": True}
    (row,) = rendered(HI, **plan)
    assert row["input_ids"] == [151644, 872, 198, 13048, 151645, 198, 151644, 77091, 198, 64725, 151645, 198]
    assert row["assistant_masks"] == [0] * 9 + [1, 1, 0]
    assert "".join(row["text"][start:end] for start, end in row["offsets"]) == row["text"]


def test_the_mask_is_one_for_tokens_that_begin_inside() -> None:
    assert token_mask([(0, 2), (2, 4), (4, 6), (6, 7)], [Stretch(2, 5)]) == [0, 1, 1, 0]
    assert token_mask([(0, 2)], []) == [0]


@pytest.mark.parametrize(
    ("row", "code", "path"),
    [
        (b"{nope", "BAD_JSON", ""),
        (7, "VALIDATION", ""),
        ({"id": 1}, "VALIDATION", "messages"),
        ({"messages": HI, "conversations": []}, "VALIDATION", "conversations"),
        ({"messages": "Hi"}, "VALIDATION", "messages"),
        ({"messages": [{"role": "wizard", "content": "Hi"}]}, "VALIDATION", "messages[0].role"),
        ({"messages": HI, "tools": "{nope"}, "VALIDATION", "tools"),
        ({"messages": HI, "tools": {}}, "VALIDATION", "tools"),
        ({"messages": HI, "text": "there"}, "VALIDATION", "text"),
        ({"messages": HI, "error": "there"}, "VALIDATION", "error"),
    ],
)
def test_a_refused_row_is_a_line_with_its_error(row: Any, code: str, path: str) -> None:
    made = chunk(HI, row, HI)
    lines = [json.loads(line) for line in made.lines.splitlines()]
    assert (made.rows, made.refused, len(lines)) == (3, 1, 3)
    assert (lines[0], lines[2]) == ({"text": TEXT}, {"text": TEXT})
    assert (lines[1]["error"]["code"], lines[1]["line"]) == (code, 2)
    assert lines[1]["error"]["details"][0].get("path", "") == path


def test_a_refused_row_keeps_its_columns() -> None:
    row = {"id": 7, "messages": "Hi"}
    assert {key: value for key, value in rendered(row)[0].items() if key in row} == row


def test_findings_are_counted_and_written_when_asked_for() -> None:
    made = chunk([{"role": "human", "content": "Hi"}], findings=True)
    assert dict(made.findings) == {"ROLE_ALIAS": 1}
    assert [one["code"] for one in json.loads(made.lines)["findings"]] == ["ROLE_ALIAS"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("slug", ["chatml", "mistral-v3-tekken", "llama3"])
def test_the_same_bytes_as_the_render_function(name: str, slug: str) -> None:
    row = sample(name)
    request = {**row, "format": slug, "macros": False, "addGenerationPrompt": False}
    prompt = answer(BuiltinCaller(), RenderRequest.model_validate(request)).prompt
    assert rendered(row, document=builtin_document(slug)) == [{"text": prompt}]


def test_a_chat_template_that_hides_the_reply_refuses_the_loss() -> None:
    form = tiny_format(chatTemplate="{% for m in messages %}{{ m.content|length }}{% endfor %}")
    assert rendered(HI, document=form) == [{"text": "22"}]
    assert rendered(HI, document=form, loss="all")[0]["error"]["details"][0]["path"] == "messages"
