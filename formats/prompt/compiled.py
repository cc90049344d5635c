"""`CompiledFormat`: a format with its templates ready. Immutable, and safe to share between threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from formats.handlebars import TemplateError
from formats.prompt.errors import FormatError
from formats.prompt.frames import Frame
from formats.prompt.hot import CLOSED, GENERATE, OPEN, HotPath
from formats.prompt.hot_build import build_hot
from formats.prompt.lost_names import drops_names
from formats.prompt.message import Message
from formats.prompt.options import KEEP, RenderSettings, read_options
from formats.prompt.plan import Plan
from formats.prompt.rendered import HotRender, PlannedRender, Rendered
from formats.prompt.sections import Skills, ToolCalls, ToolResults, Tools
from formats.prompt.templates import VARIABLES, compile_all, compile_default, fault_of

if TYPE_CHECKING:
    from formats.jinja import ChatTemplate
    from formats.prompt.document import InstructFormat

_NOTHING: Mapping[str, Any] = {}
_THINKING: Final = {True: "thinkingOn", False: "thinkingOff", None: "-"}


class CompiledFormat:
    """Made by `compile_format`; callers that hold many formats keep these by content hash."""

    __slots__ = (
        "asks_thinking", "chat_template", "closing", "drops_names", "format", "frames", "has_tool_results", "hot",
        "hot_without_bos", "places_reasoning", "skills", "stop_strings", "tokens", "tool_calls", "tool_results",
        "tools",
    )  # fmt: skip

    def __init__(
        self, fmt: InstructFormat, frames: Mapping[str, Frame], chat_template: ChatTemplate | None = None
    ) -> None:
        self.format = fmt
        self.chat_template = chat_template
        self.frames = frames
        self.tools = fmt.tools or Tools()
        self.tool_calls = fmt.tool_calls or ToolCalls()
        self.tool_results = fmt.tool_results or ToolResults()
        self.skills = fmt.skills or Skills()
        self.has_tool_results = fmt.tool_results is not None
        self.drops_names = drops_names(fmt, frames)
        self.places_reasoning = any(frame.uses("reasoning") for frame in frames.values())
        self.asks_thinking = any(frame.uses("thinking") for frame in frames.values())
        self.closing = fmt.prompt_suffix_variants.get("closed", "")
        self.stop_strings = fmt.stop_strings
        self.tokens = fmt.token_texts
        self.hot = build_hot(self, bos=True)
        self.hot_without_bos = build_hot(self, bos=False) if fmt.bos else self.hot

    def render(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Any] = (),
        skills: Sequence[Any] = (),
        add_generation_prompt: bool = True,
        continue_final_message: bool = False,
        prefill: str = "",
        options: Mapping[str, Any] = _NOTHING,
    ) -> Rendered:
        """The prompt of a conversation; see `formats.prompt.render`."""
        return render_compiled(
            self, messages, tools, skills, add_generation_prompt, continue_final_message, prefill, options
        )

    def frame(self, path: str) -> Frame:
        """The template at `path` of the document, or the default one of a section that the format leaves out."""
        frame = self.frames.get(path)
        return frame if frame is not None else Frame(path, compile_default(path))

    def has_system_slot(self, variable: str) -> bool:
        """True when the system text, wherever it goes, can hold `tools` or `skills`."""
        if self.format.system_policy.first != "block":
            return getattr(self.format, variable) is not None
        return self.frames["system"].uses(variable)

    def suffix(self, thinking: bool | None, last: str = "") -> str:
        """The generation prompt after a turn of role `last`, with thinking on or off: the most special variant."""
        variants, thought = self.format.prompt_suffix_variants, _THINKING[thinking]
        after = f"after{last.capitalize()}"
        for key in (f"{after}T{thought[1:]}", after, thought):
            if key in variants:
                return variants[key]
        return self.format.prompt_suffix


def render_compiled(  # noqa: PLR0917  # positional arguments cost the hot path less
    compiled: CompiledFormat,
    messages: Sequence[Message],
    tools: Sequence[Any],
    skills: Sequence[Any],
    add_generation_prompt: bool,
    continue_final_message: bool,
    prefill: str,
    options: Mapping[str, Any],
) -> Rendered:
    """The one implementation behind `render` and `CompiledFormat.render`: the hot path first, else the careful one."""
    hot, settings = compiled.hot, None
    if options or tools or skills or hot is None:
        settings = RenderSettings(
            tools or (),
            skills or (),
            add_generation_prompt,
            continue_final_message,
            prefill,
            **read_options(options or {}),
        )
        hot = _hot_for(compiled, settings)
    if hot is not None:
        ending = OPEN if continue_final_message else GENERATE if add_generation_prompt else CLOSED
        rendered = _hot_render(compiled, hot, messages, ending, prefill)
        if rendered is not None:
            return rendered
    settings = settings or RenderSettings((), (), add_generation_prompt, continue_final_message, prefill)
    if compiled.chat_template is not None:
        from formats.prompt.jinja_format import render_jinja

        return render_jinja(compiled, messages, settings)
    return PlannedRender(Plan(compiled, messages, settings))


def _hot_render(
    compiled: CompiledFormat, hot: HotPath, messages: Sequence[Message], ending: str, prefill: str
) -> HotRender | None:
    """The prompt by the hot path; None when the conversation needs the careful one."""
    try:
        if hot.folds and messages and messages[0].role == "system":
            rest = messages[1:]
            parts = hot.parts(rest, ending)
            text = "".join(hot.folded(messages[0].text, rest, parts)) + prefill
        else:
            parts = hot.parts(messages, ending)
            text = "".join(parts) + prefill
    except (KeyError, TypeError, AttributeError):
        return None
    # A copy of the list: the caller may go on with it before anybody asks for segments.
    return HotRender(text, compiled, (hot, tuple(messages), parts, ending, prefill))


def _hot_for(compiled: CompiledFormat, settings: RenderSettings) -> HotPath | None:
    """The hot path that these settings may take."""
    if settings.tools or settings.skills or settings.strict or settings.special_token_policy != KEEP:
        return None
    if settings.filler_user is not None:
        return None
    if settings.thinking is not None and (compiled.format.prompt_suffix_variants or compiled.asks_thinking):
        return None
    return compiled.hot if settings.bos == "keep" else compiled.hot_without_bos


def compile_format(fmt: InstructFormat) -> CompiledFormat:
    """The ready templates of `fmt`; FormatError when one does not compile."""
    return fmt.compiled


def build(fmt: InstructFormat) -> CompiledFormat:
    """Compile every template; FormatError names all that do not."""
    templates, faults = compile_all(fmt)
    if faults:
        raise FormatError(faults)
    chat_template = None
    if fmt.chat_template is not None:
        from formats.prompt.jinja_format import compile_chat_template

        chat_template = compile_chat_template(fmt.chat_template)
    return CompiledFormat(fmt, {path: Frame(path, template) for path, template in templates.items()}, chat_template)


def dry_render(fmt: InstructFormat) -> None:
    """Render every template once with sample values; FormatError for what only a render shows, e.g. a limit."""
    faults = []
    for path, frame in fmt.compiled.frames.items():
        try:
            frame.template.render(dict.fromkeys(VARIABLES[path], "x"))
        except TemplateError as error:
            faults.append(fault_of(error, path))
    if faults:
        raise FormatError(faults)
