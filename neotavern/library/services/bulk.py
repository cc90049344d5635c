"""One action on many objects: each is done, unchanged or refused by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from neotavern.accounts import permissions
from neotavern.accounts.actor import Actor
from neotavern.ground.errors import AppError, invalid
from neotavern.library import selectors
from neotavern.library.models import Item
from neotavern.library.services import lifecycle, tagging

Action = Literal["archive", "unarchive", "restore", "tag", "untag", "delete"]
MAX_SLUGS = 1_000


@dataclass(frozen=True, slots=True)
class BulkOutcome:
    """What became of one object."""

    slug: str
    result: Literal["done", "unchanged", "refused"]
    error: dict[str, Any] | None = None

    def wire(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"slug": self.slug, "result": self.result, "error": self.error}


def act_on_many(
    actor: Actor, *, kind: str, action: Action, slugs: Sequence[str], tag: str | None = None
) -> list[BulkOutcome]:
    """Do `action` to every object named, in order and once each; a failed one spoils only itself.

    Raises FORBIDDEN without the right to any of it, VALIDATION for too many slugs or a tag that is none.
    """
    permissions.require(actor, "delete" if action == "delete" else "write")
    act = _act(actor, action, tag)
    return [_one(actor, kind, slug, act) for slug in checked_slugs(slugs)]


def checked_slugs(slugs: Sequence[str]) -> list[str]:
    """Return each slug once. Raises VALIDATION for too many."""
    if len(slugs) > MAX_SLUGS:
        raise invalid("slugs", f"At most {MAX_SLUGS:,} objects at once, these are {len(slugs):,}.")
    return list(dict.fromkeys(slugs))


def _act(actor: Actor, action: Action, tag: str | None) -> Callable[[Item], bool]:
    """Return what does `action` to one object and tells whether that changed anything."""
    if action in ("tag", "untag"):
        if tag is None:
            raise invalid("tag", "Say which tag.")
        change = tagging.add_tag if action == "tag" else tagging.remove_tag
        text = tagging.checked_tag(tag)
        return lambda item: change(actor, item=item, tag=text)
    if action == "delete":
        return partial(_delete, actor)
    return partial(_shelve, actor, away=action == "archive")


def _delete(actor: Actor, item: Item) -> bool:
    lifecycle.delete(actor, item=item)
    return True


def _shelve(actor: Actor, item: Item, *, away: bool) -> bool:
    act = lifecycle.archive if away else lifecycle.unarchive
    return act(actor, item=item).row_version != item.row_version


def _one(actor: Actor, kind: str, slug: str, act: Callable[[Item], bool]) -> BulkOutcome:
    try:
        changed = act(selectors.get_item(actor, kind=kind, slug=slug, archived=True))
    except AppError as error:
        return BulkOutcome(slug, "refused", error.body()["error"])
    return BulkOutcome(slug, "done" if changed else "unchanged")
