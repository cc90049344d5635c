"""A format as a Jinja chat template, by itself or for one server, which reads it with the flags in its first line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from formats.interchange.jinja_out import chat_template
from formats.interchange.reading import Written
from formats.prompt import InstructFormat

JINJA: Final = "text/x-jinja; charset=utf-8"


def write_jinja(fmt: InstructFormat) -> Written:
    """Return the chat template alone, as `tokenizer_config.json` holds it."""
    source, losses = chat_template(fmt)
    return Written(source, "jinja", tuple(losses), JINJA)


def write_vllm(fmt: InstructFormat) -> Written:
    """Return the template with vLLM's flags in a comment."""
    flags = f"vllm serve MODEL --chat-template {fmt.id}.jinja --chat-template-content-format string"
    return _with_flags(fmt, flags, "each request's `stop`")


def write_llamacpp(fmt: InstructFormat) -> Written:
    """Return the template with llama.cpp's flags in a comment."""
    flags = f"llama-server --model MODEL.gguf --jinja --chat-template-file {fmt.id}.jinja"
    return _with_flags(fmt, flags, "each request's `stop`")


def _with_flags(fmt: InstructFormat, flags: str, place: str) -> Written:
    source, losses = chat_template(fmt)
    head = f"{flags}\n    stop strings go into {place}" if fmt.stop_strings else flags
    return Written(f"{{#- {head} -#}}\n{source}", "jinja", tuple(losses), JINJA)


def write_textgen(fmt: InstructFormat) -> Written:
    """Return an instruction template of text-generation-webui."""
    source, losses = chat_template(fmt)
    lines = "\n".join(f"  {line}" if line else "" for line in source.split("\n"))
    return Written(f"instruction_template: |-\n{lines}\n", "yaml", tuple(losses), "application/yaml; charset=utf-8")


WRITERS: Final[Mapping[str, Callable[[InstructFormat], Written]]] = {
    "jinja": write_jinja,
    "vllm": write_vllm,
    "llamacpp": write_llamacpp,
    "textgen": write_textgen,
}
