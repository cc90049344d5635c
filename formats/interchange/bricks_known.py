"""What chat_bricks has in Python, by name: content processors as template source, formatters, the class for Qwen 3.

Functions of users can not be said in a document.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.interchange.reading import Document
from formats.interchange.wording import choice

ASSISTANT: Final = {"Qwen25AssistantContentProcessor": choice("content", "\n{{{content}}}")}
TOOLS: Final = frozenset({"ToolMainContentProcessor"})
CALLS: Final = {
    "KimiK2ToolCallContentProcessor": "{{{id}}}<|tool_call_argument_begin|>{{{arguments}}}",
    "WrittenCall": "{{{arguments}}}",
    "DeepSeekV4ToolCallContentProcessor": (
        '<｜DSML｜invoke name="{{name}}">\n{{#each args}}<｜DSML｜parameter name="{{@key}}" '
        'string="{{eq this (textOrJson this)}}">{{{textOrJson this}}}</｜DSML｜parameter>\n{{/each}}</｜DSML｜invoke>'
    ),
}
_TOOLS_BELOW: Final = "{{{content}}}" + choice("(and content hasTools)", "\n\n")
SYSTEM: Final = {
    "Llama32DateProcessor": "{{{content}}}",
    "lambda of nemotron": "\n{{{content}}}",
    "lambda of qwen3": _TOOLS_BELOW,
    "lambda of qwen3-instruct": _TOOLS_BELOW,
    "lambda of qwen3-vl-instruct": _TOOLS_BELOW,
}
"""Lambdas have no name in a document: those of chat_bricks' own templates are known by the template."""


FORMATTERS: Final[Mapping[str, tuple[str, int | None, str, bool]]] = {
    "JsonFormatter": ("json", None, "\n", False),
    "JsonQwenFormatter": ("json", None, "\n", False),
    "JsonFormatterNoBreakLine": ("json", None, "", False),
    "JsonMinifiedFormatter": ("json_minified", None, "\n", False),
    "JsonIndentedFormatter": ("json_indented", 4, "\n\n", False),
    "JsonCompactFormatter": ("json_compact", None, "\n", True),
    "YamlFormatter": ("yaml", None, "\n", False),
}
"""Class → notation, indent, joiner, whether the tools are one list."""


def processor_name(value: Any, template: str) -> str | None:
    """Return the name of a processor in a document, None where there is none."""
    if value is None:
        return None
    if not isinstance(value, Mapping):
        return str(value)
    name = str(value.get("name") or value.get("class") or value.get("kind") or "a function")
    return f"lambda of {template}" if name == "<lambda>" else name


def think_as_qwen3(made: Document) -> None:
    """The class of its own that chat_bricks has for Qwen 3: thoughts of earlier turns go, the last turn has a block.

    The block goes where the header's line end is; where there is no text behind that, `<` is lost, as it is there.
    """
    stub = "<think>\n\n</think>\n\n"
    plain = choice("content", "\n{{{content}}}") + "{{{toolCalls}}}<|im_end|>\n"
    thought = "\n<think>\n{{{trimEnd reasoning}}}\n</think>\n\n{{{content}}}{{{toolCalls}}}<|im_end|>\n"
    empty = choice("toolCalls", "{{{trimLines toolCalls}}}<|im_end|>\n", "|im_end|>\n")
    closed = f"\n{stub}" + choice("content", "{{{content}}}{{{toolCalls}}}<|im_end|>\n", empty)
    asked = choice("generate", made["promptSuffix"] + choice("(not (or thinking reasoning))", stub))
    last = choice("reasoning", thought, choice("generate", plain, closed)) + asked
    made["assistant"] = "<|im_start|>assistant" + choice("last", last, plain)
    made["reasoning"] = {"start": "<think>", "end": "</think>", "keepInHistory": True, "parse": "exact"}
    made["promptSuffixVariants"] = {"thinkingOn": made["promptSuffix"], "afterAssistant": ""}
    made["promptSuffix"] += stub
