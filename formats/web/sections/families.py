"""Sections Tools, Skills, Vision, Reasoning: objects that a simple format leaves out."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from formats.web.field import Field, Group, Section

PLACEMENTS = (
    ("system", lazy("in the system turn")),
    ("first_user", lazy("in the first user turn")),
    ("last_user", lazy("in the last user turn")),
    ("separate", lazy("in a turn of their own")),
)
FORMATS = (
    ("json", "JSON"),
    ("json_indented", lazy("JSON, indented")),
    ("json_compact", lazy("JSON, compact")),
    ("json_minified", lazy("JSON, minified")),
    ("yaml", "YAML"),
    ("typescript", "TypeScript"),
)


def _joiner(path: str, default: str) -> Field:
    return Field(
        path, lazy("Between items"), "literal", lazy("Written between two items."), default=default, is_half=True
    )


def _tools(document: dict[str, Any]) -> str:
    tools = document.get("tools")
    parts = []
    if isinstance(tools, dict):
        parts.append(str(dict(PLACEMENTS).get(tools.get("placement", "system"), "")))
        parts.append(str(dict(FORMATS).get(tools.get("format", "json"), "")))
    if document.get("toolCalls"):
        parts.append(_("calls"))
    if document.get("toolResults"):
        parts.append(_("results"))
    return ", ".join(parts) or _("none")


TOOLS = Section(
    "tools",
    lazy("Tools"),
    _tools,
    (
        Group(
            "tools",
            lazy("List of tools"),
            (
                Field(
                    "tools.section",
                    lazy("Section"),
                    "template",
                    lazy("Around the whole list; tools is the list."),
                    "[AVAILABLE_TOOLS]{{{tools}}}[/AVAILABLE_TOOLS]",
                    default="{{{tools}}}",
                ),
                Field(
                    "tools.item",
                    lazy("One tool"),
                    "template",
                    lazy("tool is its text; definition, name, description and parameters are its parts."),
                    default="{{{tool}}}",
                ),
                Field("tools.placement", lazy("Where"), "choice", default="system", choices=PLACEMENTS, is_half=True),
                Field("tools.format", lazy("Written as"), "choice", default="json", choices=FORMATS, is_half=True),
                Field(
                    "tools.indent",
                    lazy("Indent"),
                    "number",
                    lazy("Spaces, 0 to 16; empty for the usual."),
                    default=None,
                    empty="absent",
                    is_half=True,
                ),
                _joiner("tools.joiner", "\n"),
                Field("tools.asList", lazy("Written as one JSON list"), "flag", default=False),
                Field(
                    "tools.userWith",
                    lazy("User turn with tools"),
                    "template",
                    lazy("Replaces the user template where the list stands in a user turn; tools and content."),
                    default=None,
                    empty="absent",
                ),
            ),
        ),
        Group(
            "toolCalls",
            lazy("Calls by the model"),
            (
                Field(
                    "toolCalls.section",
                    lazy("Section"),
                    "template",
                    lazy("Around the calls of one turn; toolCalls is their text."),
                    default="{{{toolCalls}}}",
                ),
                Field(
                    "toolCalls.item",
                    lazy("One call"),
                    "template",
                    lazy("Variables: id, name, arguments, toolCall, args, number, first, last."),
                    '<tool_call>{"name": "{{{name}}}", "arguments": {{{arguments}}}}</tool_call>',
                    default="{{{toolCall}}}",
                ),
                _joiner("toolCalls.joiner", ""),
            ),
        ),
        Group(
            "toolResults",
            lazy("Results of tools"),
            (
                Field(
                    "toolResults.section",
                    lazy("Section"),
                    "template",
                    lazy("Around results that follow each other; toolResults is their text."),
                    default="{{{toolResults}}}",
                ),
                Field(
                    "toolResults.item",
                    lazy("One result"),
                    "template",
                    lazy("Variables: content, name, toolCallId, callName, number, first, last."),
                    default="{{{content}}}",
                ),
                _joiner("toolResults.joiner", ""),
            ),
        ),
    ),
)


def _skills(document: dict[str, Any]) -> str:
    return _("listed in the system turn") if document.get("skills") else _("none")


SKILLS = Section(
    "skills",
    lazy("Skills"),
    _skills,
    (
        Group(
            "skills",
            lazy("List of skills"),
            (
                Field(
                    "skills.section",
                    lazy("Section"),
                    "template",
                    lazy("Around the whole list; skills is the list."),
                    default="{{{skills}}}",
                ),
                Field(
                    "skills.item",
                    lazy("One skill"),
                    "template",
                    lazy("Variables: name, description."),
                    default="- {{name}}: {{description}}",
                ),
                _joiner("skills.joiner", "\n"),
            ),
        ),
    ),
)

ORDERS = (
    ("given", lazy("as in the message")),
    ("first", lazy("before the text")),
    ("pair", lazy("before the text, where it is one of each")),
)
PARSES = (
    ("", lazy("stay as they are")),
    ("exact", lazy("are read")),
    ("lines", lazy("are read, line ends beside them left out")),
    ("blanks", lazy("are read, white space beside them left out")),
)


def _vision(document: dict[str, Any]) -> str:
    return _("pictures have a place in the text") if document.get("vision") else _("none")


VISION = Section(
    "vision",
    lazy("Vision"),
    _vision,
    (
        Group(
            "vision",
            lazy("Pictures, videos and sounds"),
            (
                Field("vision.start", lazy("Before"), "literal", example="<|vision_start|>", is_half=True),
                Field("vision.end", lazy("After"), "literal", example="<|vision_end|>", is_half=True),
                Field("vision.imageToken", lazy("Picture"), "literal", example="<|image_pad|>", is_half=True),
                Field(
                    "vision.videoToken",
                    lazy("Video"),
                    "literal",
                    example="<|video_pad|>",
                    default=None,
                    empty="absent",
                    is_half=True,
                ),
                Field(
                    "vision.audioToken",
                    lazy("Sound"),
                    "literal",
                    example="<|audio|>",
                    default=None,
                    empty="absent",
                    is_half=True,
                ),
                Field("vision.order", lazy("Order"), "choice", default="given", choices=ORDERS, is_half=True),
                Field(
                    "vision.number",
                    lazy("Number"),
                    "literal",
                    lazy("Written before each; {n} is its number."),
                    "Picture {n}: ",
                ),
                Field(
                    "vision.tokens",
                    lazy("Tokens each"),
                    "number",
                    lazy("A figure: counts become approximate."),
                    default=None,
                    empty="absent",
                    is_half=True,
                ),
                Field(
                    "vision.patch",
                    lazy("Pixels a token"),
                    "number",
                    lazy("A side, for parts that say their width and height."),
                    default=None,
                    empty="absent",
                    is_half=True,
                ),
            ),
            lazy("What is written at the place of a picture, video or sound of a message."),
        ),
    ),
)


def _reasoning(document: dict[str, Any]) -> str:
    reasoning = document.get("reasoning")
    if not isinstance(reasoning, dict):
        return _("none")
    return _("kept in history") if reasoning.get("keepInHistory") else _("left out of history")


REASONING = Section(
    "reasoning",
    lazy("Reasoning"),
    _reasoning,
    (
        Group(
            "reasoning",
            lazy("Reasoning of the model"),
            (
                Field("reasoning.start", lazy("Before"), "literal", example="<think>\n", is_half=True),
                Field("reasoning.end", lazy("After"), "literal", example="\n</think>\n\n", is_half=True),
                Field("reasoning.keepInHistory", lazy("Keep it in earlier turns"), "flag", default=False),
                Field("reasoning.keepInCurrent", lazy("Keep it behind the last user turn"), "flag", default=False),
                Field(
                    "reasoning.parse",
                    lazy("Marks inside a text"),
                    "choice",
                    lazy("Whether reasoning that stands inside a message's text is taken out of it."),
                    default=None,
                    empty="absent",
                    choices=PARSES,
                ),
            ),
        ),
    ),
)
