"""Sections of the interceptor form: rules of three sorts, in the order in which they run."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from chats.web.editors.words import ANY_ROLES, ROLES, TAGS, beginning
from formats.web.field import Field, Rows, Section, Variant

_ROLES = Field(
    "roles", lazy("Only messages of"), "set", lazy("No box ticked: of every role."), default=[], choices=ANY_ROLES
)
_ORIGINS = Field(
    "origins",
    lazy("Only from"),
    "items",
    lazy("One a line, as the trace names them: lore means every entry, lore:12 one of them. Empty: from everywhere."),
    "lore",
    default=[],
)

REPLACE = Variant(
    "replace",
    lazy("Find and replace"),
    (
        Field(
            "find", lazy("Find"), "text", lazy("A text, or a pattern when the box below is ticked."), is_required=True
        ),
        Field("replace", lazy("Replace with"), "text", lazy("Empty: what is found goes away. \\1 is the first group.")),
        Field("regex", lazy("It is a pattern (RE2: no look-around)"), "flag", default=False),
        Field("caseSensitive", lazy("Large and small letters differ"), "flag", default=True),
        _ROLES,
        _ORIGINS,
    ),
    {"type": "replace", "find": ""},
)
INSERT = Variant(
    "insert",
    lazy("Insert a message"),
    (
        Field("content", lazy("Text"), "text", lazy("Stays as typed: macros mean nothing here."), is_required=True),
        Field("role", lazy("Role"), "choice", default="system", choices=ROLES, is_half=True),
        Field("depth", lazy("Messages after it"), "number", lazy("0: at the very end."), "0", default=0, is_half=True),
    ),
    {"type": "insert", "content": "", "role": "system", "depth": 0},
)
DROP = Variant(
    "drop",
    lazy("Drop messages"),
    (_ROLES, _ORIGINS),
    {"type": "drop", "roles": [], "origins": []},
)


def _sort(rule: dict[str, Any]) -> str:
    return str(rule.get("type") or "replace")


def _title(rule: dict[str, Any]) -> Any:
    return {"insert": INSERT.label, "drop": DROP.label}.get(_sort(rule), REPLACE.label)


def _line(rule: dict[str, Any]) -> str:
    if _sort(rule) == "insert":
        return beginning(rule.get("content"))
    if _sort(rule) == "drop":
        named = [*(rule.get("roles") or []), *(rule.get("origins") or [])]
        return ", ".join(map(str, named)) or _("nothing yet")
    return f"{beginning(rule.get('find'))} → {beginning(rule.get('replace')) or '∅'}"


def _rules(document: dict[str, Any]) -> str:
    rules = len(document.get("rules") or [])
    return ngettext("%(n)d rule", "%(n)d rules", rules) % {"n": rules} if rules else _("none")


def _about(document: dict[str, Any]) -> str:
    state = _("on") if document.get("enabled", True) else _("switched off")
    return " · ".join([state, _("priority %(n)s") % {"n": document.get("priority", 100)}])


INTERCEPTOR_SECTIONS: tuple[Section, ...] = (
    Section(
        "about",
        lazy("About"),
        _about,
        (
            Field("name", lazy("Name"), "line", lazy("How the trace calls it."), "No em dashes", is_required=True),
            Field("description", lazy("Description"), "text"),
            Field("enabled", lazy("Switched on"), "flag", default=True),
            Field(
                "priority",
                lazy("Priority"),
                "number",
                lazy("Of several a lower one runs first; of equal ones the name decides."),
                "100",
                default=100,
                is_half=True,
            ),
            Field(
                "extensions.package",
                lazy("Code of an installed package"),
                "line",
                lazy("The name of its entry point in the group neotavern.interceptors; empty: the rules below."),
                "my-filter",
                empty="absent",
            ),
            TAGS,
        ),
    ),
    Section(
        "rules",
        lazy("Rules"),
        _rules,
        (
            Rows(
                "rules",
                lazy("Rules"),
                (REPLACE, INSERT, DROP),
                _title,
                _line,
                lazy("They run from the first to the last; each sees what the one before it made."),
                sort=_sort,
            ),
        ),
    ),
)
