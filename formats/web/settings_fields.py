"""The fields of the settings form: what each is called, what it may be, and how its text is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from formats.web.variables import VARIABLES, read_rows
from formats.web.widgets import Unreadable, unescaped
from neotavern.accounts.actor import Actor
from neotavern.ground.errors import invalid
from neotavern.library import kinds, selectors

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MOST_CHOICES = 200
TEAM = "="
"""The choice "as the team has it": no slug and no value of any field looks like it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `kind` is that of what it names; `choices` are its values; neither: a number, or the variables."""

    name: str
    label: StrOrPromise
    help: StrOrPromise = ""
    kind: str = ""
    choices: tuple[tuple[str, StrOrPromise], ...] = ()
    nothing: StrOrPromise = ""
    is_number: bool = False

    @property
    def is_text(self) -> bool:
        """True for what is typed."""
        return not (self.kind or self.choices)


BOOLEANS: dict[str, Any] = {"true": True, "false": False}
ALL = (
    Setting(
        "instructFormat",
        lazy("Active format"),
        lazy(
            "Turns the conversation into one text. With none, a request that names no format gets its messages back "
            "as a role-tagged list."
        ),
        kind="instruct-format",
        nothing=lazy("none: native structured"),
    ),
    Setting(
        "preset",
        lazy("Preset"),
        lazy("A bundle that stands behind the fields here."),
        kind="preset",
        nothing=lazy("none"),
    ),
    Setting("contextTemplate", lazy("Context template"), kind="context-template", nothing=lazy("none")),
    Setting("promptConfig", lazy("Prompt config"), kind="prompt-config", nothing=lazy("none")),
    Setting(
        "serializeAsText",
        lazy("Conversation as text"),
        lazy("Text-completion back ends always get text; this decides for chat back ends."),
        choices=(("true", lazy("always one text")), ("false", lazy("always messages"))),
        nothing=lazy("as the back end needs it"),
    ),
    Setting(
        "contextStrategy",
        lazy("When it does not fit"),
        choices=(
            ("truncate", lazy("leave out the oldest messages")),
            ("summarize", lazy("summarise the oldest messages")),
            ("vector-recall", lazy("recall what fits by meaning")),
            ("manual", lazy("leave out what was marked, then the oldest")),
        ),
    ),
    Setting("maxContextTokens", lazy("Context size"), lazy("In tokens; empty: no limit."), is_number=True),
    Setting("reserveForReply", lazy("Kept for the reply"), lazy("In tokens."), is_number=True),
    Setting(
        "contextCut",
        lazy("Cut in steps of"),
        lazy(
            "In tokens: turns leave in steps of this size, so that the prompt begins the same for many turns and a "
            "back end can reuse its work. Empty or 0: one turn at a time."
        ),
        is_number=True,
    ),
    Setting(
        "infill",
        lazy("Lore is chosen"),
        choices=(
            ("auto", lazy("automatic")),
            ("keyword", lazy("by keyword")),
            ("vector", lazy("by meaning")),
            ("hybrid", lazy("both")),
        ),
        nothing=lazy("as the server does"),
    ),
    Setting("variables", lazy("Variables")),
)


def shown_settings() -> list[Setting]:
    """Return the settings that this server has: those that name a kind which nobody registered are left out."""
    known = {kind.name for kind in kinds.kinds()}
    return [one for one in ALL if not one.kind or one.kind in known]


def choices_of(actor: Actor, setting: Setting, value: Any) -> list[tuple[str, str]]:
    """Return what may be chosen, the present value among it."""
    if not setting.kind:
        return [(name, str(words)) for name, words in setting.choices]
    items = selectors.list_items(actor, kind=setting.kind, limit=MOST_CHOICES).items
    items.sort(key=lambda item: (item["builtin"], item["name"].casefold()))
    mark = _("built-in")
    found = [
        (one["slug"], f"{one['name']} ({one['slug']})" + (f" · {mark}" if one["builtin"] else "")) for one in items
    ]
    if value and value not in {slug for slug, _words in found}:
        found.insert(0, (value, value))
    return found


def to_text(setting: Setting, value: Any) -> str:
    """Return what the form shows for a value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def read_value(setting: Setting, text: str) -> Any:
    """Return the value of a text; empty is null. Raises VALIDATION at the setting."""
    if setting.is_number:
        if not text.strip():
            return None
        if not (text.strip().isascii() and text.strip().isdigit() and len(text.strip()) < 12):
            raise invalid(setting.name, _("This is not a whole number."))
        return int(text)
    return BOOLEANS.get(text, text or None)


def read_changes(post: Mapping[str, str], base: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that the form changed from `base`."""
    changes: dict[str, Any] = {}
    if (variables := read_rows(post, base)) is not None and variables != base.get(VARIABLES):
        changes[VARIABLES] = variables
    for one in shown_settings():
        text = None if one.name == VARIABLES else post.get(one.name)
        if text is None or text.replace("\r\n", "\n") == to_text(one, base.get(one.name)):
            continue
        changes[one.name] = read_value(one, text.replace("\r\n", "\n"))
    return changes


def read_variables(text: str) -> dict[str, str]:
    """Return the variables of `name=value` lines; `\\n` in a value is a newline. Raises VALIDATION with the line."""
    variables: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        name, sign, value = line.partition("=")
        if not sign or not name.strip():
            raise invalid("variables", _("Line %(n)d is not name=value.") % {"n": number})
        try:
            variables[name.strip()] = unescaped(value, number)
        except Unreadable as error:
            raise invalid("variables", _("Line %(n)d: %(why)s") % {"n": number, "why": error.message}) from error
    return variables
