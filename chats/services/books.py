"""Stored lorebooks, compiled once for each revision."""

from __future__ import annotations

from chats import selectors
from chats.lore import CompiledBook, compile_book
from chats.services.cache import ContentCache
from neotavern.library import resolve
from neotavern.library.resolve import Found

CACHED_BOOKS = 64
_BOOKS: ContentCache[CompiledBook] = ContentCache(CACHED_BOOKS)


def stored_book(found: Found, name: str) -> CompiledBook:
    """Return the book of a revision; its rows are read only when it is not ready.

    Its id is its slug: what a chat remembers of its entries does not depend on how the book is referred to.
    """
    slug = name.partition("@")[0]
    key = f"{slug}:{found.item_id}:{found.number}:{found.content_hash}"
    return _BOOKS.get_or_make(key, lambda: _compiled(found, slug))


def _compiled(found: Found, slug: str) -> CompiledBook:
    settings, entries = selectors.book(found, resolve.document(found.revision_id))
    return compile_book(settings, entries, book_id=slug)
