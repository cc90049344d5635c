"""Where a format document holds templates, and which variables each may use (contract, decision 9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from formats.handlebars import Template, TemplateError, TemplateLimitError, compile_template
from formats.prompt.errors import TEMPLATE_LIMIT, TEMPLATE_SYNTAX, Fault
from formats.prompt.facts import FACTS
from formats.prompt.helpers import FORMAT_HELPERS
from formats.prompt.sections import Skills, ToolCalls, ToolResults, Tools

if TYPE_CHECKING:
    from formats.prompt.document import InstructFormat

_MESSAGE: Final = ("content", "role", "name", *FACTS)
_SYSTEM: Final = (*_MESSAGE, "tools", "skills")
_USER: Final = (*_MESSAGE, "tools")
_ASSISTANT: Final = (*_MESSAGE, "toolCalls", "reasoning")
_REQUEST: Final = ("hasTools", "hasSkills", "hasSystem", "hasMedia", "thinking", "date")
_PLACE: Final = ("first", "last", "index")

VARIABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "system": _SYSTEM,
    "user": _USER,
    "assistant": _ASSISTANT,
    "tool": _MESSAGE,
    "systemPolicy.wrap": ("content", *_REQUEST),
    "variants.firstUser": _USER,
    "variants.lastUser": _USER,
    "variants.firstAssistant": _ASSISTANT,
    "variants.lastAssistant": _ASSISTANT,
    "variants.lastAssistantClosed": _ASSISTANT,
    "tools.section": ("tools", *_REQUEST),
    "tools.item": ("tool", "definition", "function", "name", "description", "parameters", *_PLACE),
    "tools.userWith": _USER,
    "toolCalls.section": ("toolCalls", "content"),
    "toolCalls.item": ("id", "name", "arguments", "toolCall", "args", "content", "number", *_PLACE),
    "toolResults.section": ("toolResults",),
    "toolResults.item": ("content", "name", "toolCallId", "callName", "number", *_PLACE),
    "skills.section": ("skills", *_REQUEST),
    "skills.item": ("name", "description"),
}
TEMPLATE_PATHS: Final = frozenset(VARIABLES)


def sources(fmt: InstructFormat) -> Iterator[tuple[str, str]]:
    """Path and source of every template that `fmt` has."""
    holders = {
        "": fmt, "systemPolicy": fmt.system_policy, "variants": fmt.variants, "tools": fmt.tools,
        "toolCalls": fmt.tool_calls, "toolResults": fmt.tool_results, "skills": fmt.skills,
    }  # fmt: skip
    for path in VARIABLES:
        section, _, field = path.rpartition(".")
        holder = holders[section]
        if holder is None:
            continue
        names = {info.alias or name: name for name, info in type(holder).model_fields.items()}
        source = getattr(holder, names[field])
        if source is not None:
            yield path, source


def compile_all(fmt: InstructFormat) -> tuple[dict[str, Template], list[Fault]]:
    """Every template by its path, and a fault for each that does not compile."""
    compiled: dict[str, Template] = {}
    faults: list[Fault] = []
    for path, source in sources(fmt):
        try:
            compiled[path] = compile_template(source, FORMAT_HELPERS, name=path, variables=VARIABLES[path])
        except TemplateError as error:
            faults.append(fault_of(error, path))
    return compiled, faults


def fault_of(error: TemplateError, path: str) -> Fault:
    """A template error as a fault at the template's place."""
    code = TEMPLATE_LIMIT if isinstance(error, TemplateLimitError) else TEMPLATE_SYNTAX
    return Fault(path, error.message, code, error.line, error.column)


def compile_default(path: str) -> Template:
    """The default template of a section that a format leaves out, e.g. `tools.item`."""
    section, _, field = path.rpartition(".")
    model = {"tools": Tools, "toolCalls": ToolCalls, "toolResults": ToolResults, "skills": Skills}[section]
    return compile_template(getattr(model(), field), FORMAT_HELPERS, name=path, variables=VARIABLES[path])
