"""The inline partials of a tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from formats.handlebars.tree import Block, Call, Inline, Partial, Program


def inline_names(programs: Iterable[Program]) -> frozenset[str] | None:
    """The names of all inline partials; None when a name is computed while rendering."""
    names = set()
    for inline in _inlines(list(programs)):
        if isinstance(inline.name, Call) or not hasattr(inline.name, "value"):
            return None
        names.add(inline.name.original)
    return frozenset(names)


def _inlines(programs: list[Program]) -> Iterator[Inline]:
    while programs:
        for statement in programs.pop().body:
            if isinstance(statement, Inline):
                yield statement
            if isinstance(statement, Inline | Partial):
                inside = [statement.program]
            else:
                inside = [statement.program, statement.inverse] if isinstance(statement, Block) else []
            programs.extend(program for program in inside if program is not None)
