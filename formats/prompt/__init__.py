"""From a clean conversation and a format to the exact prompt. No Django, no clock, no randomness.

fmt = InstructFormat.model_validate(document)
out = render(fmt, Message.read_all(messages))
out.text; out.stop_strings; out.segments; out.findings
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from formats.prompt.compiled import CompiledFormat, compile_format, render_compiled
from formats.prompt.document import InstructFormat
from formats.prompt.errors import Fault, FormatError, MessageError, PromptError, RenderRefused
from formats.prompt.findings import Finding
from formats.prompt.importing import dump_document, export_instruct_format, import_instruct_format, import_with_notes
from formats.prompt.message import Message
from formats.prompt.migrations import Note
from formats.prompt.rendered import Rendered
from formats.prompt.segments import Segment
from formats.prompt.special_tokens import escape_tokens, unescape_tokens


def render(
    fmt: InstructFormat,
    messages: Sequence[Message],
    *,
    tools: Sequence[Any] = (),
    skills: Sequence[Any] = (),
    add_generation_prompt: bool = True,
    continue_final_message: bool = False,
    prefill: str = "",
    options: Mapping[str, Any] = {},  # never written to
) -> Rendered:
    """The prompt of `messages` in the layout of `fmt`.

    `continue_final_message` leaves the last assistant turn open and beats the generation prompt; `prefill` comes last.
    `options`: `bos` (keep, omit), `specialTokenPolicy` (keep, escape, reject), `thinking`, `strict`, `now`, `speaker`.
    Raises RenderRefused when format and messages do not go together, MessageError for a wrong option.
    """
    return render_compiled(
        fmt.compiled, messages, tools, skills, add_generation_prompt, continue_final_message, prefill, options
    )


__all__ = [
    "CompiledFormat",
    "Fault",
    "Finding",
    "FormatError",
    "InstructFormat",
    "Message",
    "MessageError",
    "Note",
    "PromptError",
    "RenderRefused",
    "Rendered",
    "Segment",
    "compile_format",
    "dump_document",
    "escape_tokens",
    "export_instruct_format",
    "import_instruct_format",
    "import_with_notes",
    "render",
    "unescape_tokens",
]
