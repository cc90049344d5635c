"""chat_bricks' template documents in: every field, policy, placement and formatter of version 0.1.5.

Where chat_bricks loses or doubles what it is given, the format made here does not; docs/chat_bricks.md lists each case.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.interchange.bricks_known import ASSISTANT, CALLS, FORMATTERS, SYSTEM, TOOLS, processor_name, think_as_qwen3
from formats.interchange.reading import Document, Fields, Loss, Part, Reader, heading, is_object, stem
from formats.interchange.slots import Slot, parse_slots, to_handlebars
from formats.interchange.wording import CONTENT, choice, literal, stops_of, tokens_in
from formats.prompt.errors import Fault, FormatError

KIND: Final = "instruct-format"
FAMILY: Final = "chat_bricks"
_SYSTEM: Final = ("system_message", "tools", "skills")
_BOS: Final = ("<|begin_of_text|>", "<s>", "<bos>", "<BOS_TOKEN>", "<｜begin▁of▁sentence｜>")
_PLACEMENTS: Final = {"SYSTEM": "system", "FIRST_USER": "first_user", "LAST_USER": "last_user", "SEPARATE": "separate"}


def is_template(document: Any) -> bool:
    """Return whether `document` is a template."""
    return is_object(document, "user_template", "assistant_template") or (
        is_object(document, "name", "chat_template") and "system_template" in document
    )


def split_templates(document: Any) -> list[Part] | None:
    """Return a registry, an object of templates by name, as its templates."""
    if not is_object(document) or not document or not all(is_template(one) for one in document.values()):
        return None
    return [Part(str(name), one) for name, one in document.items()]


def read_template(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return the format of a template. Raises FormatError, located, for slots that are none."""
    return _Reading(document, name).result()


class _Reading:
    def __init__(self, document: Mapping[str, Any], name: str) -> None:
        self.fields = Fields(document)
        self.made = heading(KIND, 2, self.fields.text("name") or stem(name), "chat_bricks template")
        self.texts: list[str] = []
        self.system_policy = self._policy("system_policy")
        self.tool_policy = self._policy("tool_policy")
        self.skill_policy = self._policy("skill_policy")
        self.class_name = self.fields.text("class")

    def _policy(self, key: str) -> Fields:
        value = self.fields.raw(key)
        if value is not None and not isinstance(value, Mapping):
            raise FormatError(Fault(key, "must be an object"))
        return Fields(value or {}, key)

    def slots(self, key: str, *names: str, default: str | None = None) -> list[str | Slot] | None:
        """The parts of a template field; None where it is not given and has no default."""
        value = self.fields.raw(key)
        text = self.fields.text(key) if value is not None else default
        if text is None:
            return None
        self.texts.append(text)
        return parse_slots(text, names, key)

    def result(self) -> tuple[Document, list[Loss]]:
        made, fields = self.made, self.fields
        source = fields.raw("chat_template")
        if fields.raw("user_template") is None and isinstance(source, str):
            return self._jinja(source)
        user = self.slots("user_template", "content", default="{content}") or []
        made["user"] = to_handlebars(user, {"content": CONTENT})
        self._assistant()
        self._system()
        self._tools()
        self._results()
        self._skills()
        self._vision()
        self._ends()
        if self.class_name == "Qwen3Template":
            think_as_qwen3(made)
        return made, self._finish()

    def _finish(self) -> list[Loss]:
        fields = self.fields
        fields.ignore("_")
        if fields.raw("chat_template") is not None and "chatTemplate" not in self.made:
            fields.lose("chat_template", "chat_bricks does not render by it either: the templates hold")
        fields.adopt([self.system_policy, self.tool_policy, self.skill_policy], "is no field of a policy")
        return fields.finish("is no field of a template")

    def _jinja(self, source: str) -> tuple[Document, list[Loss]]:
        """A template that has nothing but Jinja: chat_bricks itself can not render it."""
        self.made |= dict.fromkeys(("system", "user", "assistant", "tool"), CONTENT)
        self.made["chatTemplate"] = source
        default = self.fields.text("system_message")
        if default:
            self.made["defaultSystem"] = default
        self._ends()
        for policy in (self.system_policy, self.tool_policy, self.skill_policy):
            policy.ignore()
        self.fields.ignore()
        return self.made, self._finish()

    def _assistant(self) -> None:
        made = self.made
        parts = self.slots("assistant_template", "content", "tool_calls", default="{content}") or []
        policy = self._policy("assistant_policy")
        content = self._processed(policy, "content_processor", ASSISTANT, CONTENT)
        self.fields.adopt([policy], "is no field of a policy")
        made["assistant"] = to_handlebars(parts, {"content": content, "tool_calls": "{{{toolCalls}}}"})
        call = self.slots("single_tool_call_template", "tool_call", default="{tool_call}") or []
        section = self.slots("tool_calls_template", "tool_calls", default="{tool_calls}") or []
        if Slot("tool_calls") in parts:
            written = self._processed(self.tool_policy, "tool_call_content_processor", CALLS, "{{{toolCall}}}")
            made["toolCalls"] = {
                "section": to_handlebars(section, {"tool_calls": "{{{toolCalls}}}"}),
                "item": to_handlebars(call, {"tool_call": written}),
                "joiner": "",
            }
        else:
            self.tool_policy.raw("tool_call_content_processor")
        prompt = self.fields.raw("generation_prompt")
        before = parts[: parts.index(Slot("content"))] if Slot("content") in parts else parts
        opening = "".join(part for part in before if isinstance(part, str))
        made["promptSuffix"] = self.fields.text("generation_prompt") if prompt is not None else opening

    def _processed(self, policy: Fields, key: str, known: Mapping[str, str], plain: str) -> str:
        """What a slot prints: as it is, or as a processor of chat_bricks' own writes it."""
        name = processor_name(policy.raw(key), self.fields.text("name"))
        if name is None:
            return plain
        if name not in known:
            policy.lose(key, f"{name} is Python code: it is not run, and the text stands as it is")
            return plain
        return known[name]

    def _system(self) -> None:
        made, policy = self.made, self.system_policy
        parts = self.slots("system_template", *_SYSTEM, default="{system_message}") or []
        default = self.slots("default_system_template", *_SYSTEM)
        message = self.fields.text("system_message")
        content = self._processed(policy, "content_processor", SYSTEM, CONTENT)
        if processor_name(policy.raw("content_processor"), "") == "Llama32DateProcessor":
            made["processors"] = [{"name": "date_header"}]
            made["processors"][0]["text"] = "Cutting Knowledge Date: December 2023\nToday Date: {{date}}\n\n"
            content = CONTENT
        made["system"] = self._system_source(parts, content, message)
        if default is not None:
            other = self._system_source(default, content, message)
            made["system"] = choice("given", made["system"], other)
        policy.flag("use_system_with_tools_provided")
        opens = policy.flag("use_system_without_system_message", default=True)
        if not policy.flag("use_system", default=True):
            made["systemPolicy"] = {"first": "drop", "later": "drop"}
        elif opens:
            made["defaultSystem"] = message
            self._take_bos()
        elif message:
            self.fields.lose("system_message", "stands only where tools open the system turn; here that is empty")

    def _take_bos(self) -> None:
        """A BOS that opens every system turn stands once, before the first."""
        system = self.made["system"]
        token = next((token for token in _BOS if system.startswith(token) and system.count(token) == 1), None)
        if token is not None:
            self.made |= {"bos": token, "system": system.removeprefix(token)}

    def _system_source(self, parts: list[str | Slot], content: str, message: str) -> str:
        values = {"system_message": content, "tools": "{{{tools}}}", "skills": "{{{skills}}}"}
        if self._tools_are_a_flag():
            values["tools"] = choice("hasTools", self._section())
        if Slot("system_message") in parts:
            return to_handlebars(parts, values)
        # Without a slot chat_bricks drops what the chat says: here that takes the place of the layout's own text.
        if "{{{content}}}" not in content:
            content = CONTENT
        own = [part for part in parts if isinstance(part, str)]
        place = next(
            (at for at, part in enumerate(parts) if isinstance(part, str) and message and message in part), None
        )
        if place is not None:
            before, _, after = str(parts[place]).partition(message)
            values["system_message"] = choice("content", content, literal(message))
            return to_handlebars([*parts[:place], before, Slot("system_message"), after, *parts[place + 1 :]], values)
        text = "".join(own)
        end = text[len(text.rstrip()) :]
        return choice("(and given content)", content + to_handlebars([end], {}), to_handlebars(parts, values))

    def _tools_are_a_flag(self) -> bool:
        """Whether the section only says that there are tools, and does not list them."""
        section = self.fields.raw("tools_template")
        return isinstance(section, str) and "{tools}" not in section

    def _section(self) -> str:
        parts = self.slots("tools_template", "tools", default="{tools}") or []
        return to_handlebars(parts, {"tools": "{{{tools}}}"})

    def _tools(self) -> None:
        policy, made = self.tool_policy, self.made
        spec: Document = {"section": "{{{tools}}}" if self._tools_are_a_flag() else self._section()}
        item = self.slots("single_tool_template", "tool", default="{tool}") or []
        user_with = self.slots("user_template_with_tools", "content", "tools")
        notation, indent, joiner, as_list = self._formatter(policy.raw("formatter"))
        if self.fields.raw("single_tool_template") is not None:
            joiner = ""
        spec |= {"format": notation, "joiner": joiner, "asList": as_list}
        if indent is not None:
            spec["indent"] = indent
        values = {"tool": "{{{tool}}}"}
        name = processor_name(policy.raw("content_processor"), "")
        if name in TOOLS:
            self._function_alone(spec, values)
        elif name is not None:
            policy.lose("content_processor", f"{name} is Python code: it is not run")
        spec["item"] = to_handlebars(item, values)
        self._place(spec, policy, user_with)
        made["tools"] = spec

    def _function_alone(self, spec: Document, values: dict[str, str]) -> None:
        """Tools without the wrapper around their function."""
        options = {"json_compact": " compact=true sort=true", "json_minified": " compact=true sort=true"}
        shape = options.get(spec["format"], f" indent={spec['indent']}" if "indent" in spec else "")
        values["tool"] = f"{{{{{{tojson function{shape}}}}}}}"
        if spec["asList"]:
            comma = "," if "compact" in shape else ", "
            spec["section"] = spec["section"].replace("{{{tools}}}", "[{{{tools}}}]")
            spec |= {"asList": False, "joiner": comma}

    def _place(self, spec: Document, policy: Fields, user_with: list[str | Slot] | None) -> None:
        placement = policy.text("placement", "SYSTEM").rsplit(".", 1)[-1].upper()
        if placement not in _PLACEMENTS:
            raise FormatError(Fault("tool_policy.placement", f"must be one of {', '.join(_PLACEMENTS)}"))
        spec["placement"] = _PLACEMENTS[placement]
        if spec["placement"] in ("first_user", "last_user"):
            if user_with is None:
                # Nothing is put into the user's turn then: the system slot is the only place.
                spec["placement"] = "system"
            else:
                source = to_handlebars(user_with, {"content": CONTENT, "tools": "{{{tools}}}"})
                spec["userWith"] = source
        if spec["placement"] == "system" and "{{{tools}}}" not in self.made["system"]:
            self._tools_without_slot(spec, user_with)

    def _tools_without_slot(self, spec: Document, user_with: list[str | Slot] | None) -> None:
        """No slot in the system turn: chat_bricks drops the tools, or prints them only in the user's turn."""
        if user_with is not None:
            spec |= {
                "placement": "first_user",
                "userWith": to_handlebars(user_with, {"content": CONTENT, "tools": "{{{tools}}}"}),
            }

    def _formatter(self, value: Any) -> tuple[str, int | None, str, bool]:
        if value is None:
            return FORMATTERS["JsonQwenFormatter"]
        given = Fields(value if isinstance(value, Mapping) else {"class": str(value)}, "tool_policy.formatter")
        name = given.text("class", "JsonQwenFormatter")
        if name not in FORMATTERS:
            given.lose("class", f"{name} is Python code: tools are written as JSON")
        notation, indent, joiner, as_list = FORMATTERS.get(name, FORMATTERS["JsonFormatter"])
        indent = given.number("indent") if given.raw("indent") is not None else indent
        joiner = given.text("joiner", joiner)
        as_list = given.flag("format_as_list", default=as_list)
        separators = given.raw("separators")
        if separators in ([",", ":"], (",", ":")) and notation == "json":
            notation = "json_compact"
        elif separators is not None and notation == "json":
            given.lose("separators", "JSON is written with blanks, or without any")
        self.fields.adopt([given], "is no field of a formatter")
        return notation, indent, joiner, as_list

    def _results(self) -> None:
        made, fields = self.made, self.fields
        item = self.slots("single_observation_template", "observation", default="{observation}") or []
        section = self.slots("observations_template", "observation", "observations")
        if section is None:
            # chat_bricks can not render a tool's result then: it stands as what the user said.
            made["tool"] = made["user"]
            return
        fields.raw("observations_template")
        values = {"observation": "{{{toolResults}}}", "observations": "{{{toolResults}}}"}
        made["tool"] = CONTENT
        made["toolResults"] = {
            "section": to_handlebars(section, values),
            "item": to_handlebars(item, {"observation": CONTENT}),
            # Results without a frame of their own would run into one another, as they do in chat_bricks.
            "joiner": "\n" if item == [Slot("observation")] and len(section) > 1 else "",
        }

    def _skills(self) -> None:
        policy = self.skill_policy
        section = self.slots("skills_template", "skills")
        own = self.slots("single_skill_template", "name", "description")
        text = policy.text("single_skill_template", "- {name}: {description}")
        joiner = policy.text("joiner", "\n")
        if policy.raw("content_processor") is not None:
            policy.lose("content_processor", "is Python code: it is not run")
        if section is None:
            return
        item = (
            own if own is not None else parse_slots(text, ("name", "description"), "skill_policy.single_skill_template")
        )
        self.made["skills"] = {
            "section": to_handlebars(section, {"skills": "{{{skills}}}"}),
            "item": to_handlebars(item, {"name": "{{{name}}}", "description": "{{{description}}}"}),
            "joiner": joiner,
        }

    def _vision(self) -> None:
        fields = self.fields
        keys = {"vision_start": "start", "vision_end": "end", "image_token": "imageToken", "video_token": "videoToken"}
        vision = {ours: fields.text(key) for key, ours in keys.items() if fields.raw(key) is not None}
        if "imageToken" in vision or "videoToken" in vision:
            self.made["vision"] = vision
        self.texts += vision.values()

    def _ends(self) -> None:
        fields, made = self.fields, self.made
        policy = self._policy("global_policy")
        prefix = policy.text("prefix")
        fields.adopt([policy], "is no field of a policy")
        if prefix:
            made["prefix"] = prefix
        words = fields.raw("stop_words")
        if isinstance(words, str) or (words is not None and not isinstance(words, list)):
            raise FormatError(Fault("stop_words", "must be an array of strings"))
        given = [word for word in words or () if isinstance(word, str)]
        made["stopStrings"] = stops_of(given) + [word for word in given if word and not word.strip()]
        if "" in given:
            fields.lose("stop_words", "an empty stop string would end every reply at once: it is left out")
        made["specialTokens"] = tokens_in([*self.texts, prefix])
        made["names"] = "none"


READERS: Final = (Reader(KIND, "chat_bricks template", FAMILY, is_template, read_template),)
