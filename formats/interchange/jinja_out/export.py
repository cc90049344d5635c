"""The whole chat template of a format: read the messages as turns, arrange them, print them.

It follows `formats.prompt.plan` step by step, and leaves out every step that the format has no use for.
"""

from __future__ import annotations

import re
from typing import Final

from formats.interchange.jinja_out.arguments import NORMAL, normal_macro
from formats.interchange.jinja_out.arranging import arrange
from formats.interchange.jinja_out.handlebars import SHOWN
from formats.interchange.jinja_out.listing import lists
from formats.interchange.jinja_out.printing import print_turns
from formats.interchange.jinja_out.source import put, quoted, tag, when
from formats.interchange.jinja_out.turns import read
from formats.interchange.jinja_out.typescript import TYPESCRIPT, typescript_macros
from formats.interchange.jinja_out.writing import Writing
from formats.interchange.reading import Loss
from formats.prompt import InstructFormat
from formats.prompt.facts import DATE_FORMAT, DATE_HEADER

_TEXTS: Final = (
    "text", "system", "system_name", "tools_text", "skills_text", "catalogue", "listed", "thought", "speaker", "folded",
    "results", "run_name", "call_name", "by_place", "by_id", "turn_tools", "turn_skills", "calls_text",
)  # fmt: skip
_COUNTS: Final = ("media", "texts", "run", "answers", "answered", "calls_before")
_START: Final = {
    **dict.fromkeys(_TEXTS, "''"),
    **dict.fromkeys(_COUNTS, "0"),
    **dict.fromkeys(("turns", "called", "args"), "[]"),
    **dict.fromkeys(("leads", "system_given", "has_system", "folds", "was_text"), "false"),
    "asked_at": "-1",
    "has_tools": "(true if tools is defined and tools else false)",
    "has_skills": "(true if skills is defined and skills else false)",
    "generate": "(true if add_generation_prompt is defined and add_generation_prompt else false)",
    "thinking": "(enable_thinking if enable_thinking is defined else thinking if thinking is defined else none)",
}
_PROCESSORS: Final = ("date", "date_header")


def chat_template(fmt: InstructFormat) -> tuple[str, list[Loss]]:
    """Return Jinja source, and what of the format it can not say."""
    losses = [Loss(name, why) for name, given, why in _beside(fmt) if given]
    if fmt.chat_template is not None:
        return _before(fmt) + fmt.chat_template, [*losses, *_unprepared(fmt)]
    writing = Writing(fmt)
    body = read(writing) + lists(writing) + arrange(writing) + print_turns(writing)
    own = "".join(writing.macros)
    shared = ((SHOWN, "shown("), (normal_macro(), f"{NORMAL}("), (typescript_macros(), f"{TYPESCRIPT}("))
    macros = "".join(source for source, call in shared if call in own + body) + own
    return (macros + _start(body) + _date(fmt, body) + body).rstrip("\n"), [*losses, *dict.fromkeys(writing.losses)]


def _beside(fmt: InstructFormat) -> tuple[tuple[str, object, str], ...]:
    return (
        ("stopStrings", fmt.stop_strings, "a chat template names no stop strings: give them with each request"),
        ("tests", fmt.tests, "a chat template holds no tests"),
    )


def _before(fmt: InstructFormat) -> str:
    """Prefix and default system text before a format's own Jinja, whose first white space stays as it is."""
    prefix = f"{{{{ {quoted(fmt.prefix)} }}}}" if fmt.prefix else ""
    if fmt.default_system is None:
        return prefix
    message = f"{{'role': 'system', 'content': {quoted(fmt.default_system)}}}"
    opened = when("not messages or messages[0].role != 'system'", put("messages", f"[{message}] + messages"))
    return prefix + opened.removesuffix("-%}\n") + "%}\n"


def _unprepared(fmt: InstructFormat) -> list[Loss]:
    """What prepares the messages before a format's own Jinja sees them, and can not be said there."""
    fields = {"alternation": fmt.alternation != "none", "systemPolicy": fmt.system_policy != type(fmt.system_policy)()}
    why = "is done before the chat template sees the messages: another program does not do it"
    return [Loss(name, why) for name, given in fields.items() if given]


def _start(body: str) -> str:
    """The variables that the steps use, empty."""
    used = [f"{name}={code}" for name, code in _START.items() if re.search(rf"\bns\.{name}\b", body)]
    return tag(f"set ns = namespace({', '.join(used)})")


def _date(fmt: InstructFormat, body: str) -> str:
    processor = next((one for one in fmt.processors if one.name in _PROCESSORS), None)
    if processor is None or ("ns.date" not in body):
        return put("ns.date", "''") if "ns.date" in body else ""
    extra = processor.model_extra or {}
    shape, default = str(extra.get("format", DATE_FORMAT)), str(extra.get("default", ""))
    out = when(
        "strftime_now is defined", put("ns.date", f"strftime_now({quoted(shape)})"), put("ns.date", quoted(default))
    )
    before, mark, after = str(extra.get("text", DATE_HEADER)).partition("{{date}}")
    header = " ~ ".join([quoted(before), *(["ns.date", quoted(after)] if mark else [])])
    return out + (put("ns.date_header", header) if "ns.date_header" in body else "")
