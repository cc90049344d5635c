"""Every foreign file that is read here, in the order in which they are told apart."""

from __future__ import annotations

from typing import Any, Final

from chats.interchange import books_other, card, chat_st, lorebook
from chats.interchange.card_png import is_png, read_png
from chats.interchange.reading import Reader

READERS: Final[tuple[Reader, ...]] = (
    *card.READERS,
    *books_other.READERS,
    *lorebook.READERS,
    *chat_st.READERS,
)


def reader_of(kind: str, document: Any) -> Reader | None:
    """Return the first reader that knows `document` and makes a document of `kind`."""
    return next((reader for reader in READERS if reader.kind == kind and reader.knows(document)), None)


def read_file(raw: bytes) -> list[Any] | None:
    """Return the documents of a file that is no JSON document: a picture with a card, the lines of a chat.

    None for any other file. Raises DocumentError for one that should have a document and has none.
    """
    if is_png(raw):
        return [read_png(raw)]
    lines = chat_st.parse_lines(raw)
    return None if lines is None else [lines]
