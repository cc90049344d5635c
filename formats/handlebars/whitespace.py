"""Whitespace control on the tree: `~`, tags that stand alone on their line, and the indent of such partials.

The order of the steps is that of Handlebars.js 4.7, because each step sees what the ones before it have trimmed. Only
`str.strip` and `find` touch the text, so a run of blanks of any length costs linear time.
"""

from __future__ import annotations

from typing import NamedTuple

from formats.handlebars.tree import Block, Comment, Inline, Mustache, Partial, Program, Statement, Strip, Text
from formats.handlebars.values import WHITE_SPACE

_BLANKS = " \t"


class _Edges(NamedTuple):
    """What a tag does to the text around it."""

    strip: Strip
    opens_alone: bool = False
    closes_alone: bool = False
    is_inline: bool = False


def trim_whitespace(program: Program, *, keep_standalone: bool = False) -> None:
    """Trim the texts of the tree in place. `keep_standalone` leaves lines that hold only a tag."""
    _Trimmer(keep_standalone).program(program, is_root=True)


class _Trimmer:
    def __init__(self, keep_standalone: bool) -> None:
        self.trims_lines = not keep_standalone

    def program(self, program: Program, is_root: bool = False) -> None:
        body = program.body
        for index, statement in enumerate(body):
            edges = self._edges(statement)
            if edges is None:
                continue
            before = _blank_before(body, index, is_root)
            after = _blank_after(body, index, is_root)
            if edges.strip.right:
                _trim_after(body, index, whole=True)
            if edges.strip.left:
                _trim_before(body, index, whole=True)
            if self.trims_lines:
                self._trim_lines(body, index, edges, before, after)

    def _trim_lines(self, body: list[Statement], index: int, edges: _Edges, before: bool, after: bool) -> None:
        statement = body[index]
        if edges.is_inline and before and after:
            _trim_after(body, index)
            if _trim_before(body, index) and isinstance(statement, Partial) and statement.program is None:
                statement.indent = _indent_of(body[index - 1])
        if edges.opens_alone and before:
            _trim_after(_first_program(statement).body, -1)
            _trim_before(body, index)
        if edges.closes_alone and after:
            _trim_after(body, index)
            last = _last_program(statement).body
            _trim_before(last, len(last))

    def _edges(self, statement: Statement) -> _Edges | None:
        if isinstance(statement, Text):
            return None
        if isinstance(statement, Mustache):
            return _Edges(statement.strip)
        if isinstance(statement, Comment) or (isinstance(statement, Partial) and statement.program is None):
            return _Edges(statement.strip, is_inline=True)
        return self._block_edges(statement)

    def _block_edges(self, statement: Block | Inline | Partial) -> _Edges:
        programs = _programs(statement)
        for program in programs:
            self.program(program)
        main, inverse = programs[0], programs[1] if len(programs) > 1 else None
        open_strip = statement.strip if isinstance(statement, Partial) else statement.open_strip
        close_strip = statement.close_strip
        first = _first_of_chain(inverse) if inverse else main
        last = _last_of_chain(inverse) if inverse else main
        edges = _Edges(
            Strip(open_strip.left, close_strip.right),
            opens_alone=_blank_after(main.body, -1, False),
            closes_alone=_blank_before(first.body, len(first.body), False),
        )
        if open_strip.right:
            _trim_after(main.body, -1, whole=True)
        if inverse is not None and isinstance(statement, Block):
            self._trim_around_else(statement.inverse_strip, main, first)
        if close_strip.left:
            _trim_before(last.body, len(last.body), whole=True)
        if inverse is not None:
            self._trim_else_line(main, first)
        return edges

    def _trim_around_else(self, strip: Strip, main: Program, first: Program) -> None:
        if strip.left:
            _trim_before(main.body, len(main.body), whole=True)
        if strip.right:
            _trim_after(first.body, -1, whole=True)

    def _trim_else_line(self, main: Program, first: Program) -> None:
        stands_alone = _blank_before(main.body, len(main.body), False) and _blank_after(first.body, -1, False)
        if self.trims_lines and stands_alone:
            _trim_before(main.body, len(main.body))
            _trim_after(first.body, -1)


def _programs(statement: Block | Inline | Partial) -> list[Program]:
    """The programs of a block, main one first; an inverted block's only program is its inverse."""
    if isinstance(statement, Block):
        return [program for program in (statement.program, statement.inverse) if program is not None]
    return [] if statement.program is None else [statement.program]


def _first_program(statement: Statement) -> Program:
    return _programs(statement)[0]  # type: ignore[arg-type]


def _last_program(statement: Statement) -> Program:
    return _programs(statement)[-1]  # type: ignore[arg-type]


def _first_of_chain(inverse: Program) -> Program:
    link = inverse.body[0] if inverse.is_chained else None
    return link.program if isinstance(link, Block) and link.program is not None else inverse


def _last_of_chain(inverse: Program) -> Program:
    while inverse.is_chained and isinstance(link := inverse.body[-1], Block) and link.program is not None:
        inverse = link.program
    return inverse


def _blank_before(body: list[Statement], index: int, is_root: bool) -> bool:
    """True when only blanks stand between the tag at `index` and the start of its line."""
    if index < 1:
        return is_root
    previous = body[index - 1]
    if not isinstance(previous, Text):
        return False
    kept = previous.original.rstrip(WHITE_SPACE)
    return "\n" in previous.original[len(kept) :] or (is_root and index == 1 and not kept)


def _blank_after(body: list[Statement], index: int, is_root: bool) -> bool:
    """True when only blanks stand between the tag at `index` and the end of its line."""
    if index + 1 >= len(body):
        return is_root
    following = body[index + 1]
    if not isinstance(following, Text):
        return False
    kept = following.original.lstrip(WHITE_SPACE)
    blanks = following.original[: len(following.original) - len(kept)]
    return "\n" in blanks or (is_root and index + 2 >= len(body) and not kept)


def _trim_after(body: list[Statement], index: int, *, whole: bool = False) -> None:
    """Trim the text after `index`: all white space, or the blanks up to and with the end of the line."""
    text = body[index + 1] if index + 1 < len(body) else None
    if not isinstance(text, Text) or (text.right_trimmed and not whole):
        return
    before = text.value
    text.value = before.lstrip(WHITE_SPACE) if whole else _without_line_end(before)
    text.right_trimmed = text.value != before


def _without_line_end(text: str) -> str:
    text = text.lstrip(_BLANKS)
    return text[2:] if text.startswith("\r\n") else text[1:] if text.startswith("\n") else text


def _trim_before(body: list[Statement], index: int, *, whole: bool = False) -> bool:
    """Trim the text before `index`: all white space, or the blanks since the start of the line; True if it changed."""
    text = body[index - 1] if index > 0 else None
    if not isinstance(text, Text) or (text.left_trimmed and not whole):
        return False
    before = text.value
    text.value = before.rstrip(WHITE_SPACE if whole else _BLANKS)
    text.left_trimmed = text.value != before
    return text.left_trimmed


def _indent_of(statement: Statement) -> str:
    text = statement.original if isinstance(statement, Text) else ""
    return text[len(text.rstrip(_BLANKS)) :]
