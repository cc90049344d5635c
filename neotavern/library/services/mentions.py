"""What a document may name: things that are there, not in the trash, and fit to be used."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from neotavern.accounts.actor import Actor
from neotavern.ground.errors import AppError, invalid
from neotavern.library.kinds import Mention
from neotavern.library.models import Checks, Item, Revision
from neotavern.library.pointers import LATEST, parse_pointer
from neotavern.library.privacy import is_private, visible
from neotavern.library.services.prepare import Prepared


def verify(actor: Actor, prepared: Prepared) -> None:
    """Raise VALIDATION at the first mention that does not lead to a green or forced revision.

    The named items are held until the save is done, so that none of them is archived at the same moment.
    """
    kind, document = prepared.kind, prepared.valid.document
    shares = kind.private_until_shared and not is_private(kind, document)
    _verify(actor, prepared.valid.mentions, shares=shares)


def verify_revision(actor: Actor, revision: Revision) -> None:
    """Raise VALIDATION at the first reference of a stored revision that leads nowhere by now."""
    rows = revision.references.order_by("path").values_list("path", "target_kind", "target_slug", "pin")
    _verify(actor, [Mention(path, kind, parse_pointer(f"{slug}@{pin}")) for path, kind, slug, pin in rows])


def _verify(actor: Actor, mentions: Iterable[Mention], *, shares: bool = False) -> None:
    for mention in mentions:
        item = _hold(actor, mention)
        if item is None:
            raise _refused(mention, "names nothing in this team or among the built-ins")
        if shares and item.is_private:
            raise _refused(mention, "is private: share it first, or others could not use what names it")
        if item.is_archived:
            raise _refused(mention, "is archived")
        _verify_pin(mention, item)


def _hold(actor: Actor, mention: Mention) -> Item | None:
    rows = Item.objects.filter(
        Q(team_id=actor.team_id) & visible(actor) | Q(team=None), kind=mention.kind, slug=mention.pointer.slug
    ).select_for_update()
    return min(rows, key=lambda item: item.is_builtin, default=None)


def _verify_pin(mention: Mention, item: Item) -> None:
    pointer = mention.pointer
    number = pointer.number
    if number is None:
        labelled = item.labels.filter(name=pointer.label).values_list("number", flat=True).first()
        number = item.head if pointer.label == LATEST else labelled
        if number is None and pointer.label == LATEST:
            raise _refused(mention, "has no revision whose checks are green or forced")
    revision = item.revisions.filter(number=number).first() if number is not None else None
    if revision is None:
        raise _refused(mention, "has no such label or revision")
    if revision.checks == Checks.RED:
        raise _refused(mention, "is a revision whose checks are red")


def _refused(mention: Mention, problem: str) -> AppError:
    return invalid(mention.path, f"'{mention.pointer}' {problem}.", slug=mention.pointer.slug)
