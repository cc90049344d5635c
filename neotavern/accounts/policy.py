"""What a team has decided for itself: protected labels, and who sets its defaults. Kept as JSON in Team.policy."""

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


@dataclass(frozen=True, slots=True)
class Policy:
    """A team's policy. Labels in `protected_labels` are moved by administrators only."""

    protected_labels: frozenset[str] = frozenset()
    settings_by: str = "editor"

    def wire(self) -> dict[str, Any]:
        """Return the form of the API and of the table."""
        return {"protectedLabels": sorted(self.protected_labels), "settingsBy": self.settings_by}

    def stored(self) -> str:
        """Return the text for Team.policy."""
        return json.dumps(self.wire(), separators=(",", ":"))


def parse(text: str) -> Policy:
    """Return the policy of a stored text; what is missing or not ours has its default."""
    values = json.loads(text or "{}")
    settings_by = values.get("settingsBy")
    return Policy(
        protected_labels=frozenset(name for name in values.get("protectedLabels", ()) if isinstance(name, str)),
        settings_by=settings_by if settings_by in SETTINGS_BY else "editor",
    )


def checked(labels: list[str], settings_by: str) -> Policy:
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
    return Policy(protected_labels=frozenset(labels), settings_by=settings_by)


def of(actor: Actor) -> Policy:
    """Return the policy of the caller's team: one query."""
    from neotavern.accounts.models import Team

    return parse(Team.objects.values_list("policy", flat=True).get(pk=actor.team_id))
