"""What the pages of a lorebook have in common: the book as the address names it, and its tabs."""

from __future__ import annotations

from typing import Any

from chats.lore_rows import rows_at
from chats.stored.lorebook import KIND
from neotavern.accounts.web_access import PageRequest
from neotavern.library import selectors
from neotavern.library.models import Item, Revision
from neotavern.library.web.addresses import number_of
from neotavern.library.web.items import around

PLACES = (
    "before_character", "after_character", "note_top", "note_bottom", "at_depth", "examples_top", "examples_bottom",
)  # fmt: skip


def book_of(request: PageRequest, slug: str) -> tuple[Item, Revision]:
    """Return the book, archived ones too, and the revision that `?revision=` asks for. Raises NOT_FOUND."""
    book = selectors.get_item(request.actor, kind=KIND.name, slug=slug, archived=True)
    return book, selectors.revision(book, number=number_of(request.GET.get("revision", "")))


def context(request: PageRequest, book: Item, revision: Revision, tab: str, **more: Any) -> dict[str, Any]:
    """Return what a page of the book shows around its content."""
    return around(request, KIND, book, revision, tab=tab, entry_count=rows_at(book.pk, revision.number).count(), **more)
