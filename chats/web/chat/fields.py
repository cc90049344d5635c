"""The fields of a chat's settings: who takes part, which lore, which prompt, the author's note.

What a field names is chosen from a list of the objects of its kind. A kind that nobody has registered has no list yet,
and appears by itself once it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from chats.stored import names
from chats.web.chat.choices import Choices
from formats.web.field import Field, Section
from formats.web.sections.presets import INFILLS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of references; a form has one choice for each, and an empty one to add another."""

    path: str
    kind: str
    label: StrOrPromise
    help: StrOrPromise = ""


VARIABLES: Final = "variables"
KINDS: Final = {
    "character": names.CHARACTER,
    "persona": names.PERSONA,
    "preset": names.PRESET,
    "format": names.FORMAT,
    "contextTemplate": names.CONTEXT_TEMPLATE,
    "promptConfig": names.PROMPT_CONFIG,
}
"""Field that names one object → its kind."""

LISTS: Final = {
    "who": (
        Listed("characters", names.CHARACTER, lazy("Others in the scene"), lazy("The rest of the cast, in order.")),
    ),
    "lore": (
        Listed(
            "lorebooks",
            names.LOREBOOK,
            lazy("Lorebooks"),
            lazy("Besides those that character and persona name themselves."),
        ),
        Listed("memories", names.MEMORY, lazy("Memories")),
    ),
    "prompt": (Listed("interceptors", names.INTERCEPTOR, lazy("Interceptors"), lazy("They run by their priority.")),),
}
"""Section → the lists at its end."""

POSITIONS: Final = (
    ("at_depth", lazy("among the newest messages")),
    ("before", lazy("before the lore")),
    ("after", lazy("after the lore")),
)
ROLES: Final = (("system", "system"), ("user", "user"), ("assistant", "assistant"))
NOTHING: Final = lazy("none")
BY_SETTINGS: Final = lazy("as the settings say")


def sections(choices: Choices, document: dict[str, Any]) -> tuple[Section, ...]:
    """Return the sections of the form, with what each field may name."""
    return (
        _who_section(choices, document),
        LORE_SECTION,
        _prompt_section(choices, document),
        NOTE_SECTION,
        MORE_SECTION,
    )


def _named(
    choices: Choices,
    document: dict[str, Any],
    path: str,
    label: StrOrPromise,
    *,
    help_: StrOrPromise = "",
    nothing: StrOrPromise = NOTHING,
) -> Field:
    """Return a field that names an object of the team."""
    options = (("", nothing), *choices.of(KINDS[path], document.get(path)))
    return Field(path, label, "choice", help_, default=None, empty="null", choices=options, is_half=True)


def _who_section(choices: Choices, document: dict[str, Any]) -> Section:
    return Section(
        "who",
        lazy("Who takes part"),
        lambda one: _who(one, choices),
        (
            Field("name", lazy("Name"), "line", lazy("How people read it in lists."), "Ferry at dusk"),
            _named(choices, document, "character", lazy("Character"), help_=lazy("Speaks next.")),
            _named(choices, document, "persona", lazy("Persona"), help_=lazy("Who the user is.")),
            Field("scenario", lazy("Scenario"), "text", lazy("Replaces the character's. Empty: the character's."),
                  default=None, empty="null"),
        ),
    )  # fmt: skip


def _prompt_section(choices: Choices, document: dict[str, Any]) -> Section:
    otherwise = lazy("as preset and settings say")
    styled = [
        _named(choices, document, "preset", lazy("Preset"), nothing=BY_SETTINGS),
        _named(choices, document, "format", lazy("Format"), nothing=otherwise),
        _named(choices, document, "contextTemplate", lazy("Context template"), nothing=otherwise),
        _named(choices, document, "promptConfig", lazy("Prompt config"), nothing=otherwise),
    ]

    def is_there(field: Field) -> bool:
        """Whether there is anything to choose: a kind that nobody registered, or that is kept from one, has no list."""
        return not choices.options or KINDS[field.path] in choices.options or bool(document.get(field.path))

    shown = tuple(field for field in styled if is_there(field))
    return Section("prompt", lazy("Prompt"), lambda one: _prompt(one, choices), shown)


def listed() -> Iterable[Listed]:
    """Return every field that is a list of references."""
    return (one for members in LISTS.values() for one in members)


# the line of a closed section


def overview(chat: dict[str, Any], choices: Choices) -> str:
    """Return the line of the settings as a whole: who takes part, and what differs from the usual."""
    words = [_who(chat, choices)]
    words += [_lore(chat)] if chat.get("lorebooks") or chat.get("memories") else []
    words += [
        one
        for path in ("preset", "format", "contextTemplate", "promptConfig")
        if (one := choices.name(KINDS[path], chat.get(path)))
    ]
    words += [_("author's note")] if (chat.get("authorsNote") or {}).get("content") else []
    return " · ".join(words)


def _who(chat: dict[str, Any], choices: Choices) -> str:
    others = [choices.name(names.CHARACTER, one) for one in chat.get("characters") or ()]
    people = [choices.name(names.CHARACTER, chat.get("character")), *others]
    persona = choices.name(names.PERSONA, chat.get("persona"))
    words = [", ".join(one for one in people if one)]
    words += [_("you are %(name)s") % {"name": persona}] if persona else []
    return " · ".join(one for one in words if one) or _("nobody yet")


def _lore(chat: dict[str, Any]) -> str:
    books, memories = len(chat.get("lorebooks") or ()), len(chat.get("memories") or ())
    words = [ngettext("%(n)d lorebook", "%(n)d lorebooks", books) % {"n": books}] if books else []
    words += [ngettext("%(n)d memory", "%(n)d memories", memories) % {"n": memories}] if memories else []
    return ", ".join(words) or _("none of its own")


def _prompt(chat: dict[str, Any], choices: Choices) -> str:
    named = [
        choices.name(KINDS[path], chat.get(path)) for path in ("preset", "format", "contextTemplate", "promptConfig")
    ]
    return " · ".join(one for one in named if one) or _("as the settings say")


def _note(chat: dict[str, Any]) -> str:
    note = chat.get("authorsNote") or {}
    text = " ".join(str(note.get("content") or "").split())
    return (text[:80] + ("…" if len(text) > 80 else "")) or _("none")


def _more(chat: dict[str, Any]) -> str:
    count = len(chat.get(VARIABLES) or {})
    words = [ngettext("%(n)d variable", "%(n)d variables", count) % {"n": count}] if count else []
    return " · ".join([*words, ", ".join(chat.get("tags") or ())]).strip(" ·") or _("nothing set")


LORE_SECTION: Final = Section(
    "lore",
    lazy("Lore and memory"),
    _lore,
    (
        Field("infill", lazy("Lore is chosen"), "choice", default=None, empty="null", is_half=True,
              choices=(("", BY_SETTINGS), *INFILLS[1:])),
    ),
)  # fmt: skip
NOTE_SECTION: Final = Section(
    "note",
    lazy("Author's note"),
    _note,
    (
        Field("authorsNote.content", lazy("Text"), "text",
              lazy("Steers the chat from where it stands; macros work."), "[Slow down; describe the water.]"),
        Field("authorsNote.position", lazy("Where"), "choice", default="at_depth", is_half=True, choices=POSITIONS),
        Field("authorsNote.depth", lazy("Depth"), "number", lazy("Messages from the end; 0 is the very end."),
              "4", default=4, empty="absent", is_half=True),
        Field("authorsNote.role", lazy("Role"), "choice", default="system", is_half=True, choices=ROLES),
        Field("authorsNote.interval", lazy("Every n-th user message"), "number",
              lazy("1: always; 0: never."), "1", default=1, empty="absent", is_half=True),
    ),
)  # fmt: skip
MORE_SECTION: Final = Section(
    "more",
    lazy("Variables, description, tags"),
    _more,
    (
        Field(VARIABLES, lazy("Variables"), "text",
              lazy("One name=value a line; texts use them as macros. They win over the team's."),
              "place=the harbour", default={}),
        Field("description", lazy("Description"), "text", lazy("For people; it is in no prompt.")),
        Field("tags", lazy("Tags"), "tags", lazy("Separated by commas; lists can be narrowed by them."),
              "night, ferry", default=[]),
    ),
)  # fmt: skip
