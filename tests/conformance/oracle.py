"""An official chat template rendered with jinja2 exactly as transformers does: what every other way is compared with.

Follows `transformers/utils/chat_template_utils.py` (Apache-2.0): the sandboxed environment with trimmed blocks, loop
controls and the `generation` tag; `tojson` without HTML escapes; `raise_exception`; `strftime_now`; `tools` and
`documents` are None when there are none.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2
import jinja2.ext
import jinja2.nodes
import jinja2.parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

OFFICIAL = Path(__file__).parents[3] / "shared" / "data" / "official"
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


class Refused(Exception):
    """The official template does not take this conversation, or does not compile."""


def render_official(
    source: str,
    messages: list[dict[str, Any]],
    *,
    tools: list[Any] | None = None,
    add_generation_prompt: bool = True,
    continue_final_message: bool = False,
    bos_token: str = "",
    eos_token: str = "",
    now: datetime = NOON,
    **variables: Any,
) -> str:
    """The prompt that transformers' `apply_chat_template(..., tokenize=False)` gives; Refused with the reason.

    `variables` are the template's own (`enable_thinking`, `date_string`, `reasoning_effort`, `documents`, …).
    """
    known = {"bos_token": bos_token, "eos_token": eos_token, "tools": tools or None, "documents": None}
    try:
        template = _compiled(source)
        template.globals["strftime_now"] = now.strftime
        text: str = template.render(
            messages=messages, add_generation_prompt=add_generation_prompt, **(known | variables)
        )
    except Exception as error:  # a template may raise anything: KeyError, TypeError, its own refusal
        raise Refused(f"{type(error).__name__}: {error}") from error
    return _cut_behind(text, messages[-1]["content"]) if continue_final_message else text


def official_file(name: str) -> str:
    """The text of a template of the measuring data, as it stands; chujiezheng's without the layout of its pages."""
    source = (OFFICIAL / name).read_text(encoding="utf-8")
    if name.startswith("chujiezheng/"):
        # These are indented for reading; their README says to take indent and line ends out before use.
        source = source.replace("    ", "").replace("\n", "")
    return source


def official_files() -> list[str]:
    """Every Jinja template of the measuring data, as names for `official_file`."""
    found = [path for path in OFFICIAL.rglob("*") if path.suffix in (".jinja", ".jinja2")]
    return sorted(str(path.relative_to(OFFICIAL)) for path in found)


@lru_cache(maxsize=512)
def _compiled(source: str) -> jinja2.Template:
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, jinja2.ext.loopcontrols]
    )
    environment.filters["tojson"] = _tojson
    environment.globals["raise_exception"] = _raise
    return environment.from_string(source)


def _tojson(
    value: Any, ensure_ascii: bool = False, indent: Any = None, separators: Any = None, sort_keys: bool = False
) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _raise(message: str) -> None:
    raise jinja2.TemplateError(message)


def _cut_behind(text: str, last: Any) -> str:
    """The prompt up to the end of the last message's text, as `continue_final_message` leaves it open."""
    if isinstance(last, list):
        last = next((part["text"] for part in reversed(last) if "text" in part), None)
    if not isinstance(last, str) or last.strip() not in text:
        raise Refused("the final message does not appear in the chat after applying the chat template")
    at = text.rindex(last.strip())
    kept = last.lstrip() if text[at : at + len(last.lstrip())] == last else last.strip()
    return text[: at + len(kept)]


class _Generation(jinja2.ext.Extension):
    """`{% generation %}…{% endgeneration %}` prints its body."""

    tags = {"generation"}

    def parse(self, parser: jinja2.parser.Parser) -> jinja2.nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(line)

    def _body(self, caller: Any) -> str:
        return str(caller())
