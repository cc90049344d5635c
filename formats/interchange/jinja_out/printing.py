"""The turns in their frames, what stands between them, and the generation prompt (formats.prompt.plan)."""

from __future__ import annotations

from formats.interchange.jinja_out import scopes
from formats.interchange.jinja_out.listing import calls
from formats.interchange.jinja_out.source import choose, loop, prints, prints_text, put, when
from formats.interchange.jinja_out.writing import ROLES, Writing

_FACTS = {
    "first": ("turn_first", "loop.first"),
    "last": ("turn_last", "loop.last"),
    "index": ("turn_index", "loop.index0 - ns.led"),
    "previous": ("turn_before", "'' if loop.first else loop.previtem.role"),
    "next": ("turn_after", "'' if loop.last else loop.nextitem.role"),
    "afterLastUser": ("turn_behind", "loop.index0 > ns.last_user"),
    "answered": ("turn_answered", "loop.index0 <= ns.last_answer"),
}


def print_turns(writing: Writing) -> str:
    """Return what prints the whole prompt from `ns.turns`."""
    fmt = writing.format
    start = prints_text(fmt.prefix + fmt.bos)
    return start + _places(writing) + loop("turn", "ns.turns", _turn(writing)) + _ending(writing)


def _places(writing: Writing) -> str:
    """Where the first and last turns of each role stand."""
    wanted = writing.variants or writing.asked & {"afterLastUser", "answered", "index"}
    if not wanted and writing.compiled.tools.placement not in ("first_user", "last_user"):
        return ""
    out = "".join(put(f"ns.{end}_{role}", "-1") for role in ("user", "assistant") for end in ("first", "last"))
    body = ""
    for role in ("user", "assistant"):
        seen = when(f"ns.first_{role} < 0", put(f"ns.first_{role}", "loop.index0")) + put(
            f"ns.last_{role}", "loop.index0"
        )
        body += when(f"turn.role == '{role}'", seen)
    if "answered" in writing.asked:
        out += put("ns.last_answer", "-1")
        body += when("turn.role == 'assistant' and not turn.calls", put("ns.last_answer", "loop.index0"))
    out += loop("turn", "ns.turns", body)
    if "index" in writing.asked:
        out += put("ns.led", "1 if ns.turns and ns.turns[0].role == 'system' else 0")
    return out


def _turn(writing: Writing) -> str:
    fmt, spec = writing.format, writing.compiled.tools
    out = when("not loop.first", prints_text(fmt.separator))
    out += "".join(put(name, code) for fact, (name, code) in _FACTS.items() if fact in writing.asked)
    out += put("at", "loop.index0") + put("is_end", "loop.last")
    out += put("ns.turn_tools", "turn.tools or ''") if "tools" in writing.asked else ""
    out += put("ns.turn_skills", "turn.skills or ''") if "skills" in writing.asked else ""
    branches = []
    if spec.placement in ("first_user", "last_user"):
        place = "ns.first_user" if spec.placement == "first_user" else "ns.last_user"
        here = f"ns.has_tools and at == {place}"
        if writing.uses("system", "tools"):
            out += when(f"{place} < 0 and at == 0 and turn.role == 'system'", put("ns.turn_tools", "ns.tools_text"))
        if spec.user_with is not None:
            branches.append(
                (here, put("ns.turn_tools", "ns.catalogue") + writing.template("tools.userWith", scopes.TURN))
            )
        else:
            out += when(here, put("ns.turn_tools", "ns.tools_text"))
    return out + choose([*branches, *_frames(writing)]) + _eos(writing)


def _frames(writing: Writing) -> list[tuple[str, str]]:
    frames = []
    if "variants.lastAssistantClosed" in writing.variants:
        condition = "turn.role == 'assistant' and is_end"
        frames.append((condition, _assistant(writing, "variants.lastAssistantClosed")))
    for end in ("last", "first"):
        for role in ("user", "assistant"):
            path = f"variants.{end}{role.capitalize()}"
            if path in writing.variants:
                body = _assistant(writing, path) if role == "assistant" else writing.template(path, scopes.TURN)
                frames.append((f"at == ns.{end}_{role}", body))
    for role in ROLES:
        body = _assistant(writing, role) if role == "assistant" else writing.template(role, scopes.TURN)
        frames.append((f"turn.role == '{role}'", body))
    return frames


def _assistant(writing: Writing, path: str) -> str:
    lists = calls(writing) if writing.uses(path, "toolCalls") else ""
    count = put("ns.calls_before", "ns.calls_before + turn.calls|length") if "ns.calls_before" in lists else ""
    return lists + writing.template(path, scopes.TURN) + count


def _eos(writing: Writing) -> str:
    return when("turn.role == 'assistant'", prints_text(writing.format.eos))


def _ending(writing: Writing) -> str:
    fmt = writing.format
    suffix = _suffix(writing)
    speaker = when("ns.speaker", prints("ns.speaker ~ ':'")) if fmt.names == "prefix" else ""
    gap = when("ns.turns", prints_text(fmt.separator)) if suffix or speaker else ""
    return when("ns.generate", gap + suffix + speaker, prints_text(writing.compiled.closing))


def _suffix(writing: Writing) -> str:
    """The generation prompt: its variant for the last turn's role and for thinking, the most special first."""
    variants = writing.format.prompt_suffix_variants
    thoughts = {"ThinkingOn": "ns.thinking is true", "ThinkingOff": "ns.thinking is false"}
    branches = []
    for role in ROLES:
        here = f"ns.turns and (ns.turns|last).role == '{role}'"
        after = f"after{role.capitalize()}"
        for thought, condition in thoughts.items():
            if f"{after}{thought}" in variants:
                branches.append((f"{here} and {condition}", prints_text(variants[f"{after}{thought}"])))
        if after in variants:
            branches.append((here, prints_text(variants[after])))
    if "after" in variants:
        branches.append(("not ns.turns", prints_text(variants["after"])))
    for thought, condition in thoughts.items():
        key = thought[0].lower() + thought[1:]
        if key in variants:
            branches.append((condition, prints_text(variants[key])))
    return choose(branches, prints_text(writing.format.prompt_suffix))
