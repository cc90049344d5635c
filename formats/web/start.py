"""What a new format starts from: a plain layout, or an existing format."""

from __future__ import annotations

from typing import Any

from formats.stored.instruct_format import NAME
from neotavern.accounts.actor import Actor
from neotavern.library import selectors

MOST_CHOICES = 200

PLAIN: dict[str, Any] = {
    "kind": NAME,
    "version": 2,
    "id": "",
    "name": "",
    "system": "{{{content}}}\n\n",
    "user": "User: {{{content}}}\n",
    "assistant": "Assistant: {{{content}}}\n",
    "tool": "Tool: {{{content}}}\n",
    "promptSuffix": "Assistant:",
    "stopStrings": ["\nUser:"],
}


def start_document(actor: Actor, slug: str) -> dict[str, Any]:
    """Return the document of the format `slug` without its name, or the plain layout. Raises NOT_FOUND."""
    if not slug:
        return dict(PLAIN)
    item = selectors.get_item(actor, kind=NAME, slug=slug)
    return selectors.document(item, selectors.revision(item)) | {"id": "", "name": ""}


def start_choices(actor: Actor) -> list[dict[str, Any]]:
    """Return the formats that a new one may start from, by name."""
    items = selectors.list_items(actor, kind=NAME, limit=MOST_CHOICES).items
    return sorted(items, key=lambda item: item["name"].casefold())
