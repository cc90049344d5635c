"""Section Policies: what happens to messages before the templates see them."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from formats.web.field import Field, Section

FIRST = (
    ("block", lazy("its own turn")),
    ("fold_first_user", lazy("put before the first user message")),
    ("fold_last_user", lazy("put before the last user message")),
    ("as_user", lazy("written as a user message")),
    ("drop", lazy("left out")),
    ("error", lazy("refused")),
)
LATER = (
    ("block", lazy("its own turn")),
    ("as_user", lazy("written as a user message")),
    ("merge_first", lazy("added to the first")),
    ("drop", lazy("left out")),
    ("error", lazy("refused")),
)
ALTERNATION = (
    ("none", lazy("written as they come")),
    ("merge", lazy("merged into one turn")),
    ("filler", lazy("parted by a filler turn")),
    ("error", lazy("refused")),
)
NAMES = (
    ("none", lazy("not passed on")),
    ("template", lazy("for the templates to use")),
    ("prefix", lazy("written before the text, as Name:")),
)
VARIANTS = (
    ("firstUser", lazy("First user turn")),
    ("lastUser", lazy("Last user turn")),
    ("firstAssistant", lazy("First assistant turn")),
    ("lastAssistant", lazy("Last assistant turn")),
    ("lastAssistantClosed", lazy("Last assistant turn, when it is finished")),
)


def _policies(document: dict[str, Any]) -> str:
    trim = [role for role, on in (document.get("trim") or {}).items() if on]
    policy = document.get("systemPolicy") or {}
    parts = [
        _("trims %(roles)s") % {"roles": ", ".join(trim)} if trim else _("text as it is"),
        _("system: %(what)s") % {"what": dict(FIRST).get(policy.get("first", "block"), "")},
        _("turns of one role: %(what)s") % {"what": dict(ALTERNATION).get(document.get("alternation", "none"), "")},
    ]
    if document.get("variants"):
        parts.append(_("turns with templates of their own"))
    return "; ".join(parts)


POLICIES = Section(
    "policies",
    lazy("Policies"),
    _policies,
    (
        Field(
            "defaultSystem",
            lazy("Default system text"),
            "text",
            lazy("Used when the conversation has no system message. Empty: then there is no system turn."),
            "You are a helpful assistant.",
            default=None,
            empty="null",
        ),
        Field(
            "systemPolicy.first",
            lazy("First system message"),
            "choice",
            "",
            default="block",
            choices=FIRST,
            is_half=True,
        ),
        Field("systemPolicy.later", lazy("Later ones"), "choice", "", default="block", choices=LATER, is_half=True),
        Field(
            "systemPolicy.wrap",
            lazy("System text inside a user turn"),
            "template",
            lazy("How a system text is written when it is folded or written as a user message; content is the text."),
            "<<SYS>>\n{{{content}}}\n<</SYS>>\n\n",
            default=None,
            empty="null",
        ),
        Field(
            "systemPolicy.keepEmpty",
            lazy("Empty system text is written too"),
            "flag",
            lazy("Where it is folded or written as a user message."),
            default=False,
        ),
        Field(
            "partJoiner",
            lazy("Between text parts"),
            "literal",
            lazy("Of one message."),
            is_half=True,
        ),
        Field(
            "alternation",
            lazy("Turns of one role in a row"),
            "choice",
            default="none",
            choices=ALTERNATION,
            is_half=True,
        ),
        Field("names", lazy("Names of speakers"), "choice", default="template", choices=NAMES, is_half=True),
        Field(
            "mergeSeparator",
            lazy("Between merged texts"),
            "literal",
            lazy("Two newlines unless you say otherwise."),
            default="\n\n",
            is_half=True,
        ),
        Field(
            "fillerUser",
            lazy("Filler turn"),
            "text",
            lazy("The text of a user turn that parts two of the model's."),
            "Continue.",
            is_half=True,
        ),
        Field("trim.system", lazy("Trim system text"), "flag", default=False, is_half=True),
        Field("trim.user", lazy("Trim user text"), "flag", default=False, is_half=True),
        Field("trim.assistant", lazy("Trim assistant text"), "flag", default=False, is_half=True),
        Field("trim.tool", lazy("Trim tool results"), "flag", default=False, is_half=True),
        *(
            Field(
                f"variants.{key}",
                label,
                "template",
                lazy("Replaces the role's template at this place. Empty: it does not."),
                default=None,
                empty="absent",
            )
            for key, label in VARIANTS
        ),
        Field(
            "processors",
            lazy("Processors"),
            "json",
            lazy("A list of named steps with parameters: date gives templates a date, date_header writes it."),
            '[{"name": "date", "format": "%d %b %Y"}]',
            default=[],
            empty="absent",
        ),
        Field(
            "chatTemplate",
            lazy("Jinja chat template"),
            "jinja",
            lazy(
                "When it is set, it writes the whole prompt and the role templates rest. For layouts that data can not "
                "say."
            ),
            "{% for message in messages %}…{% endfor %}",
            default=None,
            empty="null",
        ),
    ),
)
