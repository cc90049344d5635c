"""Rendering a format by its Jinja `chatTemplate` (contract, "Format document", the row of that name).

`bos` and `eos` are the values of `bos_token` and `eos_token` and never printed besides; `bos: omit` passes an empty
one. `prefix` is printed before; stop strings, special tokens, prefill, continuing and names are those of every format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from formats.jinja import ChatTemplate, JinjaError, JinjaLimitError, JinjaRefused, JinjaSyntaxError
from formats.jinja import compile_chat_template as compile_source
from formats.prompt.errors import (
    RENDER_REFUSED,
    TEMPLATE_LIMIT,
    TEMPLATE_SYNTAX,
    Fault,
    FormatError,
    MessageError,
    RenderRefused,
)
from formats.prompt.findings import Finding
from formats.prompt.jinja_array import ArrayPlan, Mark, plain
from formats.prompt.jinja_findings import losses
from formats.prompt.jinja_habits import Habits, habits_of
from formats.prompt.jinja_segments import SOURCE, UNKNOWN, label
from formats.prompt.message import Message
from formats.prompt.options import KEEP, RenderSettings
from formats.prompt.rendered import Rendered
from formats.prompt.segments import Segment
from formats.prompt.special_tokens import refuse_straddling, token_findings
from formats.prompt.turns import content, markup

if TYPE_CHECKING:
    from formats.prompt.compiled import CompiledFormat

FIELD: Final = "chatTemplate"
# Ends the text of an open turn; what the template prints behind it is cut off.
_CUT: Final = "\ue002cut\ue002"
EFFORT: Final = "reasoning_effort"
_SWITCH: Final = re.compile(r"\b(enable_thinking|thinking|reasoning_effort)\b")


def compile_chat_template(source: str) -> ChatTemplate:
    """The ready template of a format; FormatError, located in `chatTemplate`, for one that is no Jinja."""
    try:
        return compile_source(source)
    except JinjaError as error:
        raise FormatError(_fault(error)) from error


def render_jinja(compiled: CompiledFormat, messages: Sequence[Message], settings: RenderSettings) -> Rendered:
    """The prompt. Raises RenderRefused when the template does not take the conversation, or comes to a bound."""
    return JinjaRender(compiled, ArrayPlan(compiled, tuple(messages), settings))


class JinjaRender(Rendered):
    """The result: a text at once; its labels and findings, which take more renders, when somebody asks."""

    __slots__ = ("_body", "_head", "_plan", "_tail", "_template", "_variables", "habits")

    habits: Habits
    """What the template expects."""

    def __init__(self, compiled: CompiledFormat, plan: ArrayPlan) -> None:
        template = compiled.chat_template
        if template is None:
            raise ValueError("the format has no chat template")
        self._compiled, self._plan, self._template = compiled, plan, template
        self._made = self._found = None
        self._variables = _variables(plan)
        self._head = compiled.format.prefix
        self._tail = _tail(plan)
        self.habits = _habits(compiled, template)
        self._body = self._whole()
        self.text = "".join([self._head, self._body, *(piece.text for piece in self._tail)])
        if plan.settings.special_token_policy != KEEP:
            refuse_straddling(self.segments, compiled.tokens)
        if plan.settings.strict:
            _refuse(self.findings)

    @property
    def media(self) -> list[dict[str, Any]]:
        """Images, videos and sounds in the order of the messages, as far as the template prints them."""
        dropped = {finding.path for finding in self.findings if finding.code == "PART_DROPPED"}
        return [dict(one) for one in self._plan.media if one["path"] not in dropped]

    def outcome_of(self, messages: list[dict[str, Any]]) -> str | None:
        """What the template makes of another array; None when it refuses."""
        return _text(self._rendered([messages])[0])

    @property
    def plan(self) -> ArrayPlan:
        """The array that was rendered, and its facts."""
        return self._plan

    def _whole(self) -> str:
        outcome = self._outcomes([plain])[0]
        if isinstance(outcome, JinjaError) and EFFORT in self._variables:
            # some templates know other words for it, and think as they do without one
            del self._variables[EFFORT]
            outcome = self._outcomes([plain])[0]
        if isinstance(outcome, JinjaError) and self.habits.takes_null and self._plan.has_null:
            self.habits = replace(self.habits, takes_null=False)
            second = self._outcomes([plain])[0]
            outcome = outcome if isinstance(second, JinjaError) else second
        if isinstance(outcome, JinjaError):
            raise RenderRefused(_fault(outcome))
        return outcome

    def _outcomes(self, marks: Sequence[Mark]) -> list[str | JinjaError]:
        """The text of the array, up to the open turn's end, for each way of marking."""
        is_open = self._plan.settings.continue_final_message
        found = self._rendered([self._plan.wire(self.habits, mark, end=_CUT if is_open else "") for mark in marks])
        return [_cut(one) if is_open and isinstance(one, str) else one for one in found]

    def _rendered(self, arrays: Sequence[list[dict[str, Any]]]) -> list[str | JinjaError]:
        calls = [self._variables | {"messages": array} for array in arrays]
        try:
            return self._template.render_all(calls, now=_moment(self._plan.settings.now))
        except JinjaError as error:
            return [error] * len(calls)

    def _labelled(self) -> list[Segment]:
        def render(marks: Sequence[Mark]) -> list[str | None]:
            return [_text(one) for one in self._outcomes(marks)]

        body = label(self._body, list(self._plan.texts(self.habits)), render)
        if body is None:
            body = [markup(self._body, UNKNOWN)]
        return [piece for piece in [markup(self._head, "prefix"), *body, *self._tail] if piece.text]

    def _noted(self) -> Iterable[Finding]:
        yield from self._plan.notes
        yield from losses(self)
        if self._plan.settings.thinking is not None and not _SWITCH.search(self._template.source):
            yield Finding("info", "THINKING_NOT_PLACED", "The chat template has no switch for thinking.", "thinking")

    def _token_findings(self) -> Iterable[Finding]:
        tokens = self._compiled.tokens
        texts = [piece.text for piece in self._plan.texts(self.habits)]
        if not any(token in text for token in tokens for text in texts):
            return ()  # the labels take another render, and tokens in content are rare
        return token_findings(self.segments, tokens)

    @property
    def is_unknown(self) -> bool:
        """True when the template changes its texts in a way that nothing can be found again."""
        return any(piece.source == UNKNOWN for piece in self.segments)


def _habits(compiled: CompiledFormat, template: ChatTemplate) -> Habits:
    try:
        return habits_of(template, compiled.format.bos, compiled.format.eos)
    except JinjaError as error:
        raise RenderRefused(_fault(error)) from error


def _variables(plan: ArrayPlan) -> dict[str, Any]:
    settings, fmt = plan.settings, plan.compiled.format
    variables: dict[str, Any] = {
        "tools": plan.tools or None,
        "documents": None,
        "bos_token": fmt.bos if settings.bos == "keep" else "",
        "eos_token": fmt.eos,
        "add_generation_prompt": settings.add_generation_prompt and not settings.continue_final_message,
    }
    if settings.skills:
        variables["skills"] = [_skill(skill) for skill in settings.skills]
    if settings.thinking is not None:
        variables |= {"enable_thinking": settings.thinking, "thinking": settings.thinking}
    if settings.thinking:
        variables[EFFORT] = "high"
    return variables


def _skill(skill: Any) -> dict[str, Any]:
    if isinstance(skill, Mapping):
        return dict(skill)
    return {field: getattr(skill, field, None) or "" for field in ("name", "description")}


def _tail(plan: ArrayPlan) -> list[Segment]:
    """What follows the template's text: the speaker's name in the generation prompt, and the prefill."""
    settings, out = plan.settings, []
    asks = settings.add_generation_prompt and not settings.continue_final_message
    if asks and plan.compiled.format.names == "prefix":
        speaker = plan.speaker()
        gap = " " if settings.prefill and not settings.prefill[0].isspace() else ""
        if speaker:
            out += [content(f"{plan.guard(speaker, 'speaker')}:", "name"), markup(gap, "names")]
    return [*out, content(plan.guard(settings.prefill, "prefill"), "prefill")]


def _text(outcome: str | JinjaError) -> str | None:
    return outcome if isinstance(outcome, str) else None


def _cut(text: str) -> str | JinjaError:
    before, found, _ = text.rpartition(_CUT)
    if not found:
        return JinjaRefused("the chat template does not print the end of the last message, so it can not be continued")
    return before.replace(_CUT, "")


def _moment(now: datetime | str | None) -> str | None:
    if now is None:
        return None
    if isinstance(now, datetime):
        return now.isoformat()
    try:
        return datetime.fromisoformat(now).isoformat()
    except ValueError as error:
        raise MessageError(Fault("options.now", f"is no date and time: {now!r}")) from error


def _fault(error: JinjaError) -> Fault:
    message, code = error.message, RENDER_REFUSED
    if isinstance(error, JinjaSyntaxError):
        code = TEMPLATE_SYNTAX
    elif isinstance(error, JinjaLimitError):
        code = TEMPLATE_LIMIT
    elif isinstance(error, JinjaRefused):
        message = f"the chat template refuses the conversation: {message}"
    else:
        hint = " (give the date with the option `now`)" if "'strftime_now' is undefined" in message else ""
        message = f"the chat template can not render the conversation: {message}{hint}"
    return Fault(FIELD, message, code, error.line, error.column)


def _refuse(findings: Iterable[Finding]) -> None:
    faults = [Fault(one.path, one.message, RENDER_REFUSED) for one in findings if one.severity != "info"]
    if faults:
        raise RenderRefused(faults)


__all__ = ["FIELD", "SOURCE", "JinjaRender", "compile_chat_template", "render_jinja"]
