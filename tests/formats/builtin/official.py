"""The official chat templates of the measuring data, rendered the way the model repositories' users render them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

OFFICIAL = Path(__file__).parents[4] / "shared" / "data" / "official"

# built-in → template file, BOS, EOS
TEMPLATES = {
    "chatml": ("hf-ollama-automap/nous-hermes2-mixtral__8x7b.jinja", "", "<|im_end|>"),
    "llama3": ("hf-ollama-automap/llama3__8b.jinja", "<|begin_of_text|>", "<|eot_id|>"),
    "alpaca": ("chujiezheng/alpaca.jinja", "", "</s>"),
    "mistral": ("mistral-common/v7.jinja", "<s>", "</s>"),
    "mistral-v3": ("mistral-common/v3_spm.jinja", "<s>", "</s>"),
    "mistral-v3-tekken": ("mistral-common/v3.jinja", "<s>", "</s>"),
    "command-r": ("hf-ollama-automap/command-r__35b.jinja", "<BOS_TOKEN>", "<|END_OF_TURN_TOKEN|>"),
}


class Refused(Exception):
    """The official template does not take this conversation."""


def render_official(
    slug: str, messages: list[dict[str, Any]], *, generate: bool, tools: list[Any] | None = None
) -> str:
    file, bos, eos = TEMPLATES[slug]
    try:
        return _template(file).render(
            messages=messages, add_generation_prompt=generate, bos_token=bos, eos_token=eos, tools=tools
        )
    except (TemplateError, TypeError) as error:
        raise Refused(str(error)) from error


@cache
def _template(file: str) -> Any:
    # What transformers sets: https://huggingface.co/docs/transformers/chat_templating
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.globals["raise_exception"] = _raise
    environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
    source = (OFFICIAL / file).read_text(encoding="utf-8")
    if file.startswith("chujiezheng/"):
        # These are indented for reading; their README says to take indent and line ends out before use.
        source = source.replace("    ", "").replace("\n", "")
    return environment.from_string(source)


def _raise(message: str) -> None:
    raise TemplateError(message)
