"""Tools and skills as text, once, before the turns are printed (formats.prompt.tools, formats.prompt.skills)."""

from __future__ import annotations

from formats.interchange.jinja_out import scopes
from formats.interchange.jinja_out.arguments import NORMAL, pairs
from formats.interchange.jinja_out.source import capture, loop, put, quoted, when
from formats.interchange.jinja_out.typescript import TYPESCRIPT
from formats.interchange.jinja_out.writing import Writing
from formats.interchange.reading import Loss

_DEFINITION = ("definition", "function", "name", "description", "parameters")


def lists(writing: Writing) -> str:
    """Return what fills `ns.tools_text`, `ns.catalogue` and `ns.skills_text`; each empty without its list."""
    return _tools(writing) + _skills(writing)


def _tools(writing: Writing) -> str:
    spec = writing.compiled.tools
    places = [writing.compiled.has_system_slot("tools") if spec.placement == "system" else True]
    if not any(places):
        writing.losses.append(Loss("tools", "the format has no place for tools"))
        return ""
    body = put("written", _written(writing)) + _places("tools.item", writing)
    if writing.uses("tools.item", *_DEFINITION):
        body += put("function", "tool.function if tool is mapping and tool.function is mapping else tool")
    body += capture("item", writing.template("tools.item", scopes.TOOLS_ITEM))
    body += put("ns.listed", f"item if loop.first else ns.listed ~ {quoted(spec.joiner)} ~ item")
    over = "[tools]" if spec.as_list else "tools"
    filled = put("ns.listed", "''") + loop("tool", over, body) + put("ns.catalogue", "ns.listed")
    section = capture("section", writing.template("tools.section", scopes.TOOLS_SECTION))
    return when("ns.has_tools", filled + section + put("ns.tools_text", "section"))


def _written(writing: Writing) -> str:
    spec = writing.compiled.tools
    options = ""
    if spec.format == "typescript":
        return f"tool if tool is string else {TYPESCRIPT}(tool)"
    if spec.format == "yaml":
        writing.losses.append(Loss("tools.format", "Jinja writes no YAML: tools are JSON there"))
    elif spec.format in ("json_compact", "json_minified"):
        options = "separators=(',', ':'), sort_keys=true"
    elif spec.format == "json_indented" or spec.indent is not None:
        options = f"indent={4 if spec.indent is None else spec.indent}"
    return (
        f"tool if tool is string else tool|tojson({options})" if options else "tool if tool is string else tool|tojson"
    )


def _places(path: str, writing: Writing) -> str:
    names = {"first": "loop.first", "last": "loop.last", "index": "loop.index0"}
    return "".join(put(f"at_{name}", code) for name, code in names.items() if writing.uses(path, name))


def _skills(writing: Writing) -> str:
    if not writing.compiled.has_system_slot("skills"):
        return ""
    body = capture("item", writing.template("skills.item", scopes.SKILLS_ITEM))
    joiner = quoted(writing.compiled.skills.joiner)
    body += put("ns.listed", f"item if loop.first else ns.listed ~ {joiner} ~ item")
    filled = put("ns.listed", "''") + loop("skill", "skills", body)
    section = capture("section", writing.template("skills.section", scopes.SKILLS_SECTION))
    return when("ns.has_skills", filled + section + put("ns.skills_text", "section"))


def calls(writing: Writing) -> str:
    """Return what fills `ns.calls_text` for the calls of `turn`."""
    if not writing.calls:
        return ""
    body = put("function", "call.function or call") + _places("toolCalls.item", writing)
    body += put("given", "function.arguments if function.arguments is defined else ''")
    body += put("arguments", "(given if given is string else given|tojson) or '{}'")
    if writing.uses("toolCalls.item", "number"):
        body += put("number", "ns.calls_before + loop.index0")
    if writing.uses("toolCalls.item", "toolCall", "args"):
        body += put("is_object", "given is string and (given|trim)[:1] == '{'")
    if writing.uses("toolCalls.item", "toolCall"):
        name = "(function.name or '')|tojson"
        as_text = f"{NORMAL}(given) if is_object else '{{}}' if given is string and given|trim == '' else given|tojson"
        body += put("whole", f"'{{\"name\": ' ~ {name} ~ ', \"arguments\": ' ~ ({as_text}) ~ '}}'")
    if writing.uses("toolCalls.item", "args"):
        body += pairs()
    body += capture("item", writing.template("toolCalls.item", scopes.CALLS_ITEM))
    joiner = quoted(writing.compiled.tool_calls.joiner)
    body += put("ns.listed", f"item if loop.first else ns.listed ~ {joiner} ~ item")
    filled = put("ns.listed", "''") + loop("call", "turn.calls", body)
    section = capture("section", writing.template("toolCalls.section", scopes.CALLS_SECTION))
    filled += section + put("ns.calls_text", "section")
    return put("ns.calls_text", "''") + when("turn.calls", filled)
