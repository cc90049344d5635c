"""The words of a tag, matched by regular expressions: the lexical half of the grammar.

A rule of pybars3's grammar is a method `rule_<name>` that returns a value with an error record, or raises ParseError.
These rules take the place of the ones that walk the source character by character, and note what they had expected at
the furthest place, which is what a syntax error tells.
"""

from __future__ import annotations

import re
from typing import Any, Final, NoReturn

from pymeta.runtime import InputStream, ParseError

from formats.handlebars import limits
from formats.handlebars.nodes import Refused, make_call, make_path, unbracketed
from formats.handlebars.tree import Literal
from formats.handlebars.values import UNDEFINED, WHITE_SPACE, Value, number_text

_SPACE: Final = f"[{WHITE_SPACE}]"
_NAME: Final = rf"""[^{WHITE_SPACE}!"#%-,./;->@\[-^`{{-~]+(?=[=~}}{WHITE_SPACE}/.)\]|]|$)"""
_BRACKETED: Final = r"\[(?:\\\]|[^\]])*\]"
_VALUE_END: Final = rf"(?=[~}}{WHITE_SPACE})\]]|$)"

SPACES: Final = re.compile(f"{_SPACE}*")
ONE_SPACE: Final = re.compile(f"{_SPACE}+")
STRING: Final = re.compile(r'"(?:\\"|[^"])*"' + "|" + r"'(?:\\'|[^'])*'")
NUMBER: Final = re.compile(rf"-?[0-9]+(?:\.[0-9]+)?{_VALUE_END}")
KEYWORD: Final = re.compile(rf"(?:true|false|null|undefined){_VALUE_END}")
SEGMENT: Final = re.compile(rf"\.\.|\.(?=[=~}}{WHITE_SPACE}/.)\]|]|$)|{_BRACKETED}|{_NAME}")
SEPARATOR: Final = re.compile(rf"/|\.(?![=~}}{WHITE_SPACE}/.)\]|]|$)")
NAME: Final = re.compile(_NAME)
KEY: Final = re.compile(rf"({_NAME}|{_BRACKETED}){_SPACE}*={_SPACE}*")
PARAMS_AHEAD: Final = re.compile(rf"as{_SPACE}+\|")
PARAMS_START: Final = re.compile(rf"{_SPACE}*as{_SPACE}+\|")
FINISH: Final = re.compile(r"~\}\}|\}\}(?!\})")
FINISH_UNESCAPED: Final = re.compile(r"\}~\}\}|\}\}\}(?!\})")
FINISH_RAW: Final = re.compile(r"\}\}\}\}")

_KEYWORDS: Final[dict[str, Value]] = {"true": True, "false": False, "null": None, "undefined": UNDEFINED}
_MAX_INTEGER_DIGITS: Final = 15  # longer numbers lose digits in JavaScript, and here too


class Terminals:
    """Regular-expression rules over one source; the parser sets the position and applies a rule."""

    input: Any
    globals: dict[str, Any]  # names an action of the grammar sees: each parser has its own

    def __init__(self, source: str) -> None:
        super().__init__("")  # type: ignore[call-arg]  # PyMeta's constructor; the stream is set by `go`
        self.globals = dict(self.globals)
        self.source = source
        self.furthest = 0
        self.expected: list[str] = []
        self.nesting = 0
        self.terms = 0

    def go(self, offset: int) -> None:
        """Continue at `offset`, remembering nothing of what was tried there."""
        self.input = InputStream(self.source, offset)
        self._streams = {offset: self.input}

    def _jump(self, offset: int) -> None:
        stream = self._streams.get(offset)
        if stream is None:
            stream = self._streams[offset] = InputStream(self.source, offset)
        self.input = stream

    def _miss(self, expectation: str) -> NoReturn:
        offset = self.input.position
        if offset > self.furthest:
            self.furthest, self.expected = offset, []
        if offset == self.furthest and expectation not in self.expected:
            self.expected.append(expectation)
        raise ParseError(offset, None)

    def _take(self, pattern: re.Pattern[str], expectation: str) -> re.Match[str]:
        found = pattern.match(self.source, self.input.position)
        if found is None:
            self._miss(expectation)
        self._jump(found.end())
        return found

    def _count_term(self, start: int) -> None:
        self.terms += 1
        if self.terms > limits.TERMS:
            raise Refused(f"a template may have at most {limits.TERMS} names and values", start, is_limit=True)

    def exactly(self, wanted: str) -> Any:
        """One character of the source."""
        offset = self.input.position
        if not self.source.startswith(wanted, offset):
            self._miss(repr(wanted))
        self._jump(offset + 1)
        return wanted, self.input.nullError()

    rule_exactly = exactly

    def rule_space(self) -> Any:
        """A whole run of white space, so that a long one costs one step."""
        return self._take(ONE_SPACE, "a space").group(), self.input.nullError()

    def rule_spaces(self) -> Any:
        self._jump(SPACES.match(self.source, self.input.position).end())  # type: ignore[union-attr]
        return True, self.input.nullError()

    def rule_finish(self) -> Any:
        return self._take(FINISH, "'}}'").group(), self.input.nullError()

    def rule_finishunescaped(self) -> Any:
        return self._take(FINISH_UNESCAPED, "'}}}'").group(), self.input.nullError()

    def rule_finishraw(self) -> Any:
        return self._take(FINISH_RAW, "'}}}}'").group(), self.input.nullError()

    def rule_safesymbol(self) -> Any:
        """A hash key with its `=`."""
        return unbracketed(self._take(KEY, "key=").group(1)), self.input.nullError()

    def rule_literal(self) -> Any:
        """A string, number, true, false, null or undefined."""
        start = self.input.position
        self._refuse_open_string(start)
        for pattern, build in _LITERALS:
            found = pattern.match(self.source, start)
            if found is not None:
                self._count_term(start)
                self._jump(found.end())
                return build(found.group(), start), self.input.nullError()
        return self._miss("a value")

    def _refuse_open_string(self, start: int) -> None:
        if self.source.startswith(('"', "'"), start) and not STRING.match(self.source, start):
            raise Refused(f"string is never closed, expected {self.source[start]}", start)

    def rule_path(self) -> Any:
        """A name, or a literal in a name's place: `{{"a b"}}` looks up the key `a b`."""
        start = self.input.position
        if PARAMS_AHEAD.match(self.source, start):
            self._miss("a name")
        if self._is_reserved(start) or self.source.startswith(('"', "'"), start):
            return self.rule_literal()
        is_data = self.source.startswith("@", start)
        self._jump(start + is_data)
        segments = [("", self._take(SEGMENT, "a name").group())]
        while (separator := SEPARATOR.match(self.source, self.input.position)) is not None:
            self._jump(separator.end())
            if self._is_reserved(separator.end()):
                self._miss("a name (write [..] for a number or keyword)")
            segments.append((separator.group(), self._take(SEGMENT, "a name").group()))
        self._count_term(start)
        return make_path(is_data, segments, start), self.input.nullError()

    def _is_reserved(self, offset: int) -> bool:
        return bool(NUMBER.match(self.source, offset) or KEYWORD.match(self.source, offset))

    def rule_subexpression(self) -> Any:
        """A call in parentheses, at most so many inside each other; read by pybars3's rule."""
        start = self.input.position
        if not self.source.startswith("(", start):
            self._miss("a value")
        self.nesting += 1
        if self.nesting > limits.SUBEXPRESSION_DEPTH:
            text = f"sub-expressions may be nested {limits.SUBEXPRESSION_DEPTH} deep"
            raise Refused(text, start, is_limit=True)
        self._count_term(start)
        try:
            (_, callee, arguments), error = super().rule_subexpression()  # type: ignore[misc]
        finally:
            self.nesting -= 1
        return make_call(callee, arguments, start), error

    def rule_blockparams(self) -> Any:
        """`as |item index|`, or nothing."""
        found = PARAMS_START.match(self.source, self.input.position)
        if found is None:
            return (), self.input.nullError()
        self._jump(found.end())
        names = [self._param_name()]
        while not self.source.startswith("|", self.input.position):
            names.append(self._param_name())
        self._jump(self.input.position + 1)
        return tuple(names), self.input.nullError()

    def _param_name(self) -> str:
        self.rule_spaces()
        name = self._take(NAME, "a block parameter's name").group()
        self._count_term(self.input.position)
        self.rule_spaces()
        return name


def _string(text: str, start: int) -> Literal:
    value = text[1:-1].replace("\\" + text[0], text[0])
    return Literal(value, value, start)


def _number(text: str, start: int) -> Literal:
    value = int(text) if text.lstrip("-").isdecimal() and len(text) <= _MAX_INTEGER_DIGITS else float(text)
    return Literal(value, number_text(value), start)


def _keyword(text: str, start: int) -> Literal:
    return Literal(_KEYWORDS[text], text, start)


_LITERALS: Final = ((STRING, _string), (NUMBER, _number), (KEYWORD, _keyword))
