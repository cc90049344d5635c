"""What the kinds of this floor share: validation by the PURE documents, slugs, mentions, bare files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from chats.documents import DocumentError, dump
from chats.documents import Loss as Foreign
from chats.documents import validate as validate_document
from chats.documents.fields import Stored
from chats.interchange import registry as interchange
from chats.interchange.kobold import split_save
from chats.interchange.reading import Reader
from chats.interchange.registry import reader_of
from formats.stored.faults import refusal
from formats.stored.files import json_file
from formats.stored.slugs import suggest_slug
from neotavern.library import kinds
from neotavern.library.file_readers import Section
from neotavern.library.kinds import Detected, Exported, Exporter, Loss, Mention, ValidDocument
from neotavern.library.pointers import parse_pointer

S = TypeVar("S", bound=Stored)


def read(model: type[S], document: Any) -> S:
    """Return a document of `model`. Raises VALIDATION or UNSUPPORTED_VERSION with every fault."""
    try:
        return validate_document(model, document)
    except DocumentError as error:
        raise refusal(error) from error


def valid(
    parsed: Stored,
    kind: str,
    *,
    name: str,
    description: str = "",
    texts: Iterable[str] = (),
    mentions: Iterable[Mention] = (),
    parts: Any = None,
) -> ValidDocument:
    """Return what the library keeps of `parsed`: exactly the fields that were given."""
    given = {"kind": kind, "version": 1} | dump(parsed)
    return ValidDocument(
        document=given,
        name=name or parsed.id or kind,
        slug=parsed.id,
        suggested_slug=suggest_slug(name, kind),
        description=description,
        tags=tuple(dict.fromkeys(parsed.tags)),
        search_text="\n".join(text for text in texts if text),
        mentions=list(mentions),
        parts=parts,
    )


def mention(path: str, kind: str, name: str | None) -> list[Mention]:
    """Return the reference at `path`, none for null."""
    return [] if name is None else [Mention(path, kind, parse_pointer(name))]


def mentions(path: str, kind: str, names: Iterable[str]) -> list[Mention]:
    """Return the references of a list."""
    return [found for at, name in enumerate(names) for found in mention(f"{path}[{at}]", kind, name)]


def detector(kind: str) -> Callable[[Any], Detected | None]:
    """Return what knows our own documents of `kind`, and other programs' files that become one."""

    def detect(document: Any) -> Detected | None:
        if isinstance(document, Mapping) and document.get("kind") == kind and not _is_of_agnai(document):
            return Detected(f"{kind} {document.get('version', 1)}")
        reader = reader_of(kind, document)
        return None if reader is None else Detected(reader.label, reader.family, _reading(reader))

    return detect


def _is_of_agnai(document: Mapping[str, Any]) -> bool:
    """Return whether this is a book of Agnai, which calls itself a memory."""
    return document.get("kind") == "memory" and "entries" in document


def _reading(reader: Reader) -> Callable[[Any, str], tuple[Any, list[Loss]]]:
    def read_foreign(document: Any, name: str) -> tuple[Any, list[Loss]]:
        try:
            made, losses = reader.read(document, name)
        except DocumentError as error:
            raise refusal(error) from error
        return made, [Loss(*loss) for loss in losses]

    return read_foreign


def read_file(raw: bytes) -> list[Any] | None:
    """Return the documents of an uploaded picture or JSON lines. Raises VALIDATION for a picture without a card."""
    try:
        return interchange.read_file(raw)
    except DocumentError as error:
        raise refusal(error) from error


def split(document: Any) -> list[Section] | None:
    """Return the documents of a file that holds several, None for any other."""
    parts = split_save(document)
    if parts is None:
        return None
    return [Section(part.name, part.document, tuple(Loss(*loss) for loss in part.losses)) for part in parts]


def exporter(write: Callable[[dict[str, Any]], tuple[Any, list[Foreign]]]) -> Exporter:
    """Return the exporter of a function that gives a JSON value and what that can not say."""

    def export(document: dict[str, Any], version: str | None) -> Exported:
        value, losses = write(document)
        return json_file(value, [Loss(*loss) for loss in losses])

    return export


def is_registered(kind: str) -> bool:
    """Return whether objects of `kind` are stored here, so that one can be named."""
    return any(known.name == kind for known in kinds.kinds())
