"""What a context template is tried on, and what it must not lose: the chat's messages, the seed, the reminder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from formats.context.context_template import ContextTemplate
from formats.context.role_blocks import PATH, CompiledContext, ContextRender
from formats.context.variables import DIRECTIVES, FACTS, SEED_ID
from formats.handlebars import TemplateError
from formats.lint.engine import Report
from formats.prompt import Finding

_TURNS: Final = ("user", "assistant", "user", "assistant", "user")
_REMINDERS: Final = ("instructions", "charInstructions", "exampleDialogue")
_PROSE: Final = frozenset(DIRECTIVES) - {"currentDate"}


def context_checks(document: ContextTemplate) -> Report:
    """Return the findings of a template that compiles: red when it can not render, or loses what the chat says."""
    compiled = CompiledContext(document)
    findings = [*compiled.findings, *_unused(compiled)]
    try:
        findings += _of_full(compiled.render(_context(at=2)))
        compiled.render({"chatMessages": _entries(0), "postHistory": {"targetIndex": 0, "hasContent": False}})
    except TemplateError as error:
        findings.append(Finding("error", "CONTEXT_NOT_RENDERED", error.message, PATH, error.line, error.column))
    is_red = any(finding.severity == "error" for finding in findings)
    return Report("red" if is_red else "green", sorted(findings, key=lambda finding: finding.severity != "error"))


def _unused(compiled: CompiledContext) -> Iterator[Finding]:
    for name in (*FACTS, *DIRECTIVES):
        if name not in compiled.roots:
            text = f"{{{{{{{name}}}}}}} is nowhere: what it holds never reaches the model."
            severity: Any = "warning" if name in _PROSE else "info"
            yield Finding(severity, "VARIABLE_NOT_USED", text, PATH)


def _of_full(rendered: ContextRender) -> Iterator[Finding]:
    yield from rendered.findings
    whole = "\n".join(block.text for block in rendered.blocks)
    for role in ("user", "assistant"):
        count = whole.count(f"[{role} ")
        if count != _TURNS.count(role):
            lost = "are not printed" if count < _TURNS.count(role) else "are printed more than once"
            yield Finding("error", "MESSAGES_LOST", f"Messages of the role {role} {lost}.", PATH)
    yield from _seed(rendered)
    for name in _REMINDERS:
        if (count := whole.count(f"[{name}]")) != 1:
            text = f"postHistory.{name} is printed {count} times: it has to stand once, before the message targetIndex."
            yield Finding("warning", "REMINDER_LOST" if not count else "REMINDER_TWICE", text, PATH)


def _seed(rendered: ContextRender) -> Iterator[Finding]:
    open_at = [at for at, block in enumerate(rendered.blocks) if block.is_open]
    if not open_at:
        text = "The last entry of chatMessages opens no assistantBlock: the reply does not begin with the speaker."
        yield Finding("warning", "SEED_MISSING", text, PATH)
    elif open_at[-1] != len(rendered.blocks) - 1:
        text = "A block stands after the last entry of chatMessages: the reply can not go on from it. Put it before."
        yield Finding("warning", "SEED_NOT_LAST", text, PATH)


def _context(*, at: int) -> Mapping[str, Any]:
    reminders = {name: f"[{name}]" for name in _REMINDERS}
    return {
        **{name: f'{{"{name}": "[{name}]"}}' for name in FACTS},
        **{name: f"[{name} text]" for name in DIRECTIVES},
        **dict.fromkeys(("char", "character", "characterNames"), "Ann"),
        **dict.fromkeys(("user", "persona", "personaNames"), "Ben"),
        "chatMessages": _entries(len(_TURNS)),
        "postHistory": {"targetIndex": at, "hasContent": True, **reminders},
    }


def _entries(count: int) -> list[Any]:
    turns = [
        {"id": str(at), "role": role, "name": "Ann", "message": f"[{role} {at}]", "isSeed": False}
        for at, role in enumerate(_TURNS[:count])
    ]
    return [*turns, {"id": SEED_ID, "role": "assistant", "name": "Ann", "message": "", "isSeed": True}]
