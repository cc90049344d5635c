"""What a template prints in a plain turn: one with no tools, skills or tool calls.

A template that asks for them by `{{#if toolCalls}}…{{else}}…{{/if}}` is literals and variables once they are known to
be empty, so it may take the hot path like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from formats.handlebars import Template, Var
from formats.handlebars.parser import ParseBudget, parse
from formats.handlebars.tree import Block, Comment, Mustache, Path, Program, Text
from formats.prompt.helpers import FORMAT_HELPERS

# Variables that hold nothing in a plain turn.
EMPTY_IN_PLAIN: Final = frozenset({"tools", "skills", "toolCalls", "reasoning", "hasTools", "hasSkills", "hasMedia"})


class _NotPlain(Exception):
    """The template needs the engine."""


def plain_parts(template: Template, empty: frozenset[str] = EMPTY_IN_PLAIN) -> list[str | Var] | None:
    """Literals and variables in order; None when it takes more than that. `empty` variables hold nothing."""
    parts = template.folded
    if parts is None:
        if not template.roots & empty:
            return None
        try:
            parts = tuple(_parts(parse(template.source, template.name, ParseBudget()), empty))
        except _NotPlain:
            return None
    return [part for part in parts if isinstance(part, str) or part.name not in empty]


def _parts(program: Program | None, empty: frozenset[str]) -> Iterator[str | Var]:
    for statement in program.body if program is not None else ():
        if isinstance(statement, Text):
            yield statement.value
        elif isinstance(statement, Mustache):
            yield Var(_variable(statement))
        elif isinstance(statement, Block):
            yield from _parts(_branch(statement, empty), empty)
        elif not isinstance(statement, Comment):
            raise _NotPlain


def _variable(mustache: Mustache) -> str:
    call = mustache.call
    name = _name(call.callee)
    if name is None or call.operands or call.keywords or FORMAT_HELPERS.get(name) is not None:
        raise _NotPlain
    return name


def _branch(block: Block, empty: frozenset[str]) -> Program | None:
    """The side of an `if` or `unless` that a plain turn takes."""
    helper, operands = _name(block.call.callee), block.call.operands
    if helper not in ("if", "unless") or block.call.keywords or len(operands) != 1:
        raise _NotPlain
    if _name(operands[0]) not in empty:
        raise _NotPlain
    return block.inverse if helper == "if" else block.program


def _name(expression: object) -> str | None:
    """The name, when the expression is one plain root variable."""
    is_name = isinstance(expression, Path) and not expression.is_data and expression.depth == 0
    return expression.simple_name if is_name and isinstance(expression, Path) else None
