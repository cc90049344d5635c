"""Validation and checks of a document: all that a save can know before it takes a lock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import orjson

from neotavern.ground.canonical import canonical, content_hash, reject_nul
from neotavern.ground.errors import AppError, ErrorCode, invalid
from neotavern.ground.limits import MAX_DOCUMENT_BYTES, MAX_NOTE_CHARACTERS
from neotavern.library.kinds import CheckReport, Kind, ValidDocument
from neotavern.library.models import Checks
from neotavern.library.pointers import check_slug


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document ready to be stored."""

    kind: Kind
    slug: str
    valid: ValidDocument
    text: str
    hash: str
    colour: Checks
    report: CheckReport
    note: str

    @property
    def findings_text(self) -> str:
        """Findings as the revision row keeps them."""
        return orjson.dumps([finding.wire() for finding in self.report.findings]).decode()


def prepare(kind: Kind, document: Any, *, slug: str | None = None, note: str = "", force: bool = False) -> Prepared:
    """Validate, lint and hash `document`.

    `slug` is that of the item it is for; None takes the document's own. Raises VALIDATION (or the kind's own codes)
    with paths relative to the document, PAYLOAD_TOO_LARGE past the size limit.
    """
    note = checked_note(note)
    reject_nul(document)
    if kind.parts is None:
        _limit(document)
    valid = _with_slug(kind, kind.validate(document), slug)
    if kind.parts is not None:
        _limit(valid.document)  # its parts are stored one by one
    slug = _agreed_slug(valid, slug)
    report = kind.checks(valid.document)
    return Prepared(
        kind=kind,
        slug=slug,
        valid=valid,
        text=orjson.dumps(valid.document).decode(),
        hash=hash_of(valid.document),
        colour=_colour(report, note, force=force),
        report=report,
        note=note,
    )


def for_slug(prepared: Prepared, slug: str) -> Prepared:
    """Return `prepared` under another slug, `id` of the document included; what the checks said stays true."""
    document = prepared.kind.with_slug(prepared.valid.document, slug)
    valid = replace(prepared.valid, document=document, slug=prepared.valid.slug and slug)
    return replace(prepared, slug=slug, valid=valid, text=orjson.dumps(document).decode(), hash=hash_of(document))


def hash_of(document: dict[str, Any]) -> str:
    """Return the content hash that equal documents share."""
    return content_hash(document)


def checked_note(note: str) -> str:
    """Return `note` without space around it. Raises VALIDATION when it is too long or can not be stored."""
    reject_nul(note, "note")
    if len(note.strip()) > MAX_NOTE_CHARACTERS:
        raise invalid("note", f"A note has at most {MAX_NOTE_CHARACTERS} characters.")
    return note.strip()


def _limit(document: Any) -> None:
    try:
        size = len(canonical(document))
    except (TypeError, ValueError) as error:
        raise invalid("", f"The document can not be written as JSON: {error}.") from error
    if size > MAX_DOCUMENT_BYTES:
        raise AppError(
            ErrorCode.PAYLOAD_TOO_LARGE,
            f"The document has {size:,} bytes; at most {MAX_DOCUMENT_BYTES:,} are stored.",
            params={"limit": MAX_DOCUMENT_BYTES},
        )


def _with_slug(kind: Kind, valid: ValidDocument, slug: str | None) -> ValidDocument:
    """Return a document that leaves out its `id` with the slug of its item, or the one that is suggested."""
    chosen = slug or valid.suggested_slug
    if valid.slug is not None or not valid.suggested_slug:
        return valid
    return replace(valid, slug=chosen, document=kind.with_slug(valid.document, chosen))


def _agreed_slug(valid: ValidDocument, slug: str | None) -> str:
    """Return the one slug that document and address agree on."""
    if valid.slug is None:
        if slug is None:
            raise invalid("", "This kind is stored under a slug of its own.")
        return check_slug(slug)
    if slug is not None and valid.slug != slug:
        raise invalid("id", f"The document's id is {valid.slug!r}, but a slug never changes: it is {slug!r} here.")
    return check_slug(valid.slug)


def _colour(report: CheckReport, note: str, *, force: bool) -> Checks:
    if report.colour == "green":
        return Checks.GREEN
    if not force:
        return Checks.RED
    if not note:
        raise invalid("note", "A save that is forced past red checks needs a note that says why.")
    return Checks.FORCED
