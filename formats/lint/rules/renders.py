"""Rule `render-failed`: a probe can not be rendered, so neither can a chat like it."""

from __future__ import annotations

from collections.abc import Iterator

from formats.handlebars import TemplateError
from formats.lint.rule import Probe, Remark, rule
from formats.prompt import RenderRefused


@rule("render-failed", severity="error")
def render_failed(probe: Probe) -> Iterator[Remark]:
    error = probe.error
    if isinstance(error, TemplateError):
        yield Remark(
            error.name,
            f"The conversation “{probe.name}” can not be rendered: {error.message}",
            error.line,
            error.column,
        )
    elif error is not None and (not isinstance(error, RenderRefused) or probe.name == "one user"):
        # A policy may refuse an odd conversation; one that refuses a single user message refuses all.
        yield Remark("", f"The conversation “{probe.name}” can not be rendered: {error}")
