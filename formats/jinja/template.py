"""`ChatTemplate`: a Jinja chat template that renders in the worker."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from formats.jinja import limits
from formats.jinja.errors import JinjaError, JinjaLimitError
from formats.jinja.worker import WORKER


class ChatTemplate:
    """A template by its source. Immutable, and safe to share between threads. Make one with `compile_chat_template`."""

    __slots__ = ("_facts", "key", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self.key = hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()
        self._facts: dict[str, Any] = {}

    def render(self, variables: Mapping[str, Any], *, now: str | None = None) -> str:
        """The text; `variables` are JSON values, `now` an ISO date and time for `strftime_now`. Raises JinjaError."""
        outcome = self.render_all([variables], now=now)[0]
        if isinstance(outcome, JinjaError):
            raise outcome
        return outcome

    def render_all(self, calls: Sequence[Mapping[str, Any]], *, now: str | None = None) -> list[str | JinjaError]:
        """One text or error for each call, in one exchange with the worker. Raises what the template as a whole is."""
        self._facts, results = WORKER.render(self.key, self.source, [_json(call) for call in calls], now)
        return results

    @property
    def engine(self) -> str:
        """What renders it: `minijinja` or `jinja2`."""
        return self._fact("engine")

    @property
    def reason(self) -> str:
        """Why it is not minijinja; empty when it is."""
        return self._fact("reason")

    def _fact(self, name: str) -> str:
        if not self._facts:
            self.render_all([])
        return str(self._facts[name])


def _json(variables: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(variables, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # lone surrogates go as escapes
        return json.dumps(variables).encode()


@lru_cache(maxsize=limits.KEPT)
def compile_chat_template(source: str) -> ChatTemplate:
    """The ready template, kept by its text. Raises JinjaSyntaxError, JinjaLimitError."""
    if len(source) > limits.SOURCE:
        raise JinjaLimitError(f"the template is longer than {limits.SOURCE:,} characters")
    template = ChatTemplate(source)
    template.render_all([])
    return template
