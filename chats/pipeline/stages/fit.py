"""Fit stage: the only one that makes text. With a budget it will drop what is too much and render again."""

from __future__ import annotations

from typing import Any

from chats.pipeline.ports import Ports
from chats.pipeline.sources import Assembled, Rendered
from chats.pipeline.trace import Step
from formats.prompt.compiled import CompiledFormat
from formats.prompt.options import RenderSettings


def fit(assembled: Assembled, form: CompiledFormat | None, ports: Ports, *, segments: bool) -> Step[Rendered]:
    """Return the messages as text in `form`; without a format there is none.

    Raises RenderRefused when format and messages do not go together, TemplateError from a template.
    """
    if form is None:
        findings = [
            found for at, message in enumerate(assembled.messages) for found in message.findings(f"messages[{at}]")
        ]
        return Step(Rendered(assembled), findings=findings)
    settings = assembled.settings
    result = form.render(
        assembled.messages,
        tools=settings.tools,
        skills=settings.skills,
        add_generation_prompt=settings.add_generation_prompt,
        continue_final_message=settings.continue_final_message,
        prefill=settings.prefill,
        options=_options(settings, form, ports),
    )
    labelled = tuple(result.segments) if segments else None
    rendered = Rendered(assembled, result.text, tuple(result.stop_strings), labelled)
    return Step(rendered, findings=result.findings)


def _options(settings: RenderSettings, form: CompiledFormat, ports: Ports) -> dict[str, Any]:
    """Return only what differs from the default: without options a format takes its fast path."""
    options: dict[str, Any] = {}
    if settings.bos != "keep":
        options["bos"] = settings.bos
    if settings.special_token_policy != "keep":  # noqa: S105 - a policy, no password
        options["specialTokenPolicy"] = settings.special_token_policy
    if settings.thinking is not None:
        options["thinking"] = settings.thinking
    if settings.strict:
        options["strict"] = True
    if settings.speaker is not None:
        options["speaker"] = settings.speaker
    if form.format.processors or form.format.chat_template is not None:
        options["now"] = ports.clock.now()
    return options
