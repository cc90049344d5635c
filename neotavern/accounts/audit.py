"""Writes the audit trail; called inside the transaction of the change it records."""

from __future__ import annotations

from neotavern.accounts.actor import Actor
from neotavern.accounts.models import AuditEntry


def record(
    actor: Actor,
    action: str,
    *,
    item_kind: str = "",
    item_slug: str = "",
    from_number: int | None = None,
    to_number: int | None = None,
    before: str = "",
    after: str = "",
) -> None:
    """Append one entry. `before` and `after` are JSON or plain text, empty where there is nothing to say."""
    kind = "key" if actor.is_key else "user" if actor.user is not None else "command"
    AuditEntry.objects.create(
        team_id=actor.team_id,
        at=actor.now,
        actor_kind=kind,
        actor_id=actor.key_id if actor.is_key else getattr(actor.user, "pk", None),
        actor_name=actor.name[:150],
        via=actor.via,
        action=action,
        item_kind=item_kind,
        item_slug=item_slug,
        from_number=from_number,
        to_number=to_number,
        before=before,
        after=after,
        request_id=actor.request_id,
    )
