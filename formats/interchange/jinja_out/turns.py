"""Messages to turns: text of parts, names, reasoning, tool results, the system text (formats.prompt.reading)."""

from __future__ import annotations

from formats.interchange.jinja_out import scopes
from formats.interchange.jinja_out.source import (
    capture,
    choose,
    loop,
    put,
    quoted,
    refuse,
    when,
)
from formats.interchange.jinja_out.writing import ROLES, Writing, push
from formats.prompt.sections import Vision


def read(writing: Writing) -> str:
    """Return what reads `messages` into `ns.turns`, the leading system text into `ns.system`."""
    return _last_user(writing) + loop("message", "messages", _message(writing))


def _last_user(writing: Writing) -> str:
    """The place of the last user message: reasoning behind it may be kept."""
    spec = writing.format.reasoning
    if spec is None or not spec.keep_in_current or spec.keep_in_history:
        return ""
    return loop("message", "messages", when("message.role == 'user'", put("ns.asked_at", "loop.index0")))


def _message(writing: Writing) -> str:
    fmt = writing.format
    body = put("role", "message.role") + put("is_first", "loop.first") + put("at", "loop.index0")
    body += when(f"role not in {list(ROLES)!r}", refuse("unknown role in messages"))
    if writing.compiled.has_tool_results:
        body += put("ends_run", "loop.last or loop.nextitem.role != 'tool'")
    body += _content(writing)
    trimmed = [role for role in ROLES if getattr(fmt.trim, role)]
    if trimmed:
        body += when(f"role in {trimmed!r}", put("ns.text", "ns.text|trim"))
    body += put("name", "message.name or ''") if fmt.names != "none" else put("name", "''")
    if fmt.names == "prefix":
        body += when("name and role in ['user', 'assistant']", put("ns.text", "name ~ ': ' ~ ns.text"))
        body += when("name and role == 'assistant'", put("ns.speaker", "name"))
    body += _reasoning(writing)
    return body + choose([("role == 'system'", _system(writing)), *_tool(writing)], _append(writing))


def _content(writing: Writing) -> str:
    vision, joiner = writing.format.vision, writing.format.part_joiner
    text = "part.type and 'text' in part.type and part.text is string"
    add = put("ns.text", "ns.text ~ part.text")
    media = "" if vision is None else _media(vision)
    if joiner:
        add = when("ns.was_text", put("ns.text", f"ns.text ~ {quoted(joiner)}")) + add + put("ns.was_text", "true")
        media += put("ns.was_text", "false") if media else ""
    given = loop("part", "message.content", when(text, add, media))
    first = loop("part", "message.content", when(f"not ({text})", media)) + loop(
        "part", "message.content", when(text, add)
    )
    order = "given" if vision is None else vision.order
    parts = given if order == "given" else first if order == "first" else _pair(text, first, given)
    if joiner:
        parts = put("ns.was_text", "false") + parts
    plain = put("ns.text", "message.content")
    return put("ns.text", "''") + choose([("message.content is string", plain), ("message.content", parts)])


def _pair(text: str, first: str, given: str) -> str:
    """Media first where a message is one text and one medium."""
    count = loop("part", "message.content", when(text, put("ns.texts", "ns.texts + 1")))
    return put("ns.texts", "0") + count + when("message.content|length == 2 and ns.texts == 1", first, given)


def _media(vision: Vision) -> str:
    kinds = (("video", vision.video_token), ("audio", vision.audio_token), ("image", vision.image_token))
    branches = []
    for kind, token in kinds:
        shown = ""
        if token:
            before, number, after = vision.number.partition("{n}")
            count = (
                f"{quoted(before)} ~ ns.media ~ {quoted(after)} ~ "
                if number
                else f"{quoted(before)} ~ "
                if before
                else ""
            )
            text = quoted(vision.start + token + vision.end)
            shown = put("ns.media", "ns.media + 1") + put("ns.text", f"ns.text ~ {count}{text}")
        branches.append((f"part.type and '{kind}' in part.type", shown))
    return choose(branches)


def _reasoning(writing: Writing) -> str:
    spec = writing.format.reasoning
    if spec is None:
        return ""
    given = put("ns.thought", "message.reasoning_content or message.reasoning or ''")
    kept = "true" if spec.keep_in_history else "at > ns.asked_at" if spec.keep_in_current else "false"
    end, start = spec.end.strip(), spec.start.strip()
    found = ""
    if spec.parse is not None and end:
        chars = {"exact": None, "lines": "'\\n'", "blanks": ""}[spec.parse]
        thought = f"ns.text.split({quoted(end)})[0]" + (f".split({quoted(start)})[-1]" if start else "")
        rest = f"ns.text.split({quoted(end)})[-1]"
        if chars is not None:
            thought, rest = f"{thought}.strip({chars})", f"{rest}.lstrip({chars})"
        found = when(f"not ns.thought and {quoted(end)} in ns.text", put("ns.thought", thought) + put("ns.text", rest))
    drop = put("ns.thought", "''")
    body = given + found + (drop if kept == "false" else "" if kept == "true" else when(f"not ({kept})", drop))
    if not writing.thinks and kept != "false":
        marks = f"{quoted(spec.start)} ~ ns.thought ~ {quoted(spec.end)} ~ ns.text"
        body += when("ns.thought", put("ns.text", marks))
    return when("role == 'assistant'", body, put("ns.thought", "''"))


def _append(writing: Writing) -> str:
    more = ""
    if writing.calls:
        more += ", 'calls': message.tool_calls or []"
    if writing.thinks:
        more += ", 'reasoning': ns.thought"
    remember = ""
    if writing.compiled.has_tool_results:
        remember = when("message.tool_calls", put("ns.called", "message.tool_calls") + put("ns.answered", "0"))
    return remember + push(writing.turn("role", "ns.text", name="name", more=more))


def _system(writing: Writing) -> str:
    """The system text: the first message's is kept, later ones go where the policy wants them."""
    fmt = writing.format
    leads = put("ns.system", "ns.text") + put("ns.leads", "true") + put("ns.system_given", "true")
    if writing.named:
        leads += put("ns.system_name", "name")
    later = {
        "block": push(writing.turn("'system'", "ns.text", name="name")),
        "as_user": wrap(writing) + push(writing.turn("'user'", "ns.text")),
        "merge_first": when(
            "ns.leads", put("ns.system", f"ns.system ~ {quoted(fmt.merge_separator)} ~ ns.text"), leads
        ),
        "drop": "",
        "error": refuse("the format takes no system message inside a conversation"),
    }[fmt.system_policy.later]
    return put("ns.has_system", "true") + when("is_first", leads, later)


def wrap(writing: Writing) -> str:
    """Return what puts the policy's frame around `ns.text`, unless that is empty."""
    if "systemPolicy.wrap" not in writing.compiled.frames:
        return ""
    framed = capture("wrapped", writing.template("systemPolicy.wrap", scopes.WRAP))
    body = framed + put("ns.text", "wrapped")
    return body if writing.format.system_policy.keep_empty else when("ns.text", body)


def _tool(writing: Writing) -> list[tuple[str, str]]:
    """A run of tool messages as one turn, where the format groups them."""
    if not writing.compiled.has_tool_results:
        return []
    body = ""
    if writing.uses("toolResults.item", "callName"):
        body += _call_name()
    item = capture("item", writing.template("toolResults.item", scopes.RESULTS_ITEM))
    joiner = quoted(writing.compiled.tool_results.joiner)
    body += when("ns.run == 0", put("ns.run_name", "name"))
    body += item + put("ns.results", f"item if ns.run == 0 else ns.results ~ {joiner} ~ item")
    body += put("ns.run", "ns.run + 1") + put("ns.answers", "ns.answers + 1") + put("ns.answered", "ns.answered + 1")
    section = capture("together", writing.template("toolResults.section", scopes.RESULTS_SECTION))
    turn = writing.turn("'tool'", "together", name="ns.run_name")
    return [("role == 'tool'", body + when("ends_run", section + push(turn) + put("ns.run", "0")))]


def _call_name() -> str:
    """The name of the tool that a result answers: its own, that of the call with its id, or by position."""
    function = "(call.function or call).name"
    by_place = when(
        "loop.index0 == ns.answered or loop.last and loop.index0 < ns.answered", put("ns.by_place", function)
    )
    by_id = when("message.tool_call_id and call.id == message.tool_call_id", put("ns.by_id", function))
    found = put("ns.by_place", "''") + put("ns.by_id", "''") + loop("call", "ns.called", by_place + by_id)
    return found + put("ns.call_name", "message.name or ns.by_id or ns.by_place")
