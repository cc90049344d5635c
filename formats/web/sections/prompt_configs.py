"""Sections of the prompt config form: instructions, and the list of blocks that a prompt is put together from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from formats.context.blocks import CORE_BLOCKS, DEFAULT_BLOCKS
from formats.context.vocabulary import LAST_BLOCKS
from formats.web.field import Field, Rows, Section, Variant
from formats.web.sections.about import about

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MAIN, HISTORY, LAST, CUSTOM, CORE = "main", "history", "last", "custom", "core"

BLOCK_TITLES: dict[str, StrOrPromise] = {
    "main-prompt": lazy("Main prompt"),
    "world-info-before": lazy("Lore before the character"),
    "persona": lazy("Persona"),
    "character-description": lazy("Description of the character"),
    "character-personality": lazy("Personality of the character"),
    "scenario": lazy("Scenario"),
    "world-info-after": lazy("Lore after the character"),
    "dialogue-examples": lazy("Examples of dialogue"),
    "memory": lazy("Memories"),
    "authors-note": lazy("Author's note"),
    "chat-history": lazy("Messages of the chat"),
    "post-history-instructions": lazy("Instructions after the history"),
}
"""What each built-in block is called."""

GENERATION_TYPES = (
    ("normal", lazy("a reply")),
    ("continue", lazy("continuing")),
    ("regenerate", lazy("another reply")),
    ("impersonate", lazy("speaking for the user")),
    ("quiet", lazy("in the background")),
)
ROLES = (("system", lazy("system")), ("user", lazy("user")), ("assistant", lazy("assistant")))

_ENABLED = Field("enabled", lazy("Takes part"), "flag", default=True)
_ROLE = Field(
    "role", lazy("Role"), "choice", default=None, empty="null", is_half=True, choices=(("", lazy("its own")), *ROLES)
)
_PLACE = Field(
    "injectionPosition",
    lazy("Stands"),
    "choice",
    default="relative",
    is_half=True,
    choices=(("relative", lazy("here in the list")), ("in-chat", lazy("among the messages"))),
)
_DEPTH = Field(
    "injectionDepth",
    lazy("Messages after it"),
    "number",
    lazy("Among the messages: 0 is behind the newest."),
    "4",
    default=4,
    is_half=True,
)
_ORDER = Field(
    "injectionOrder",
    lazy("Order at one depth"),
    "number",
    lazy("A lower one stands first."),
    "100",
    default=100,
    is_half=True,
)
_TRIGGERS = Field(
    "triggers",
    lazy("Only for"),
    "set",
    lazy("No box ticked: for every kind of generation."),
    default=[],
    choices=GENERATION_TYPES,
)
_MODEL = Field(
    "model",
    lazy("Only for the model"),
    "line",
    lazy("Its name as requests have it; empty: every model."),
    "llama-3.1-8b",
    default=None,
    empty="null",
)
_FORBID = Field("forbidOverrides", lazy("A character's own text does not replace it"), "flag", default=False)
_CORE_FIELDS = (_ROLE, _PLACE, _DEPTH, _ORDER, _TRIGGERS, _MODEL)

VARIANTS = (
    Variant(CORE, lazy("Built-in block"), _CORE_FIELDS, lead=_ENABLED, is_fixed=True),
    Variant(
        MAIN,
        lazy("Main prompt"),
        (
            Field(
                "content",
                lazy("Text"),
                "text",
                lazy("Empty: the system prompt above, else the built-in sentence. Macros are allowed."),
            ),
            *_CORE_FIELDS,
            _FORBID,
        ),
        lead=_ENABLED,
        is_fixed=True,
    ),
    Variant(HISTORY, lazy("Messages of the chat"), (_TRIGGERS, _MODEL), lead=_ENABLED, is_fixed=True),
    Variant(LAST, lazy("Instructions after the history"), (*_CORE_FIELDS, _FORBID), lead=_ENABLED, is_fixed=True),
    Variant(
        CUSTOM,
        lazy("Block of your own"),
        (
            Field(
                "name", lazy("Name"), "line", lazy("How people read it here and in the trace."), "Style", is_half=True
            ),
            Field(
                "id",
                "Id",
                "line",
                lazy("Begins with custom- and is there once."),
                "custom-style",
                is_half=True,
                is_required=True,
                is_unique=True,
            ),
            Field("content", lazy("Text"), "text", lazy("Macros are allowed.")),
            *_CORE_FIELDS,
        ),
        {"id": "custom-new", "name": "", "content": "", "role": "system"},
        lead=_ENABLED,
    ),
)


def sort_of(block: dict[str, Any]) -> str:
    """Return which variant a block is."""
    name = block.get("id")
    if name not in CORE_BLOCKS:
        return CUSTOM
    special: dict[str, str] = {"main-prompt": MAIN, LAST_BLOCKS[0]: HISTORY, LAST_BLOCKS[1]: LAST}
    return special.get(str(name), CORE)


def _title(block: dict[str, Any]) -> str:
    return str(block.get("name") or BLOCK_TITLES.get(str(block.get("id"))) or block.get("id") or "")


def _row_summary(block: dict[str, Any]) -> str:
    """Say what differs from the usual, then how the text begins."""
    words = [str(block["role"])] if block.get("role") else []
    if block.get("injectionPosition") == "in-chat":
        words.append(_("depth %(n)s") % {"n": block.get("injectionDepth", 4)})
    words += [", ".join(block["triggers"])] if block.get("triggers") else []
    words += [str(block["model"])] if block.get("model") else []
    text = " ".join(str(block.get("content") or "").split())
    return " · ".join([*words, *([text[:60] + ("…" if len(text) > 60 else "")] if text else [])])


BLOCKS = Rows(
    "blocks",
    lazy("Blocks"),
    VARIANTS,
    _title,
    _row_summary,
    lazy(
        "From the first to the last as the prompt has them. The history and what follows it always end the list; a "
        "block that is switched off stays here."
    ),
    sort=sort_of,
    usual=tuple({"id": block.id} for block in DEFAULT_BLOCKS),
    tail=len(LAST_BLOCKS),
)


def _instructions(document: dict[str, Any]) -> str:
    text = " ".join(str(document.get("systemPrompt") or "").split())
    return (text[:90] + ("…" if len(text) > 90 else "")) or _("the built-in sentence")


def _blocks(document: dict[str, Any]) -> str:
    blocks = document.get("blocks")
    if blocks is None:
        return _("the built-in list")
    off = sum(not block.get("enabled", True) for block in blocks)
    own = sum(block.get("id") not in CORE_BLOCKS for block in blocks)
    words = [ngettext("%(n)d block", "%(n)d blocks", len(blocks)) % {"n": len(blocks)}]
    words += [_("%(n)d of your own") % {"n": own}] if own else []
    return " · ".join([*words, *([_("%(n)d switched off") % {"n": off}] if off else [])])


def _post_history(document: dict[str, Any]) -> str:
    held = document.get("postHistoryInstructions")
    text = " ".join(str(held or "").split())
    return (text[:90] + ("…" if len(text) > 90 else "")) or _("none")


PROMPT_CONFIG_SECTIONS: tuple[Section, ...] = (
    about(lazy("What it is for.")),
    Section(
        "instructions",
        lazy("Instructions"),
        _instructions,
        (
            Field(
                "systemPrompt",
                lazy("System prompt"),
                "text",
                lazy("The main prompt, unless its block has a text of its own or the character brings one."),
                "Write the next reply of {{char}}.",
            ),
        ),
    ),
    Section(
        "post-history",
        lazy("After the history"),
        _post_history,
        (
            Field(
                "postHistoryInstructions",
                lazy("Instructions after the history"),
                "text",
                lazy("The last thing that the model reads, unless the character brings its own."),
            ),
            Field(
                "postHistoryDepth",
                lazy("Messages after it"),
                "number",
                lazy("0: behind the newest message."),
                "2",
                default=0,
                is_half=True,
            ),
            Field(
                "postHistoryTokenTrigger",
                lazy("From a length of"),
                "number",
                lazy("In tokens of the conversation; 0: always."),
                "3000",
                default=0,
                is_half=True,
            ),
        ),
    ),
    Section("blocks", lazy("Blocks"), _blocks, (BLOCKS,)),
)
