"""Who takes part in a render, from what a request carries and names: documents of characters, personas, books."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import orjson

from chats.documents import Character, DocumentError, Memory, Persona, keep_unknown, read_book, validate
from chats.documents.chat import AuthorsNote
from chats.lore import CompiledBook, compile_book
from chats.pipeline.cast import NOBODY, Cast
from chats.services.cache import ContentCache
from chats.services.request import RenderRequest
from formats.prompt.errors import Fault
from formats.prompt.fields import Closed
from formats.prompt.findings import Finding

D = TypeVar("D", bound=Closed)
Stored = Callable[[str, str], Mapping[str, Any]]
"""A kind and a reference → the stored document."""

KINDS: Final[Mapping[str, str]] = {
    "character": "character",
    "characters": "character",
    "persona": "persona",
    "lorebooks": "lorebook",
    "memories": "memory",
    "chat": "chat",
    "prompt_config": "prompt-config",
    "context_template": "context-template",
}
"""Field of a request → kind of the objects that it names."""

CACHED_BOOKS: Final = 64
_BOOKS: ContentCache[tuple[CompiledBook, tuple[Finding, ...]]] = ContentCache(CACHED_BOOKS)


def named_objects(request: RenderRequest) -> list[tuple[str, str]]:
    """Return the kind and reference of everything that these fields name by slug."""
    named: list[tuple[str, str]] = []
    given = request.model_fields_set
    if KINDS.keys().isdisjoint(given):
        return named
    for field, kind in KINDS.items():
        if field not in given:
            continue
        value = getattr(request, field)
        named += [(kind, one) for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]
    return list(dict.fromkeys(named))


def cast_of(request: RenderRequest, stored: Stored, note: AuthorsNote | None = None) -> Cast:
    """Return who takes part; `note` is the chat's. Raises DocumentError for an inline object that can not be read."""
    character = _character(request.character, "character", stored)
    others = tuple(
        made
        for at, one in enumerate(request.characters)
        if (made := _character(one, f"characters[{at}]", stored)) is not None
    )
    persona = _object(Persona, request.persona, "persona", "persona", stored)
    cast = Cast(character, others, persona, request.scenario or None, note)
    return NOBODY if cast == NOBODY else cast


def memories_of(request: RenderRequest, stored: Stored) -> tuple[Memory, ...]:
    """Return the memories that the request carries and names."""
    read = (_object(Memory, one, "memory", f"memories[{at}]", stored) for at, one in enumerate(request.memories))
    return tuple(memory for memory in read if memory is not None)


def books_of(
    request: RenderRequest, cast: Cast, stored: Callable[[str], CompiledBook]
) -> tuple[tuple[CompiledBook, ...], list[Finding]]:
    """Return the books that take part, ready for searching, and what reading them lost.

    Those of the request come first, then the books that stand in the cards of the cast.
    """
    books: list[CompiledBook] = []
    findings: list[Finding] = []
    listed = [*request.lorebooks, *books_named_by(cast, request.lorebooks)]
    for at, one in enumerate(listed):
        if isinstance(one, str):
            books.append(stored(one))
        elif one is not None:
            book, losses = _book(one, f"lorebooks[{at}]", f"lorebook {at + 1}")
            books.append(book)
            findings += losses
    for character in (cast.character, *cast.others):
        if character is not None and character.character_book is not None:
            path = f"{character.name}'s book"
            book, losses = _book(character.character_book, "character.character_book", path)
            books.append(book)
            findings += losses
    return tuple(books), findings


def books_named_by(cast: Cast, listed: Sequence[Any] = ()) -> list[str]:
    """Return the stored books that characters and persona name and `listed` does not."""
    people = [one for one in (cast.character, *cast.others, cast.persona) if one is not None]
    names = dict.fromkeys(name for one in people for name in one.lorebooks)
    return [name for name in names if name not in listed]


def _book(document: Mapping[str, Any], path: str, book_id: str) -> tuple[CompiledBook, tuple[Finding, ...]]:
    """Return a book that the request carries; an equal one that was compiled before is used again."""
    try:
        # no canonical form: a book whose keys come in another order is compiled once more, which costs less
        text = orjson.dumps([book_id, path, document])
    except (TypeError, orjson.JSONEncodeError) as error:
        raise DocumentError(Fault(path, str(error))) from error
    key = hashlib.blake2b(text, digest_size=20).hexdigest()
    return _BOOKS.get_or_make(key, lambda: _compiled(document, path, book_id))


def _compiled(document: Mapping[str, Any], path: str, book_id: str) -> tuple[CompiledBook, tuple[Finding, ...]]:
    book, losses = read_book(document, path)
    findings = tuple(Finding("warning", "IMPORT_LOSS", loss.reason, f"{path}.{loss.path}") for loss in losses)
    return compile_book(book, book_id=book_id), findings


def _character(value: Any, path: str, stored: Stored) -> Character | None:
    if isinstance(value, dict):
        card = value.get("data")
        document = card if isinstance(card, dict) and "spec" in value else value
        value = keep_unknown(document)[0]
    return _object(Character, value, "character", path, stored)


def _object(model: type[D], value: Any, kind: str, path: str, stored: Stored) -> D | None:
    if value is None:
        return None
    return validate(model, stored(kind, value) if isinstance(value, str) else value, path)
