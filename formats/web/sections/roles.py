"""Sections Roles, Frame, Stops: what nearly every format sets."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from formats.web.field import Field, Section


def _roles(document: dict[str, Any]) -> str:
    if document.get("chatTemplate"):
        return _("the Jinja template below renders")
    written = [role for role in ("system", "user", "assistant", "tool") if document.get(role)]
    return ", ".join(written) or _("no template yet")


ROLES = Section(
    "roles",
    lazy("Roles"),
    _roles,
    (
        Field(
            "system",
            lazy("System"),
            "template",
            lazy("Written for each system message."),
            "<|im_start|>system\n{{{content}}}<|im_end|>\n",
        ),
        Field("user", lazy("User"), "template", lazy("Written for each user message."), is_required=True),
        Field("assistant", lazy("Assistant"), "template", lazy("Written for each message of the model.")),
        Field("tool", lazy("Tool result"), "template", lazy("Written for what a tool answered.")),
    ),
    lazy(
        "One Handlebars template for each role. content is the text of the message, role its role, name the speaker "
        "when one is known. Values are written as they are, never HTML-escaped."
    ),
)


def _frame(document: dict[str, Any]) -> str:
    parts = [
        _("BOS once") if document.get("bos") else _("no BOS"),
        _("EOS after assistant turns") if document.get("eos") else _("no EOS"),
        _("a separator") if document.get("separator") else _("no separator"),
        _("a generation prompt") if document.get("promptSuffix") else _("no generation prompt"),
    ]
    return ", ".join(parts)


FRAME = Section(
    "frame",
    lazy("Frame"),
    _frame,
    (
        Field(
            "bos",
            lazy("Beginning of prompt"),
            "literal",
            lazy("Written once, before the first turn."),
            "<s>",
            is_half=True,
        ),
        Field(
            "eos",
            lazy("End of an assistant turn"),
            "literal",
            lazy("After each finished assistant turn, never after an open one."),
            "</s>",
            is_half=True,
        ),
        Field(
            "prefix",
            lazy("Before everything"),
            "literal",
            lazy("A literal text in front of BOS; rarely needed."),
            "[gMASK]",
            is_half=True,
        ),
        Field(
            "separator",
            lazy("Separator"),
            "literal",
            lazy("Between turns and before the generation prompt, never at the end."),
            "\\n",
            is_half=True,
        ),
        Field(
            "promptSuffix",
            lazy("Generation prompt"),
            "literal",
            lazy("What the model continues from."),
            "<|im_start|>assistant\n",
        ),
        Field(
            "promptSuffixVariants",
            lazy("Other generation prompts"),
            "json",
            lazy("An object of texts that replace it, chosen when thinking is switched on or off."),
            '{"thinkingOff": "<|im_start|>assistant\\n<think>\\n\\n</think>\\n\\n"}',
            default={},
            empty="absent",
        ),
    ),
)


def _stops(document: dict[str, Any]) -> str:
    stops, tokens = len(document.get("stopStrings") or []), len(document.get("specialTokens") or [])
    return ", ".join(
        [
            ngettext("%(n)d stop string", "%(n)d stop strings", stops) % {"n": stops},
            ngettext("%(n)d special token", "%(n)d special tokens", tokens) % {"n": tokens},
        ]
    )


STOPS = Section(
    "stops",
    lazy("Stops"),
    _stops,
    (
        Field(
            "stopStrings",
            lazy("Stop strings"),
            "lines",
            lazy("One a line; the model's answer is cut where one begins. Spaces count; \\n is a newline."),
            "<|im_end|>\n\\nUser:",
            default=[],
            is_half=True,
        ),
        Field(
            "specialTokens",
            lazy("Special tokens"),
            "tokens",
            lazy("One a line: texts that a message must not forge. After a space and = what it means."),
            "<|im_start|>\n<s> = bos",
            default=[],
            is_half=True,
        ),
    ),
)
