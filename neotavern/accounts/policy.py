"""What a team has decided for itself: protected labels, who sets its defaults, who sees its context templates.

Kept as JSON in Team.policy.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from neotavern.accounts.actor import Actor
from neotavern.ground.errors import invalid

LABEL = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
MAX_LABELS = 64
SETTINGS_BY = ("editor", "admin")
"""Least role that changes the team's settings; owners count as administrators."""

CONTEXT_TEMPLATES_FOR = ("everyone", "admin")
"""Who sees context templates at all: everybody (and editors change them), or administrators alone."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A team's policy. Labels in `protected_labels` are moved by administrators only.

    With `context_templates_for` "admin" nobody else lists, reads or changes context templates; renders still use them.
    """

    protected_labels: frozenset[str] = frozenset()
    settings_by: str = "editor"
    context_templates_for: str = "everyone"

    def wire(self) -> dict[str, Any]:
        """Return the form of the API and of the table."""
        return {
            "protectedLabels": sorted(self.protected_labels),
            "settingsBy": self.settings_by,
            "contextTemplatesFor": self.context_templates_for,
        }

    def stored(self) -> str:
        """Return the text for Team.policy."""
        return json.dumps(self.wire(), separators=(",", ":"))


def parse(text: str) -> Policy:
    """Return the policy of a stored text; what is missing or not ours has its default."""
    values = json.loads(text or "{}")
    settings_by, templates_for = values.get("settingsBy"), values.get("contextTemplatesFor")
    return Policy(
        protected_labels=frozenset(name for name in values.get("protectedLabels", ()) if isinstance(name, str)),
        settings_by=settings_by if settings_by in SETTINGS_BY else "editor",
        context_templates_for=templates_for if templates_for in CONTEXT_TEMPLATES_FOR else "everyone",
    )


def checked(labels: list[str], settings_by: str, context_templates_for: str = "everyone") -> Policy:
    """Return the policy that a person asks for. Raises VALIDATION."""
    for name in labels:
        if not LABEL.fullmatch(name):
            raise invalid(
                "policy.protectedLabels",
                _("%(name)s is no label: a-z 0-9 . _ - and at most 64 of them.") % {"name": name[:80]},
            )
    if len(labels) > MAX_LABELS:
        raise invalid("policy.protectedLabels", _("More than %(most)s protected labels.") % {"most": MAX_LABELS})
    if settings_by not in SETTINGS_BY:
        raise invalid("policy.settingsBy", _("Say editor or admin."))
    if context_templates_for not in CONTEXT_TEMPLATES_FOR:
        raise invalid("policy.contextTemplatesFor", _("Say everyone or admin."))
    return Policy(frozenset(labels), settings_by, context_templates_for)


def of(actor: Actor) -> Policy:
    """Return the policy of the caller's team: one query."""
    from neotavern.accounts.models import Team

    return parse(Team.objects.values_list("policy", flat=True).get(pk=actor.team_id))
