"""Chat templates in: what a built-in prints alike, what fields can say, and what stays Jinja."""

from __future__ import annotations

from typing import Any

import pytest

from formats.builtin import builtin, builtin_document
from formats.interchange.reading import Loss
from formats.interchange.registry import read_file, reader_of, split
from formats.prompt import FormatError, Message, import_instruct_format, render

CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
OWN = (
    "{{ bos_token }}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|e|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
SHOUTING = "{% for m in messages %}{{ loop.index }}:{{ m.role }}={{ m.content }};{% endfor %}"
CHAT = [{"role": "system", "content": "S"}, {"role": "user", "content": "u"}, {"role": "assistant", "content": "a"}]


def read(document: Any, name: str = "") -> tuple[dict[str, Any], list[Loss]]:
    reader = reader_of("instruct-format", document)
    assert reader is not None
    return reader.read(document, name)


def read_text(text: str, name: str = "") -> tuple[dict[str, Any], list[Loss]]:
    found = read_file(text.encode())
    assert found is not None
    return read(found[0], name)


def prompt(document: dict[str, Any]) -> str:
    return render(import_instruct_format(document), Message.read_all(CHAT)).text


def test_a_template_that_a_built_in_prints_alike_becomes_its_fields() -> None:
    made, losses = read_text(CHATML, "mine.jinja")
    assert (made["name"], made["user"], made.get("chatTemplate")) == ("mine", builtin("chatml").user, None)
    assert [loss.path for loss in losses] == ["chatTemplate"]
    assert losses[0].reason.startswith("It prints what the built-in format `chatml` prints on all ")


def test_a_layout_that_fields_can_say_is_worked_out() -> None:
    made, losses = read({"chat_template": OWN, "bos_token": "<s>", "eos_token": "</s>", "name_or_path": "me/Mine-7B"})
    assert (made["name"], made["bos"], made["user"], made["promptSuffix"]) == (
        "Mine-7B",
        "<s>",
        "<|user|>{{{content}}}<|e|>",
        "<|assistant|>",
    )
    assert "chatTemplate" not in made
    assert prompt(made) == "<s><|system|>S<|e|><|user|>u<|e|><|assistant|>a<|e|><|assistant|>"
    assert losses[0].reason.startswith("Worked out from a chat template: it prints the same on all ")


def test_what_fields_can_not_say_stays_jinja_and_the_report_says_what_differs() -> None:
    made, losses = read_text(SHOUTING)
    assert made["chatTemplate"] == SHOUTING
    assert prompt(made) == "1:system=S;2:user=u;3:assistant=a;"
    assert losses[0].path == "chatTemplate"
    assert losses[0].reason.startswith("is kept as Jinja: ")


def test_tokens_that_the_file_does_not_say_are_losses() -> None:
    _, losses = read_text("{{ bos_token }}" + SHOUTING)
    assert [loss.path for loss in losses] == ["chatTemplate", "bos"]


def test_bos_and_eos_may_be_objects() -> None:
    tokens = {"bos_token": {"content": "<s>", "lstrip": False}, "eos_token": {"content": "</s>"}}
    made, _ = read({"chat_template": "{{ bos_token }}" + SHOUTING, **tokens})
    assert (made["bos"], made["eos"]) == ("<s>", "</s>")
    assert prompt(made) == "<s>1:system=S;2:user=u;3:assistant=a;"


def test_fields_of_the_tokenizer_are_named() -> None:
    _, losses = read({"chat_template": SHOUTING, "model_max_length": 5, "clean_up_tokenization_spaces": False})
    named = (
        "these fields are the tokenizer's and no part of a prompt: `model_max_length`, `clean_up_tokenization_spaces`"
    )
    assert losses[-1] == Loss("", named)


def test_named_templates_are_one_format_each() -> None:
    named = [{"name": "default", "template": CHATML}, {"name": "tool_use", "template": SHOUTING}]
    parts = split({"chat_template": named, "name_or_path": "me/Mine"})
    assert parts is not None
    assert [read(document, name)[0]["name"] for name, document, _ in parts] == ["Mine", "Mine tool_use"]


def test_metadata_of_a_gguf_file() -> None:
    values = {
        "general.name": "Mine 7B",
        "tokenizer.chat_template": "{{ bos_token }}" + SHOUTING,
        "tokenizer.ggml.tokens": ["<unk>", "<s>", "</s>"],
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
    }
    made, _ = read(values)
    assert (made["name"], made["bos"], made["eos"]) == ("Mine 7B", "<s>", "</s>")


@pytest.mark.parametrize(
    "source", ["{% for m in messages %}{{ m.content }}", "{% for m in messages %}{% nope %}{% endfor %}"]
)
def test_a_template_that_is_broken_is_refused_with_its_place(source: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_text(source)
    assert caught.value.path.endswith("chatTemplate")


def test_a_built_in_s_own_export_finds_its_way_back() -> None:
    from formats.interchange.registry import WRITERS

    for slug in ("llama3", "mistral", "alpaca"):
        made, losses = read_text(WRITERS["jinja"](builtin(slug)).text)
        assert f"`{slug}`" in losses[0].reason
        assert made["user"] == builtin_document(slug)["user"]
