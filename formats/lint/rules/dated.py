"""Rule `dated`: the prompt is another one on another day."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from formats.handlebars import TemplateError
from formats.lint.rule import Remark, format_rule
from formats.prompt import InstructFormat, Message, PromptError, render

_DAYS: Final = ("2024-02-29T12:00:00Z", "2031-11-03T12:00:00Z")


@format_rule("dated", severity="info")
def dated(fmt: InstructFormat) -> Iterator[Remark]:
    messages = [Message("system", "probe system"), Message("user", "probe user")]
    try:
        texts = {render(fmt, messages, options={"now": day}).text for day in _DAYS}
    except (PromptError, TemplateError):
        return
    if len(texts) > 1:
        yield Remark("", "The prompt has the date: send `now` where two renders must be equal.")
