"""Tags of the library in the page frame: the collections of the top bar."""

from __future__ import annotations

from typing import Any

from django import template

from neotavern.library.web.collections import ASIDE, IN_SIGHT, collections, title_of

register = template.Library()


@register.simple_tag
def shelves() -> dict[str, list[dict[str, Any]]]:
    """Return the collections as `path` and `title`: those in sight, those in the menu, and all of them."""
    found = [{"path": kind.plural_path, "title": title_of(kind)} for kind in collections()]
    in_sight = [one for one in found if one["path"] not in ASIDE][:IN_SIGHT]
    return {"in_sight": in_sight, "aside": [one for one in found if one not in in_sight], "every": found}
