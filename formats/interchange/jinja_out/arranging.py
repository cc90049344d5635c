"""The system text in its place, strict alternation, tools between the turns (as formats.prompt.plan arranges them)."""

from __future__ import annotations

from formats.interchange.jinja_out.source import choose, loop, put, quoted, refuse, when
from formats.interchange.jinja_out.turns import wrap
from formats.interchange.jinja_out.writing import Writing


def arrange(writing: Writing) -> str:
    """Return what puts `ns.turns` in order."""
    return _opened(writing) + _first(writing) + _alternate(writing) + _fold(writing) + _separate(writing)


def _opened(writing: Writing) -> str:
    """A system turn that the format opens itself: with its default text, or for tools, skills or a date."""
    fmt = writing.format
    default = fmt.default_system or ""
    if fmt.trim.system:
        default = default.strip()
    opens = put("ns.system", quoted(default)) + put("ns.leads", "true")
    if fmt.default_system is not None or has_header(writing):
        return when("not ns.leads", opens)
    wanted = " or ".join(_slots(writing))
    return when(f"not ns.leads and ({wanted})", opens) if wanted else ""


def has_header(writing: Writing) -> bool:
    """Return whether the format writes a date before the system text."""
    return any(one.name == "date_header" for one in writing.format.processors)


def _slots(writing: Writing) -> list[str]:
    """The texts that stand in the system turn."""
    slots = []
    if writing.compiled.tools.placement == "system" and writing.compiled.has_system_slot("tools"):
        slots.append("ns.tools_text")
    if writing.compiled.has_system_slot("skills"):
        slots.append("ns.skills_text")
    return slots


def _first(writing: Writing) -> str:
    fmt = writing.format
    header = put("ns.system", "ns.date_header ~ ns.system") if has_header(writing) else ""
    slots = _slots(writing)
    everything = put("ns.text", " ~ ".join(["ns.system", *slots]))
    if fmt.system_policy.first == "block":
        more = "".join(f", '{name[3:].removesuffix('_text')}': {name}" for name in slots)
        turn = writing.turn("'system'", "ns.system", given="ns.system_given", name="ns.system_name", more=more)
        body = put("ns.turns", f"[{turn}] + ns.turns")
    elif fmt.system_policy.first == "as_user":
        turn = writing.turn("'user'", "ns.text", given="ns.system_given")
        body = everything + wrap(writing) + put("ns.turns", f"[{turn}] + ns.turns")
    elif fmt.system_policy.first in ("fold_first_user", "fold_last_user"):
        body = everything + wrap(writing) + put("ns.folded", "ns.text") + put("ns.folds", "true")
    elif fmt.system_policy.first == "error":
        body = refuse("the format takes no system message")
    else:
        return ""
    return when("ns.leads", header + body)


def _alternate(writing: Writing) -> str:
    fmt = writing.format
    if fmt.alternation == "none":
        return ""
    merged = "ns.held.content ~ " + quoted(fmt.merge_separator) + " ~ turn.content"
    more = ", 'calls': ns.held.calls + turn.calls" if writing.calls else ""
    if writing.thinks:
        more += ", 'reasoning': ns.held.reasoning"
    name = "ns.held.name" if writing.named else "''"
    joined = put("ns.held", writing.turn("turn.role", merged, given="ns.held.given", name=name, more=more))
    flush = when("ns.held", put("ns.arranged", "ns.arranged + [ns.held]"))
    keep = flush + put("ns.held", "turn")
    branches = [("same", joined)]
    awkward = "turn.role == 'assistant' and (same or opens)"
    if fmt.alternation == "error":
        branches = [("same or opens", refuse("the format takes strictly alternating turns, the user's first"))]
    elif fmt.alternation == "filler":
        filler = writing.turn("'user'", quoted(fmt.filler_user), given="false")
        branches = [
            (awkward, flush + put("ns.arranged", f"ns.arranged + [{filler}]") + put("ns.held", "turn")),
            *branches,
        ]
    body = put("same", "ns.held and ns.held.role == turn.role and turn.role in ['user', 'assistant']")
    body += put("opens", "turn.role == 'assistant' and (not ns.held or ns.held.role == 'system')")
    body += choose(branches, keep)
    start = put("ns.arranged", "[]") + put("ns.held", "none")
    return start + loop("turn", "ns.turns", body) + flush + put("ns.turns", "ns.arranged")


def _fold(writing: Writing) -> str:
    """The system text at the top of the first or the last user turn; a chat without one gets it."""
    fmt = writing.format
    if fmt.system_policy.first not in ("fold_first_user", "fold_last_user"):
        return ""
    is_first = fmt.system_policy.first == "fold_first_user"
    test = "turn.role == 'user'" + (" and ns.fold_at < 0" if is_first else "")
    find = put("ns.fold_at", "-1") + loop("turn", "ns.turns", when(test, put("ns.fold_at", "loop.index0")))
    content = "ns.folded ~ " + quoted(fmt.merge_separator) + " ~ turn.content"
    name = "turn.name" if writing.named else "''"
    folded = writing.turn("'user'", content, given="turn.given", name=name)
    rebuilt = put("ns.arranged", "[]") + loop(
        "turn",
        "ns.turns",
        when(
            "loop.index0 == ns.fold_at",
            put("ns.arranged", f"ns.arranged + [{folded}]"),
            put("ns.arranged", "ns.arranged + [turn]"),
        ),
    )
    alone = put("ns.turns", f"[{writing.turn(quoted('user'), 'ns.folded', given='ns.system_given')}] + ns.turns")
    body = find + when("ns.fold_at < 0", alone, rebuilt + put("ns.turns", "ns.arranged"))
    return when("ns.folds" if fmt.system_policy.keep_empty else "ns.folded", body)


def _separate(writing: Writing) -> str:
    """Tools in a system turn of their own, behind the first one."""
    if writing.compiled.tools.placement != "separate":
        return ""
    turn = writing.turn("'system'", "ns.tools_text", given="false")
    leads = "ns.turns and ns.turns[0].role == 'system'"
    insert = when(
        leads,
        put("ns.turns", f"ns.turns[:1] + [{turn}] + ns.turns[1:]"),
        put("ns.turns", f"[{turn}] + ns.turns"),
    )
    return when("ns.tools_text", insert)
