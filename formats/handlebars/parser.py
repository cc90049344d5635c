"""From source to tree: finds the tags, has the grammar read each, and keeps the open blocks on a stack of its own.

Blocks are not a rule of the grammar: an explicit stack bounds the depth of Python's, so a template can not exhaust it
however deeply it nests, and the block that is never closed is at hand when the source ends.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from pymeta.runtime import ParseError

from formats.handlebars import limits
from formats.handlebars.errors import Place, TemplateError, TemplateLimitError, TemplateSyntaxError
from formats.handlebars.grammar import grammar_class
from formats.handlebars.nodes import Refused, make_call, split_arguments
from formats.handlebars.terminals import NAME
from formats.handlebars.tree import (
    Block,
    Call,
    Comment,
    Expression,
    Inline,
    Literal,
    Mustache,
    Partial,
    Program,
    Statement,
    Strip,
    Text,
)
from formats.handlebars.values import WHITE_SPACE
from formats.handlebars.whitespace import trim_whitespace

_OPENER: Final = re.compile(
    rf"\{{\{{\{{\{{(?P<raw>(?!/))|\{{\{{~?(?:(?P<sigil>!--|!|\#>|\#\*|\#|/|>|&|\*|\{{)"
    rf"|(?P<otherwise>(?:\^|[{WHITE_SPACE}]*else)[{WHITE_SPACE}]*~?\}}\}})"
    rf"|(?P<inverted>\^)|[{WHITE_SPACE}]*(?P<chain>else(?![A-Za-z0-9_])))?"
)
_COMMENT_END: Final = re.compile(r"~?\}\}")
_DASHED_COMMENT_END: Final = re.compile(r"--~?\}\}")
_AFTER_ESCAPE: Final = re.compile(r"\{\{|\\\{\{|\\\\\{\{")


@dataclass(slots=True)
class ParseBudget:
    """What the templates compiled together have used up of the limits."""

    characters: int = 0
    tags: int = 0
    terms: int = 0


@dataclass(slots=True)
class _Link:
    """The head of a block or of one `{{else if}}`, with the statements after it."""

    call: Call
    params: tuple[str, ...]
    strip: Strip
    start: int
    body: list[Statement] = field(default_factory=list)


@dataclass(slots=True)
class _Inverse:
    """What an `{{else}}` starts: its strip flags and program, which for an `{{else if}}` holds one block, the link."""

    strip: Strip
    program: Program
    link: Block | None = None


@dataclass(slots=True)
class _Open:
    """A block that waits for its end: `links` are its head and its `{{else if}}`s."""

    sigil: str
    name: str
    start: int
    links: list[_Link]
    partial: Partial | None = None
    final: _Link | None = None

    @property
    def body(self) -> list[Statement]:
        return (self.final or self.links[-1]).body


def parse(source: str, name: str, budget: ParseBudget | None = None, *, keep_standalone: bool = False) -> Program:
    """The trimmed tree of `source`; raises TemplateSyntaxError or TemplateLimitError with the place."""
    program = _Parser(source, name, budget or ParseBudget()).parse()
    trim_whitespace(program, keep_standalone=keep_standalone)
    return program


class _Parser:
    def __init__(self, source: str, name: str, budget: ParseBudget) -> None:
        self.source, self.name, self.budget = source, name, budget
        self.grammar = grammar_class()(source)
        self.root: list[Statement] = []
        self.open: list[_Open] = []

    def parse(self) -> Program:
        self._spend_source()
        position = 0
        try:
            while position < len(self.source):
                position = self._text(position)
                if position < len(self.source):
                    position = self._tag(position)
        except Refused as refusal:
            self._fail(refusal.message, refusal.offset, TemplateLimitError if refusal.is_limit else TemplateSyntaxError)
        except RecursionError:
            self._fail("the template is nested too deeply", position, TemplateLimitError)
        if self.open:
            top = self.open[-1]
            self._fail(f"block {{{{{top.sigil}{top.name}}}}} is never closed", top.start)
        return Program(self.root)

    def _spend_source(self) -> None:
        self.budget.characters += len(self.source)
        if self.budget.characters > limits.SOURCE_CHARACTERS:
            text = f"a template may have at most {limits.SOURCE_CHARACTERS:,} characters, its partials included"
            self._fail(text, 0, TemplateLimitError)
        self.grammar.terms = self.budget.terms

    def _fail(self, message: str, offset: int, kind: type[TemplateError] = TemplateSyntaxError) -> NoReturn:
        raise kind(message, Place(self.source, self.name, offset)) from None

    @property
    def _body(self) -> list[Statement]:
        return self.open[-1].body if self.open else self.root

    # -- text

    def _text(self, position: int) -> int:
        """Take the text from `position` to the next tag, `\\{{` escapes included; return where the tag is."""
        source = self.source
        while position < len(source):
            tag = source.find("{{", position)
            if tag < 0:
                self._add_text(source[position:])
                return len(source)
            text = source[position:tag]
            if text.endswith("\\\\") or not text.endswith("\\"):
                self._add_text(text[:-1] if text.endswith("\\\\") else text)
                return tag
            self._add_text(text[:-1])
            position = self._escaped_text(tag)
            if source.startswith("{{", position):
                return position
        return position

    def _escaped_text(self, tag: int) -> int:
        """Take the tag at `tag` as text, up to the next tag or escape."""
        following = _AFTER_ESCAPE.search(self.source, tag + 2)
        end = following.start() if following else len(self.source)
        self._add_text(self.source[tag:end])
        return end

    def _add_text(self, text: str) -> None:
        if text:
            self._body.append(Text(text, text))

    # -- tags

    def _tag(self, start: int) -> int:
        """Take the tag at `start`; return where it ends."""
        self.budget.tags += 1
        if self.budget.tags > limits.TAGS:
            text = f"a template may have at most {limits.TAGS:,} tags, its partials included"
            self._fail(text, start, TemplateLimitError)
        opener = _OPENER.match(self.source, start)
        if opener is None or opener["raw"] is not None:
            return self._raw_block(start, start + 4)
        if opener["otherwise"] is not None:
            return self._else(start, opener.end())
        sigil = "else" if opener["chain"] else "^" if opener["inverted"] else opener["sigil"] or ""
        return self._HANDLERS[sigil](self, start, opener.end())

    def _read(self, rule: str, start: int, position: int) -> Any:
        """Apply a rule of the grammar at `position`; a failure is told from its furthest place."""
        grammar = self.grammar
        grammar.go(position)
        grammar.furthest, grammar.expected = position, []
        try:
            value, _ = grammar.apply(rule)
        except ParseError:
            self._unexpected(start)
        finally:
            self.budget.terms = grammar.terms
        return value

    def _unexpected(self, start: int) -> NoReturn:
        grammar, source = self.grammar, self.source
        expected = [label for label in grammar.expected if label not in {"a space", "key="}] or ["a name"]
        wanted = " or ".join(sorted(set(expected)))
        if grammar.furthest >= len(source):
            self._fail(f"the tag is never closed: unexpected end of template, expected {wanted}", start)
        word = NAME.match(source, grammar.furthest)
        found = word.group()[:40] if word else source[grammar.furthest]
        self._fail(f"unexpected {found!r}, expected {wanted}", grammar.furthest)

    @property
    def _end(self) -> int:
        return int(self.grammar.input.position)

    def _strip(self, start: int, *, close: str = "}}") -> Strip:
        before_close = self._end - len(close) - 1
        left, right = start + 2, before_close if close == "}}" else before_close + 1
        return Strip(self.source.startswith("~", left), self.source.startswith("~", right))

    def _mustache(self, start: int, position: int) -> int:
        callee, arguments = self._read("expression_inner", start, position)
        call = make_call(callee, arguments, callee.start)
        is_escaped = not self.source.startswith("&", position - 1)
        self._body.append(Mustache(call, is_escaped, self._strip(start), start))
        return self._end

    def _unescaped(self, start: int, position: int) -> int:
        callee, arguments = self._read("unescaped_inner", start, position)
        call = make_call(callee, arguments, callee.start)
        self._body.append(Mustache(call, False, self._strip(start, close="}}}"), start))
        return self._end

    def _decorator(self, start: int, position: int) -> NoReturn:
        self._read("expression_inner", start, position)
        self._fail("decorators are not supported", start)

    def _comment(self, start: int, position: int) -> int:
        return self._finish_comment(start, position, _COMMENT_END)

    def _dashed_comment(self, start: int, position: int) -> int:
        return self._finish_comment(start, position - 2, _DASHED_COMMENT_END)

    def _finish_comment(self, start: int, position: int, pattern: re.Pattern[str]) -> int:
        end = pattern.search(self.source, position)
        if end is None:
            closing = "--}}" if pattern is _DASHED_COMMENT_END else "}}"
            self._fail(f"comment is never closed, expected '{closing}'", start)
        strip = Strip(self.source.startswith("~", start + 2), "~" in end.group())
        self._body.append(Comment(strip))
        return end.end()

    def _partial(self, start: int, position: int) -> int:
        name, arguments = self._read("partial_inner", start, position)
        operands, keywords = split_arguments(arguments)
        self._body.append(Partial(name, operands, keywords, self._strip(start), start))
        return self._end

    # -- blocks

    def _push(self, opened: _Open) -> int:
        if len(self.open) >= limits.BLOCK_DEPTH:
            self._fail(f"blocks may be nested {limits.BLOCK_DEPTH} deep", opened.start, TemplateLimitError)
        self.open.append(opened)
        return self._end

    def _block(self, start: int, position: int) -> int:
        link = self._head(start, position)
        return self._push(_Open("#", _original(link.call.callee), start, [link]))

    def _inverted(self, start: int, position: int) -> int:
        link = self._head(start, position)
        return self._push(_Open("^", _original(link.call.callee), start, [link]))

    def _head(self, start: int, position: int) -> _Link:
        callee, arguments, params = self._read("block_inner", start, position)
        return _Link(make_call(callee, arguments, callee.start), params, self._strip(start), start)

    def _inline(self, start: int, position: int) -> int:
        link = self._head(start, position)
        if _original(link.call.callee) != "inline":
            self._fail("decorators other than inline are not supported", start)
        if len(link.call.operands) != 1 or link.call.keywords or link.params:
            self._fail('inline takes one operand, the name: {{#*inline "name"}}', start)
        return self._push(_Open("#*", "inline", start, [link]))

    def _partial_block(self, start: int, position: int) -> int:
        name, arguments = self._read("partial_inner", start, position)
        operands, keywords = split_arguments(arguments)
        partial = Partial(name, operands, keywords, self._strip(start), start)
        link = _Link(Call(Literal("", "", start), [], {}, start), (), partial.strip, start)
        return self._push(_Open("#>", _original(name), start, [link], partial))

    def _else(self, start: int, end: int) -> int:
        block = self._block_of_else(start, "{{else}}")
        strip = Strip(self.source.startswith("~", start + 2), self.source.startswith("~", end - 3))
        block.final = _Link(block.links[-1].call, (), strip, start)
        return end

    def _chain(self, start: int, position: int) -> int:
        link = self._head(start, position)
        block = self._block_of_else(start, "{{else …}}")
        if block.sigil == "^":
            self._fail("{{else …}} is not allowed in an inverted block, only {{else}}", start)
        if len(block.links) > limits.ELSE_LINKS:
            text = f"a block may have at most {limits.ELSE_LINKS} {{{{else …}}}} links"
            self._fail(text, start, TemplateLimitError)
        block.links.append(link)
        return self._end

    def _block_of_else(self, start: int, tag: str) -> _Open:
        if not self.open:
            self._fail(f"{tag} stands outside of a block", start)
        block = self.open[-1]
        if block.sigil in {"#*", "#>"}:
            self._fail(f"{tag} is not allowed in {{{{{block.sigil}{block.name}}}}}", start)
        if block.final is not None:
            self._fail(f"{tag} comes after the final {{{{else}}}}", start)
        return block

    def _close(self, start: int, position: int) -> int:
        name = _original(self._read("close_inner", start, position))
        if not self.open:
            self._fail(f"{{{{/{name}}}}} closes nothing", start)
        block = self.open.pop()
        if block.name != name:
            line, column = Place(self.source, self.name, block.start).line_and_column()
            self._fail(f"{block.name} doesn't match {name} (opened at line {line}, column {column})", start)
        self._body.append(self._closed(block, self._strip(start)))
        return self._end

    def _closed(self, block: _Open, strip: Strip) -> Statement:
        head = block.links[0]
        if block.partial is not None:
            block.partial.program, block.partial.close_strip = Program(head.body), strip
            return block.partial
        if block.sigil == "#*":
            return Inline(head.call.operands[0], Program(head.body), head.strip, strip, block.start)
        inverse = self._inverse_of(block)
        return _make_block(head, inverse, strip, is_inverted=block.sigil == "^")

    @staticmethod
    def _inverse_of(block: _Open) -> _Inverse | None:
        """The else part, built from the last link to the first: each link is a block in the one before."""
        final = block.final
        inverse = _Inverse(final.strip, Program(final.body)) if final else None
        for link in reversed(block.links[1:]):
            # Handlebars.js closes a link with the strip flags of the part after it.
            inner = _make_block(link, inverse, inverse.strip if inverse else Strip())
            inverse = _Inverse(link.strip, Program([inner], is_chained=True), inner)
        return inverse

    def _raw_block(self, start: int, position: int) -> int:
        callee, arguments = self._read("raw_inner", start, position)
        call = make_call(callee, arguments, callee.start)
        body_start = self._end
        body_end, end = self._raw_end(_original(callee), start, body_start)
        text = self.source[body_start:body_end]
        body: list[Statement] = [Text(text, text)] if text else []
        self._body.append(Block(call, Program(body), None, Strip(), Strip(), Strip(), start))
        return end

    def _raw_end(self, name: str, start: int, position: int) -> tuple[int, int]:
        """Where the raw block's body and its closing tag end; raw blocks inside are counted."""
        depth, source = 0, self.source
        while (position := source.find("{{{{", position)) >= 0:
            closing = NAME.match(source, position + 5) if source.startswith("/", position + 4) else None
            if closing is not None and source.startswith("}}}}", closing.end()):
                if depth == 0:
                    if closing.group() != name:
                        self._fail(f"{name} doesn't match {closing.group()}", position)
                    return position, closing.end() + 4
                depth -= 1
                position = closing.end() + 4
                continue
            depth += not source.startswith("/", position + 4)
            position += 4
        return self._fail(f"raw block {{{{{{{{{name}}}}}}}}} is never closed", start)

    _HANDLERS: Final = {
        "": _mustache,
        "&": _mustache,
        "{": _unescaped,
        "!": _comment,
        "!--": _dashed_comment,
        "*": _decorator,
        ">": _partial,
        "#>": _partial_block,
        "#*": _inline,
        "#": _block,
        "^": _inverted,
        "else": _chain,
        "/": _close,
    }


def _make_block(link: _Link, inverse: _Inverse | None, close: Strip, *, is_inverted: bool = False) -> Block:
    """Block of a head and its else part; the block of a chain ends where the whole does."""
    main: Program | None = Program(link.body, link.params, start=link.start)
    other = inverse.program if inverse else None
    if inverse is not None and inverse.link is not None:
        inverse.link.close_strip = close
    if is_inverted:
        main, other = other, main
    strip = inverse.strip if inverse else Strip()
    return Block(link.call, main, other, link.strip, strip, close, link.start)


def _original(expression: Expression) -> str:
    """The name as written: what an end tag has to repeat."""
    while isinstance(expression, Call):
        expression = expression.callee
    return expression.original
