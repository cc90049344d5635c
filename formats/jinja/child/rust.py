"""minijinja: the engine of most templates. It has fuel and no Python attributes; here it learns jinja2's ways."""

from __future__ import annotations

from typing import Any

import minijinja

from formats.jinja import limits
from formats.jinja.child.failure import OUT_OF_MEMORY, TOO_LONG, Failure, Refusal, raise_exception
from formats.jinja.child.values import tojson

_NAME = "chat_template"
_LIMITS = ("fuel", "recursion", "too many elements", "recursion limits")


class RustTemplate:
    """A compiled template; Failure of kind `syntax` when minijinja does not know what the source says."""

    def __init__(self, source: str) -> None:
        self._environment = minijinja.Environment(
            fuel=limits.FUEL, trim_blocks=True, lstrip_blocks=True, debug=True, auto_escape_callback=_never
        )
        self._environment.add_filter("tojson", tojson)
        self._environment.add_global("raise_exception", raise_exception)
        self._environment.remove_global("debug")
        # None and numbers are iterable to minijinja; templates ask this to tell text from parts.
        self._environment.add_test("iterable", _is_iterable)
        self._source = source
        try:
            self._environment.add_template(_NAME, source)
        except minijinja.TemplateError as error:
            raise self._failure(error, "syntax") from error

    def render(self, variables: dict[str, Any]) -> str:
        """The text. Raises Failure."""
        try:
            text: str = self._environment.render_template(_NAME, **variables)
        except minijinja.TemplateError as error:
            raise self._failure(error, "error") from error
        except Refusal as error:
            raise Failure("refused", str(error)) from error
        except MemoryError as error:
            raise Failure("limit", OUT_OF_MEMORY) from error
        except Exception as error:  # what a filter of ours raises
            raise Failure("error", f"{type(error).__name__}: {error}") from error
        if len(text) > limits.OUTPUT:
            raise Failure("limit", TOO_LONG)
        return text

    def _failure(self, error: minijinja.TemplateError, kind: Any) -> Failure:
        message = error.detail or error.message
        if any(word in message for word in _LIMITS):
            kind = "limit"
        return Failure(kind, message, error.line, self._column(error))

    def _column(self, error: minijinja.TemplateError) -> int | None:
        if error.range is None:
            return None
        before = self._source.encode()[: error.range[0]].decode(errors="replace")
        return len(before) - (before.rfind("\n") + 1) + 1


def _never(_name: str) -> bool:
    return False


def _is_iterable(value: Any) -> bool:
    return isinstance(value, str | list | tuple | dict) or hasattr(value, "__iter__")
