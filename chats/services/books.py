"""Stored lorebooks, compiled once for each content."""

from __future__ import annotations

from chats.documents import InlineLorebook, Lorebook, LoreEntry, validate
from chats.lore import CompiledBook, compile_book
from chats.services.cache import ContentCache
from neotavern.library import resolve
from neotavern.library.resolve import Found

CACHED_BOOKS = 64
_BOOKS: ContentCache[CompiledBook] = ContentCache(CACHED_BOOKS)


def stored_book(found: Found, name: str) -> CompiledBook:
    """Return the book of a revision; its rows are read only when no equal one is ready."""
    return _BOOKS.get_or_make(f"{name}:{found.revision_id}:{found.content_hash}", lambda: _compiled(found, name))


def _compiled(found: Found, name: str) -> CompiledBook:
    document = resolve.document(found.revision_id)
    if "entries" in document:
        return compile_book(validate(InlineLorebook, document), book_id=name)
    entries: tuple[LoreEntry, ...] = ()
    return compile_book(validate(Lorebook, document), entries, book_id=name)
