"""`Chat`: messages, tools and skills in a template, as one prompt."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from formats.bricks.registry import get_template
from formats.bricks.template import Template
from formats.prompt import Finding, InstructFormat, Message, Rendered, render
from formats.prompt.segments import joined
from formats.prompt.tools import tools_section

_OPTIONS: Final = {
    "enable_thinking": "thinking",
    "thinking": "thinking",
    "now": "now",
    "bos": "bos",
    "strict": "strict",
}


class Chat:
    """A conversation in a template, given itself or by its name. What it is given is never changed."""

    def __init__(  # noqa: PLR0917 - in the order that the guide calls it with
        self,
        template: Template | str,
        messages: Iterable[Mapping[str, Any]] | None = None,
        tools: Sequence[Any] | None = None,
        skills: Sequence[Any] | None = None,
        tokenizer: object = None,
        ignore_tool_calls: bool = False,
        use_token_ids: bool = True,
    ) -> None:
        self.template = get_template(template) if isinstance(template, str) else template
        self.tools = tools
        self.skills = skills
        self.ignore_tool_calls = ignore_tool_calls
        self.findings: list[Finding] = []
        self.messages: list[dict[str, Any]] = []
        self.set_messages(messages or ())

    def set_messages(self, messages: Iterable[Mapping[str, Any]]) -> None:
        """Put other messages in the place of those that are there."""
        self.messages = []
        self.append(messages)

    def append(self, messages: Mapping[str, Any] | Iterable[Mapping[str, Any]]) -> None:
        """Add one message, or several."""
        for message in [messages] if isinstance(messages, Mapping) else messages:
            self.messages.append(self._taken(message))

    def prompt(
        self,
        add_generation_prompt: bool = False,
        tools: Sequence[Any] | None = None,
        skills: Sequence[Any] | None = None,
        **options: Any,
    ) -> str:
        """Return the prompt; `findings` then says what the render noticed.

        Options: `enable_thinking`, `now` (ISO date and time), `bos`, `strict`. Raises MessageError, RenderRefused.
        """
        rendered = self.render(add_generation_prompt, tools, skills, **options)
        self.findings = rendered.findings
        return rendered.text

    def render(
        self,
        add_generation_prompt: bool = False,
        tools: Sequence[Any] | None = None,
        skills: Sequence[Any] | None = None,
        **options: Any,
    ) -> Rendered:
        """Return the prompt with its segments and findings."""
        unknown = [name for name in options if name not in _OPTIONS]
        if unknown:
            raise TypeError(f"unknown options: {', '.join(unknown)}; known are {', '.join(_OPTIONS)}")
        fmt = self.template.to_format()
        given_tools = self._tools(self.tools if tools is None else tools)
        fmt, messages = self._processed(fmt, given_tools)
        return render(
            fmt,
            Message.read_all(messages),
            tools=given_tools,
            skills=self._skills(self.skills if skills is None else skills),
            add_generation_prompt=add_generation_prompt,
            options={_OPTIONS[name]: value for name, value in options.items()},
        )

    def _taken(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """A message in OpenAI's words: `from` and `value` are other programs' for role and content."""
        taken = dict(message)
        if "from" in taken and "role" not in taken:
            taken["role"] = taken.pop("from")
        if "value" in taken and "content" not in taken:
            taken["content"] = taken.pop("value")
        if self.ignore_tool_calls:
            taken.pop("tool_calls", None)
        return taken

    def _tools(self, tools: Sequence[Any] | None) -> list[Any]:
        policy, found = self.template.tool_policy, list(tools or ())
        if policy.content_processor is not None:
            found = [made for tool in found if (made := policy.content_processor(tool)) is not None]
        if found and policy.formatter.document() is None:
            return [policy.formatter.format(found)]
        return found

    def _skills(self, skills: Sequence[Any] | None) -> list[Any]:
        process = self.template.skill_policy.content_processor
        return [skill if process is None else process(skill) for skill in skills or ()]

    def _processed(self, fmt: InstructFormat, tools: Sequence[Any]) -> tuple[InstructFormat, list[dict[str, Any]]]:
        """The format and the messages with every function of the policies run."""
        template = self.template
        system, assistant = template.system_policy.content_processor, template.assistant_policy.content_processor
        calls = template.tool_policy.tool_call_content_processor
        messages = [dict(message) for message in self.messages]
        if system is not None:
            listed = joined(tools_section(fmt.compiled, tools, lambda text, _: text)) if tools else None
            if messages and messages[0].get("role") == "system":
                messages[0]["content"] = _call(system, _text(messages[0]), listed)
            elif fmt.default_system is not None:
                fmt = fmt.model_copy(update={"default_system": _call(system, fmt.default_system, listed)})
        for message in messages if assistant is not None or calls is not None else ():
            if message.get("role") == "assistant":
                if assistant is not None:
                    message["content"] = assistant(_text(message))
                if calls is not None and message.get("tool_calls"):
                    message["tool_calls"] = [_written(call, calls(call)) for call in message["tool_calls"]]
        return fmt, messages


def _text(message: Mapping[str, Any]) -> str:
    """The text of a message, parts joined."""
    return Message.model_validate({"tool_calls": (), **message, "content": message.get("content") or ""}).plain


def _call(process: Callable[..., Any], text: str, tools: str | None) -> str:
    """Call a system processor, with `tools` where it takes that: the guide's own one takes the text alone."""
    parameters = inspect.signature(process).parameters.values()
    takes = any(one.name == "tools" or one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters)
    return str(process(text, tools=tools) if takes else process(text))


def _written(call: Mapping[str, Any], text: str) -> dict[str, Any]:
    """A call whose text is `text`: the template prints arguments given as text as they are."""
    function = call.get("function", call)
    return {"id": call.get("id") or "", "function": {"name": function.get("name", ""), "arguments": text}}
