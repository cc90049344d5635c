"""A format written for another program and read again renders the same wherever no loss was told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from formats.builtin import builtin, builtin_slugs
from formats.interchange.registry import WRITERS, read_file
from formats.jinja.probes import PROBES
from formats.prompt import InstructFormat, Message, PromptError, render
from tests.formats.interchange.reading import reader
from tests.formats.prompt.samples import PLAIN

# What changes no prompt.
HARMLESS = {"description", "tags", "specialTokens", "tests"}
PROBED = [probe for probe in PROBES if probe.kind != "thinking"]


def fmt(**fields: Any) -> InstructFormat:
    return InstructFormat.model_validate({**PLAIN, **fields})


def read_again(text: str) -> InstructFormat:
    found = read_file(text.encode())
    document = json.loads(text) if found is None else found[0]
    known = reader(document)
    assert known is not None
    return InstructFormat.model_validate(known.read(document, "again")[0])


def shown(made: InstructFormat, *, generates: bool) -> list[str]:
    texts = []
    for probe in PROBED:
        messages = Message.read_all([dict(message) for message in probe.messages])
        generate = probe.generate or not generates
        try:
            texts.append(render(made, messages, tools=probe.tools, add_generation_prompt=generate).text)
        except PromptError:
            texts.append("refused")
    return texts


def losses(style: str, made: InstructFormat) -> list[str]:
    return [loss.path for loss in WRITERS[style](made).losses if loss.path not in HARMLESS]


@pytest.mark.parametrize("slug", builtin_slugs())
@pytest.mark.parametrize("style", ["sillytavern", "koboldcpp", "chat_bricks"])
def test_without_a_loss_the_prompts_are_equal(style: str, slug: str) -> None:
    made = builtin(slug)
    written = WRITERS[style](made)
    again = read_again(written.text)
    if not losses(style, made):
        # SillyTavern and KoboldCpp always ask for a reply.
        generates = style == "chat_bricks"
        assert shown(again, generates=generates) == shown(made, generates=generates)


SAYABLE: dict[str, dict[str, Any]] = {
    "sillytavern": {
        "tool": PLAIN["system"], "names": "prefix", "eos": "</s>", "separator": "|", "promptSuffix": "<A>",
        "stopStrings": ["</s>", ">"], "variants": {"firstUser": "<1>{{{content}}}>", "lastUser": "<n>{{{content}}}>"},
    },
    "koboldcpp": {"eos": "</s>", "promptSuffix": "<A>"},
    "chat_bricks": {
        "prefix": "[P]", "bos": "<b>", "eos": "</s>", "stopStrings": [">", "\n"], "defaultSystem": "Be {kind}.",
        "system": "{<s>}{{{content}}}{{#if tools}}|T:{{{tools}}}|{{/if}}{{{skills}}}>",
        "assistant": "<a>{{{content}}}{{{toolCalls}}}>", "tools": {"format": "json_compact", "asList": True},
        "toolCalls": {"section": "<c>{{{toolCalls}}}</c>"}, "skills": {"section": "S{{{skills}}}", "joiner": ";"},
        "toolResults": {"section": "<r>{{{toolResults}}}</r>", "item": "({{{content}}})"},
        "vision": {"start": "<v>", "end": "</v>", "imageToken": "<i>"},
    },
}  # fmt: skip


@pytest.mark.parametrize("style", SAYABLE)
def test_what_a_program_can_say_comes_back(style: str) -> None:
    made = fmt(**SAYABLE[style])
    generates = style == "chat_bricks"
    # That a first user's sequence stands where a chat opens with one is the only thing that differs.
    kept = [text for text in shown(made, generates=generates) if "<1>" not in text]
    again = [text for text in shown(read_again(WRITERS[style](made).text), generates=generates) if "<1>" not in text]
    assert (losses(style, made), again[: len(kept)]) == ([], kept)


def test_every_field_without_a_place_is_named() -> None:
    made = fmt(
        bos="<b>",
        trim={"user": True},
        alternation="merge",
        skills={},
        reasoning={"start": "<t>"},
        user="{{#if first}}1{{/if}}{{{content}}}",
    )
    assert losses("sillytavern", made) == ["user", "tool", "bos", "alternation", "trim", "skills", "reasoning"]
    assert losses("koboldcpp", made) == ["user", "bos", "alternation", "trim", "skills", "reasoning"]
    assert losses("chat_bricks", made) == ["user", "alternation", "trim", "reasoning"]


def test_a_master_export_holds_the_system_text_and_the_reasoning() -> None:
    made = fmt(defaultSystem="Be kind.", reasoning={"start": "<t>", "end": "</t>"})
    sections = json.loads(WRITERS["sillytavern-master"](made).text)
    assert list(sections) == ["instruct", "sysprompt", "reasoning"]
    assert sections["sysprompt"] == {"name": "Plain", "content": "Be kind.", "post_history": ""}
    assert losses("sillytavern-master", made) == ["tool"]


def test_a_yaml_file_of_the_web_ui_holds_the_jinja() -> None:
    text = WRITERS["textgen"](fmt()).text
    (document,) = read_file(text.encode()) or ()
    assert document == {"instruction_template": WRITERS["jinja"](fmt()).text}


def test_flags_of_the_servers() -> None:
    vllm = WRITERS["vllm"](fmt(stopStrings=[">"])).text.split("\n")
    assert vllm[0] == "{#- vllm serve MODEL --chat-template plain.jinja --chat-template-content-format string"
    assert vllm[1] == "    stop strings go into each request's `stop` -#}"
    assert "\n".join(vllm[2:]) == WRITERS["jinja"](fmt()).text
