"""One probe through a format and through the official chat template of its family: the same bytes, or why not."""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from formats.builtin import builtin
from formats.catalogue import find_by_template
from formats.prompt import InstructFormat, Message, PromptError, render
from formats.prompt.sections import Reasoning
from tests.conformance.oracle import NOON, Refused, official_file, official_files, render_official
from tests.conformance.probes import Kind, Probe, Wire

# `equal`; `refused`: the official template takes no such conversation; `kept`: it loses a text without a word, and
# the format keeps it; `differs`; `unable`: the format refuses what the official template takes.
Verdict = Literal["equal", "refused", "kept", "differs", "unable"]
_OTHER_NAMES = {"reasoning_content": "thinking"}
# A template that prints an object as it stands in memory has no place for it: that is a refusal.
_REPR = ("{'type'", "{'id'", "{'name'")
_PRINTED: dict[Kind, tuple[str, ...]] = {
    "text": _REPR, "tools": _REPR, "thinking": _REPR, "vision": (*_REPR, '{"type": "text"', '{"type": "image"'),
}  # fmt: skip
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
    lost = _lost(ours, probe)
    if all(lost < _lost(text, probe) for text in official):
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
    for messages, switch in itertools.product(_spellings(fmt, probe.messages), _switches(probe.thinking)):
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
        if not any(shape in text for shape in _PRINTED[probe.kind]):
            yield text


def _switches(thinking: bool | None) -> list[dict[str, Any]]:
    """The names under which templates know the switch for thinking; some know only how much of it."""
    if thinking is None:
        return [{}]
    named: dict[str, Any] = {"enable_thinking": thinking, "thinking": thinking}
    return [named, named | {"reasoning_effort": "high"}] if thinking else [named]


def _spellings(fmt: InstructFormat, messages: list[Wire]) -> Iterator[list[Wire]]:
    plain = [_plain(message) for message in messages]
    yield plain
    if messages != plain:
        yield messages
    if any(message.get("tool_calls") for message in messages):
        as_text = [_calls(message, _written) for message in plain]
        yield as_text
        yield [_null(message) for message in as_text]
    if fmt.reasoning is not None and any("reasoning_content" in message for message in messages):
        # For templates that know reasoning only inside a content, or by another name.
        yield [_inline(fmt.reasoning, message) for message in plain]
        yield [{_OTHER_NAMES.get(key, key): value for key, value in message.items()} for message in plain]


def _null(message: Wire) -> Wire:
    """No content at all beside calls, which is how some templates tell a turn of calls."""
    return message | {"content": None} if message.get("tool_calls") and not message["content"] else message


def _inline(marks: Reasoning, message: Wire) -> Wire:
    if "reasoning_content" not in message:
        return message
    text = marks.start + message["reasoning_content"] + marks.end + message["content"]
    return {key: value for key, value in message.items() if key != "reasoning_content"} | {"content": text}


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


def _lost(text: str, probe: Probe) -> set[tuple[int, str]]:
    """The texts and calls that do not stand in the prompt."""
    escaped = json.dumps(text, ensure_ascii=False)
    wanted = [(at, _core(one)) for at, message in enumerate(probe.messages) for one in _texts(message["content"])]
    lost = {(at, one) for at, one in wanted if one not in text and one not in escaped}
    names = [str(call["function"]["name"]) for message in probe.messages for call in message.get("tool_calls", ())]
    functions = [tool["function"] for tool in probe.tools]
    listed = [str(function["name"]) for function in functions if str(function["description"]) in text]
    # A name stands once for each call, and once more where the catalogue is printed.
    return lost | {(-1, name) for name in names if text.count(name) < names.count(name) + listed.count(name)}


def _texts(content: Any) -> list[str]:
    if isinstance(content, list):
        return [part["text"] for part in content if "text" in part]
    return [content] if content else []


def _core(content: str) -> str:
    """The text that every layout keeps: without reasoning, without white space at its ends."""
    return content.rsplit("</think>", 1)[-1].strip()
