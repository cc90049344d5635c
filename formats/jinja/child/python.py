"""jinja2 as transformers sets it up: the reference, and the engine of what minijinja can not do.

It is sandboxed (no attribute of Python is reachable, nothing given can be changed), and this process has a bound on its
memory and an alarm, for the sandbox has neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from formats.jinja import limits
from formats.jinja.child.failure import (
    OUT_OF_MEMORY,
    OUT_OF_TIME,
    TOO_DEEP,
    TOO_LONG,
    Failure,
    Refusal,
    TimeUpError,
    raise_exception,
)
from formats.jinja.child.values import tojson

_FILE = "<chat_template>"


class PythonTemplate:
    """A compiled template; Failure of kind `syntax` when it is none."""

    def __init__(self, source: str) -> None:
        environment = _Environment(
            trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, "jinja2.ext.loopcontrols"]
        )
        environment.filters["tojson"] = tojson
        environment.globals["raise_exception"] = raise_exception
        try:
            code = environment.compile(source, filename=_FILE)
        except jinja2.TemplateSyntaxError as error:
            raise Failure("syntax", error.message or "is no Jinja", error.lineno) from error
        except (RecursionError, MemoryError, SyntaxError, ValueError) as error:
            raise Failure("limit", TOO_DEEP) from error
        self._template = jinja2.Template.from_code(environment, code, environment.make_globals(None))

    def render(self, variables: dict[str, Any]) -> str:
        """The text. Raises Failure."""
        try:
            return "".join(_bounded(self._template.generate(**variables)))
        except Failure as failure:
            failure.line = failure.line or _line(failure.__traceback__)
            raise
        except TimeUpError as error:
            line = _line(error.__traceback__)  # of the compiled code: jinja2 translates ordinary exceptions alone
            raise Failure("limit", OUT_OF_TIME, line and self._template.get_corresponding_lineno(line)) from error
        except MemoryError as error:
            raise Failure("limit", OUT_OF_MEMORY, _line(error.__traceback__)) from error
        except RecursionError as error:
            raise Failure("limit", TOO_DEEP, _line(error.__traceback__)) from error
        except Refusal as error:
            raise Failure("refused", str(error), _line(error.__traceback__)) from error
        except Exception as error:  # a template may do anything wrong
            raise Failure("error", f"{type(error).__name__}: {error}", _line(error.__traceback__)) from error


class _Environment(ImmutableSandboxedEnvironment):
    """The sandbox, with a bound on the operators that make much of little."""

    intercepted_binops = frozenset({"*", "**"})

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if operator == "*":
            _bound_product(left, right)
        elif isinstance(left, int) and isinstance(right, int) and left.bit_length() * abs(right) > limits.BITS:
            raise Failure("limit", OUT_OF_MEMORY)
        return super().call_binop(context, operator, left, right)


def _bound_product(left: Any, right: Any) -> None:
    for many, times in ((left, right), (right, left)):
        if isinstance(many, str | list | tuple) and isinstance(times, int) and len(many) * times > limits.OUTPUT:
            raise Failure("limit", OUT_OF_MEMORY)


def _bounded(pieces: Iterator[str]) -> Iterator[str]:
    length = 0
    for piece in pieces:
        length += len(piece)
        if length > limits.OUTPUT:
            raise Failure("limit", TOO_LONG)
        yield piece


def _line(traceback: TracebackType | None) -> int | None:
    """The line of the template that was being rendered: the innermost one."""
    line = None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == _FILE:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


class _Generation(Extension):
    """`{% generation %}…{% endgeneration %}` marks what a model wrote; a prompt just holds its body."""

    tags = {"generation"}

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(line)

    def _body(self, caller: Any) -> Any:
        return caller()
