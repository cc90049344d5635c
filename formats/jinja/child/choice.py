"""Which engine renders a template: minijinja when it does what jinja2 does, else jinja2.

The choice is made once for a template, by trying: minijinja must compile it and give on every probe what jinja2 gives,
text or refusal. A render that minijinja then does not finish, save for a limit, is rendered by jinja2, and what jinja2
says stands.
"""

from __future__ import annotations

import json
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from formats.jinja import limits
from formats.jinja.child.failure import OUT_OF_TIME, Failure, TimeUpError
from formats.jinja.child.python import PythonTemplate
from formats.jinja.child.rust import RustTemplate
from formats.jinja.child.values import clock
from formats.jinja.probes import PROBES, Probe

# As they stand in JSON: spaces that Python strips and Rust does not, and lone surrogates, which Rust can not hold.
_PYTHON_ALONE = (rb"\u001c", rb"\u001d", rb"\u001e", rb"\u001f", rb"\ud")


class Chosen:
    """A template with its engine. `reason` says why it is not minijinja, empty when it is."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._python: PythonTemplate | None = None
        self.reason = ""
        self.rust: RustTemplate | None = None
        refused: Failure | None = None
        try:
            self.rust = RustTemplate(source)
        except Failure as failure:
            if failure.kind == "limit":
                raise
            self.reason, refused = failure.message, failure
        with alarm():
            self._compile(refused)
        if self.rust is not None:
            with suppress(Failure), alarm():  # a template that has no time for this gets none for a render
                self._try(self.rust)
        if self.reason:
            self.rust = None

    @property
    def engine(self) -> str:
        """`minijinja` or `jinja2`."""
        return "jinja2" if self.rust is None else "minijinja"

    def render(self, variables: bytes, now: str | None) -> str:
        """The text of one call; `variables` are JSON. Raises Failure."""
        if self.rust is not None and not any(sign in variables for sign in _PYTHON_ALONE):
            try:
                with alarm():
                    return self.rust.render(json.loads(variables) | clock(now))
            except Failure as failure:
                if failure.kind == "limit":
                    raise
        with alarm():
            return self._compile().render(json.loads(variables) | clock(now))

    def _compile(self, refused: Failure | None = None) -> PythonTemplate:
        if self._python is None:
            try:
                self._python = PythonTemplate(self._source)
            except Failure as failure:
                if refused is not None and refused.line == failure.line:
                    failure.column = refused.column  # jinja2 tells lines alone
                raise
        return self._python

    def _try(self, rust: RustTemplate) -> None:
        for probe in PROBES:
            # Where one comes to a bound there is nothing to compare; minijinja has the better bounds.
            if _is_limit(own := _outcome(rust, probe)) or _is_limit(reference := _outcome(self._compile(), probe)):
                return
            if isinstance(own, Failure) and isinstance(reference, Failure):
                continue
            if own != reference:
                self.reason = f"minijinja and jinja2 differ on the probe “{probe.name}”"
                return


def _outcome(template: RustTemplate | PythonTemplate, probe: Probe) -> str | Failure:
    variables = json.loads(json.dumps(probe.variables("<s>", "</s>"))) | clock(probe.now)
    try:
        return template.render(variables)
    except Failure as failure:
        return failure


def _is_limit(outcome: str | Failure) -> bool:
    return isinstance(outcome, Failure) and outcome.kind == "limit"


@contextmanager
def alarm() -> Iterator[None]:
    """A bound on the processor time of what runs inside; Failure of kind `limit` when it is up.

    What never comes back to Python hears no alarm: the system ends the process some time later.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = int(used.ru_utime + used.ru_stime) + limits.HARD_SECONDS + 1
    resource.setrlimit(resource.RLIMIT_CPU, (hard, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    # It rings again: something may have kept the first from getting through.
    signal.setitimer(signal.ITIMER_PROF, limits.SECONDS, limits.SECONDS / 4)
    try:
        yield
    except TimeUpError as error:
        raise Failure("limit", OUT_OF_TIME) from error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def ring(_signal: int, _frame: Any) -> None:
    """What the alarm does."""
    raise TimeUpError
