"""Sections of the preset form: what it bundles, and what a render with it may take."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from formats.web.field import Field, Section
from formats.web.sections.about import about

UNSET = ("", lazy("says nothing"))
STRATEGIES = (
    UNSET,
    ("truncate", lazy("leave out the oldest messages")),
    ("summarize", lazy("summarise the oldest messages")),
    ("vector-recall", lazy("recall what fits by meaning")),
    ("manual", lazy("leave out what was marked, then the oldest")),
)
INFILLS = (
    UNSET,
    ("auto", lazy("automatic")),
    ("keyword", lazy("by keyword")),
    ("vector", lazy("by meaning")),
    ("hybrid", lazy("both")),
)
BOOLEANS = (UNSET, ("true", lazy("yes")), ("false", lazy("no")))
POLICIES = (UNSET, ("keep", lazy("keep")), ("escape", lazy("escape")), ("reject", lazy("reject")))
POINTER = lazy("A slug, slug@label or slug@number. Empty: what the settings say.")


def _bundle(document: dict[str, Any]) -> str:
    named = [document.get(key) for key in ("instructFormat", "contextTemplate", "promptConfig")]
    return " · ".join(str(one) for one in named if one) or _("nothing yet")


def _budget(document: dict[str, Any]) -> str:
    size = document.get("maxContextTokens")
    words = [_("%(n)d tokens") % {"n": size}] if isinstance(size, int) else []
    words += [str(document["contextStrategy"])] if document.get("contextStrategy") else []
    return " · ".join(words) or _("as the settings say")


def _rendering(document: dict[str, Any]) -> str:
    keys = ("serializeAsText", "postProcessing", "thinking", "bos", "specialTokenPolicy")
    return ", ".join(key for key in keys if document.get(key) is not None) or _("as the settings say")


BUNDLE = Section(
    "bundle",
    lazy("Bundle"),
    _bundle,
    (
        Field(
            "instructFormat",
            lazy("Format"),
            "line",
            POINTER,
            "house@production",
            default=None,
            empty="null",
            names="instruct-format",
        ),
        Field(
            "contextTemplate",
            lazy("Context template"),
            "line",
            POINTER,
            "story",
            default=None,
            empty="null",
            names="context-template",
        ),
        Field(
            "promptConfig",
            lazy("Prompt config"),
            "line",
            POINTER,
            "calm",
            default=None,
            empty="null",
            names="prompt-config",
        ),
        Field(
            "stopStrings",
            lazy("Stop strings"),
            "lines",
            lazy("One a line, sent after those of the format; \\n is a newline."),
            "\\nUser:",
            default=[],
            empty="absent",
        ),
    ),
)

BUDGET = Section(
    "budget",
    lazy("Context"),
    _budget,
    (
        Field("maxContextTokens", lazy("Context size"), "number", lazy("In tokens."), "8192",
              default=None, empty="null", is_half=True),
        Field("reserveForReply", lazy("Kept for the reply"), "number", lazy("In tokens."), "1024",
              default=None, empty="null", is_half=True),
        Field("contextStrategy", lazy("When it does not fit"), "choice", default=None, empty="null",
              choices=STRATEGIES, is_half=True),
        Field("infill", lazy("Lore is chosen"), "choice", default=None, empty="null", choices=INFILLS, is_half=True),
        Field("tokenizer", lazy("Tokenizer"), "line", lazy("The profile that counts; empty: by the model."), "estimate",
              default=None, empty="null"),
    ),
)  # fmt: skip

RENDERING = Section(
    "rendering",
    lazy("Rendering"),
    _rendering,
    (
        Field("serializeAsText", lazy("Conversation as text"), "boolean", default=None, empty="null",
              choices=BOOLEANS, is_half=True),
        Field("thinking", lazy("Thinking"), "boolean", default=None, empty="null", choices=BOOLEANS, is_half=True),
        Field("bos", lazy("BOS token"), "choice", default=None, empty="null", is_half=True,
              choices=(UNSET, ("keep", lazy("keep")), ("omit", lazy("leave out")))),
        Field("specialTokenPolicy", lazy("Special tokens in messages"), "choice", default=None, empty="null",
              is_half=True, choices=POLICIES),
        Field("postProcessing", lazy("Messages for chat back ends"), "choice", default=None, empty="null",
              choices=(UNSET, *((name, name) for name in (
                  "none", "merge", "merge_tools", "semi", "semi_tools", "strict", "strict_tools", "single")))),
    ),
)  # fmt: skip

PRESET_SECTIONS: tuple[Section, ...] = (
    about(lazy("What it is for, and what is special about it.")),
    BUNDLE,
    BUDGET,
    RENDERING,
)
