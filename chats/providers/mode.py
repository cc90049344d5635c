"""Text or chat: the table of who gets the rendered prompt and who gets the array."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from chats.providers.names import CHAT_ADAPTERS, TEXT_ADAPTERS
from formats.prompt.errors import RenderRefused
from formats.prompt.findings import Finding

Mode = Literal["text", "chat"]
TEXT: Final = "text"
CHAT: Final = "chat"
DEFAULT_FORMAT: Final = "chatml"
"""What renders when text is wanted and no format is set anywhere."""

DOUBLE_TEMPLATING: Final = Finding(
    "warning",
    "DOUBLE_TEMPLATING",
    "The prompt is sent to a chat provider as one user message, and the provider puts its own template around it. "
    "Leave `serializeAsText` out to send the array.",
    "serializeAsText",
)
FORMAT_NOT_APPLIED: Final = Finding(
    "info",
    "FORMAT_NOT_APPLIED",
    "The messages are sent as an array, so the format is not applied and its stop strings are not sent. "
    "`prompt` shows what it would render.",
    "format",
)
DEFAULT_FORMAT_USED: Final = Finding(
    "warning",
    "DEFAULT_FORMAT_USED",
    f"Text is wanted and no format is set: `{DEFAULT_FORMAT}` was used. Name a format or set one for the team.",
    "format",
)


@dataclass(frozen=True, slots=True)
class ModeChoice:
    """The mode, whether the default format has to stand in, and what there is to say about it."""

    mode: Mode
    needs_default: bool = False
    findings: tuple[Finding, ...] = ()


def choose_mode(*, provider: str | None, asked: bool | None, stored: bool | None, has_format: bool) -> ModeChoice:
    """Return how the result is served.

    `asked` is the request's `serializeAsText`, `stored` the team's. Raises RenderRefused when the request wants an
    array for a text provider; a stored false does not count there.
    """
    if provider in TEXT_ADAPTERS:
        if asked is False:
            raise RenderRefused(
                f"{provider} takes a text: `serializeAsText` can not be false for it.", "serializeAsText"
            )
        return _text(provider, has_format)
    wanted = asked if asked is not None else stored
    if wanted is None:
        wanted = has_format and provider not in CHAT_ADAPTERS
    return _text(provider, has_format) if wanted else _chat(has_format)


def _text(provider: str | None, has_format: bool) -> ModeChoice:
    findings = (DOUBLE_TEMPLATING,) if provider in CHAT_ADAPTERS else ()
    if has_format:
        return ModeChoice("text", findings=findings)
    return ModeChoice("text", needs_default=True, findings=(*findings, DEFAULT_FORMAT_USED))


def _chat(has_format: bool) -> ModeChoice:
    return ModeChoice("chat", findings=(FORMAT_NOT_APPLIED,) if has_format else ())
