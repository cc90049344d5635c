"""One probe through a format and through the official chat template of its family: the same bytes, or why not."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from formats.builtin import builtin
from formats.builtin.catalogue import find_by_template
from formats.prompt import InstructFormat, Message, PromptError, render
from tests.conformance.oracle import NOON, Refused, official_file, official_files, render_official
from tests.conformance.probes import Probe, Wire

# `equal`; `refused`: the official template takes no such conversation; `kept`: it loses a text without a word, and
# the format keeps it; `differs`; `unable`: the format refuses what the official template takes.
Verdict = Literal["equal", "refused", "kept", "differs", "unable"]
GOOD: frozenset[Verdict] = frozenset({"equal", "refused", "kept"})


@dataclass(frozen=True)
class Outcome:
    """What came of one probe; `official` is the nearest of the official template's readings."""

    verdict: Verdict
    ours: str = ""
    official: str = ""


def families() -> Iterator[tuple[str, str]]:
    """Official file and the slug of the format that renders like it, for every file the catalogue knows."""
    for file in official_files():
        slug = find_by_template(template_text(file))
        if slug is not None:
            yield file, slug


@cache
def template_text(file: str) -> str:
    """The official template's text."""
    return official_file(file)


def compare(fmt: InstructFormat, source: str, probe: Probe) -> Outcome:
    """Render both ways and compare."""
    official = list(_readings(fmt, source, probe))
    if not official:
        return Outcome("refused")
    try:
        ours = _render(fmt, probe)
    except PromptError as error:
        return Outcome("unable", str(error), official[0])
    if ours in official:
        return Outcome("equal", ours, ours)
    if all(_loses(text, probe) for text in official) and not _loses(ours, probe):
        return Outcome("kept", ours, official[0])
    return Outcome("differs", ours, official[0])


def outcome(slug: str, file: str, probe: Probe) -> Outcome:
    """The same for a built-in and a file of the measuring data."""
    return compare(builtin(slug), template_text(file), probe)


def _render(fmt: InstructFormat, probe: Probe) -> str:
    return render(
        fmt,
        Message.read_all(probe.messages),
        tools=probe.tools,
        add_generation_prompt=probe.generate,
        continue_final_message=probe.continues,
        options={"now": NOON, "thinking": probe.thinking},
    ).text


def _readings(fmt: InstructFormat, source: str, probe: Probe) -> Iterator[str]:
    """What the official template makes of the probe, in each spelling that means the same to us.

    Templates that do not expect them write arguments given as text twice, and a null as `None`.
    """
    tokens = {
        token.meaning: token.token for token in fmt.special_tokens if not isinstance(token, str) and token.meaning
    }
    switch: dict[str, Any] = {} if probe.thinking is None else {"enable_thinking": probe.thinking, "thinking": probe.thinking}
    for messages in _spellings(probe.messages):
        try:
            text = render_official(
                source,
                copy.deepcopy(messages),
                tools=probe.tools,
                add_generation_prompt=probe.generate,
                continue_final_message=probe.continues,
                bos_token=tokens.get("bos", ""),
                eos_token=tokens.get("eos", ""),
                **switch,
            )
        except Refused:
            continue
        if "{'type'" not in text and "{'id'" not in text and "{'name'" not in text:
            yield text


def _spellings(messages: list[Wire]) -> Iterator[list[Wire]]:
    plain = [_plain(message) for message in messages]
    yield plain
    if messages != plain:
        yield messages
    if any(message.get("tool_calls") for message in messages):
        as_text = [_calls(message, _written) for message in plain]
        yield as_text


def _plain(message: Wire) -> Wire:
    """Arguments as an object, null content as an empty one."""
    return _calls(message | {"content": message["content"] if message["content"] is not None else ""}, _parsed)


def _parsed(arguments: Any, **_: Any) -> Any:
    return json.loads(arguments) if isinstance(arguments, str) else arguments


def _written(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _calls(message: Wire, change: Any) -> Wire:
    calls = message.get("tool_calls")
    if not calls:
        return message
    changed = [
        call | {"function": call["function"] | {"arguments": change(call["function"]["arguments"])}} for call in calls
    ]
    return message | {"tool_calls": changed}


def _loses(text: str, probe: Probe) -> bool:
    """True when the prompt lacks a message's text altogether."""
    texts = [message["content"] for message in probe.messages if isinstance(message["content"], str)]
    return any(_core(one) not in text and _core(one) not in json.dumps(text, ensure_ascii=False) for one in texts)


def _core(content: str) -> str:
    """The text that every layout keeps: without reasoning, without white space at its ends."""
    return content.rsplit("</think>", 1)[-1].strip()
