"""The grammar of a tag: pybars3's own OMeta grammar class, extended and given faster terminals.

pybars3's rules `expression_inner`, `arguments`, `subexpression` and `partial_inner` are inherited as they are; below
are the rules it lacks. Nothing of a template reaches the actions of a rule: they are the fixed strings below.
"""
from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pybars

from formats.handlebars import limits
from formats.handlebars.terminals import Refused, Terminals
from formats.handlebars.tree import Call, Expression, Literal, Path

DELTA = r"""
kwliteral ::= <safesymbol>:key (<literal> | <path> | <subexpression>):operand => ('kwparam', key, operand)
partialname ::= <subexpression> | <path>
unescaped_inner ::= <spaces> <path>:callee <arguments>:operands <spaces> <finishunescaped> => (callee, operands)
block_inner ::= <spaces> <path>:callee <arguments>:operands <blockparams>:params <spaces> <finish> => (callee, operands, params)
raw_inner ::= <spaces> <path>:callee <arguments>:operands <spaces> <finishraw> => (callee, operands)
close_inner ::= <spaces> <path>:name <spaces> <finish> => name
"""

_lock = threading.Lock()
_grammar: type[Any] | None = None


def grammar_class() -> type[Any]:
    """The grammar class, built once per process at first use (about 0.1 s)."""
    global _grammar
    if _grammar is None:
        with _lock:
            if _grammar is None:
                _grammar = _build()
    return _grammar


def _build() -> type[Any]:
    extended = pybars.Compiler._handlebars.makeGrammar(DELTA, {}, "neotavern_handlebars")

    class TagGrammar(Terminals, extended):  # type: ignore[misc]  # PyMeta makes the base at run time
        """Reads one tag at a time; block structure is the parser's business."""

        def __init__(self, source: str) -> None:
            extended.__init__(self, "")
            self.globals = dict(extended.globals)
            self.begin(source)

        def rule_subexpression(self) -> Any:
            """A call in parentheses, at most so many inside each other."""
            start = self.input.position
            if not self.source.startswith("(", start):
                self._miss("a value")
            self.nesting += 1
            if self.nesting > limits.SUBEXPRESSION_DEPTH:
                text = f"sub-expressions may be nested {limits.SUBEXPRESSION_DEPTH} deep"
                raise Refused(text, start, is_limit=True)
            self._count_term(start)
            try:
                (_, callee, arguments), error = extended.rule_subexpression(self)
            finally:
                self.nesting -= 1
            return make_call(callee, arguments, start), error

    return TagGrammar


def make_call(callee: Path | Literal, arguments: list[Any], start: int) -> Call:
    """Call of pybars3's argument list, in which keyword arguments are tuples; the first of equal keys wins."""
    operands, keywords = split_arguments(arguments)
    return Call(callee, operands, keywords, start)


def split_arguments(arguments: list[Any]) -> tuple[list[Expression], dict[str, Expression]]:
    """Positional and keyword operands; refuses a positional one after a keyword."""
    operands: list[Expression] = []
    keywords: dict[str, Expression] = {}
    for argument in arguments:
        if isinstance(argument, tuple):
            keywords.setdefault(argument[1], argument[2])
        elif keywords:
            raise Refused("a positional argument cannot follow key=value arguments", argument.start)
        else:
            operands.append(argument)
    return operands, keywords


Rule = Callable[[], tuple[Any, Any]]
