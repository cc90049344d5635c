"""Tags of the library in the page frame: the collections of the top bar."""

from __future__ import annotations

from typing import Any

from django import template

from neotavern.library import selectors
from neotavern.library.closed import closed_kinds
from neotavern.library.web.collections import ASIDE, IN_SIGHT, collections, title_of

register = template.Library()
MOST_NAMED = 200


@register.simple_tag(takes_context=True)
def shelves(context: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the collections as `path` and `title`: those in sight, those in the menu, and all of them.

    A kind that the team keeps to its administrators is on nobody else's shelves.
    """
    actor = getattr(context.get("request"), "actor", None)
    closed = closed_kinds(actor) if actor is not None else frozenset()
    shown = [kind for kind in collections() if kind.name not in closed]
    found = [{"path": kind.plural_path, "title": title_of(kind)} for kind in shown]
    in_sight = [one for one in found if one["path"] not in ASIDE][:IN_SIGHT]
    return {"in_sight": in_sight, "aside": [one for one in found if one not in in_sight], "every": found}


@register.simple_tag(takes_context=True)
def objects_of(context: dict[str, Any], kind: str) -> list[tuple[str, str]]:
    """Return slug and name of the objects of a kind that the person may name, by name; the newest 200."""
    actor = getattr(context.get("request"), "actor", None)
    if actor is None or kind in closed_kinds(actor):
        return []
    items = selectors.list_items(actor, kind=kind, limit=MOST_NAMED).items
    return sorted(((one["slug"], one["name"]) for one in items), key=lambda one: one[1].casefold())
