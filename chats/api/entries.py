"""/lorebooks/{slug}/entries: a book's entries, one by one or many at once."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from ninja import Body, Router, Status
from ninja.params.functions import Header, Query
from pydantic import BaseModel

from chats import entry_reading
from chats.api.bodies import Wish, note_of, pulled
from chats.services import lorebooks
from chats.services.lorebooks import Changed, Edits
from chats.stored.names import LOREBOOK
from neotavern.accounts.auth import ApiRequest
from neotavern.ground.errors import invalid
from neotavern.ground.http import ERRORS
from neotavern.ground.limits import MAX_PAGE_SIZE, PAGE_SIZE
from neotavern.library import selectors
from neotavern.library.api.access import READ, WRITE, unchanged
from neotavern.library.etags import etag
from neotavern.library.models import Item
from neotavern.library.services import Base

router = Router(tags=["Lorebooks"])
PLACE = "/lorebooks/{slug}/entries"
ONE = PLACE + "/{path:uid}"


class EntriesOut(BaseModel):
    """A page of entries in the book's order, of one revision of the book."""

    items: list[dict[str, Any]]
    revision: int
    nextCursor: str | None


class ChangedOut(BaseModel):
    """The book's newest revision, whether the request made it, and the saved entries in order."""

    revision: int
    changed: bool
    items: list[dict[str, Any]]


class EntryOut(BaseModel):
    """One entry; `since` is the revision of the book that brought it in this state."""

    uid: str
    revision: int
    since: int
    changed: bool
    etag: str
    document: dict[str, Any]


def _book(request: ApiRequest, slug: str) -> Item:
    return selectors.get_item(request.actor, kind=LOREBOOK, slug=slug, archived=True)


def _many(response: HttpResponse, changed: Changed) -> dict[str, Any]:
    response["ETag"] = etag(changed.book, changed.revision)
    items = [entry_reading.shown(row) for row in changed.rows]
    return {"revision": changed.revision, "changed": changed.is_new, "items": items}


def _one(response: HttpResponse, row: Any, revision: int, *, changed: bool) -> dict[str, Any]:
    response["ETag"] = entry_reading.entry_etag(row)
    return {
        "uid": row.uid,
        "revision": revision,
        "since": row.since,
        "changed": changed,
        "etag": entry_reading.entry_etag(row),
        "document": entry_reading.shown(row),
    }


@router.get(
    PLACE,
    operation_id="lorebooks_entries_list",
    response={200: EntriesOut, 304: None, **ERRORS(403, 404, 422)},
    auth=READ,
    by_alias=True,
)
def list_entries(
    request: ApiRequest,
    response: HttpResponse,
    *,
    slug: str,
    revision: int | None = None,
    cursor: str | None = None,
    limit: int = Query(PAGE_SIZE, ge=1, le=MAX_PAGE_SIZE),
) -> Any:
    """List the entries of a book as its newest revision, or another, has them."""
    book = _book(request, slug)
    number = entry_reading.revision_number(book, revision)
    known = unchanged(request, response, etag(book, number, "entries", cursor or "", str(limit)))
    if known is not None:
        return known
    items, more = entry_reading.entry_page(book, number, cursor=cursor, limit=limit)
    return {"items": items, "revision": number, "nextCursor": more}


@router.post(
    PLACE,
    operation_id="lorebooks_entries_add",
    response={201: ChangedOut, **ERRORS(403, 404, 409, 412, 415, 422)},
    auth=WRITE,
    by_alias=True,
)
def add_entries(
    request: ApiRequest,
    response: HttpResponse,
    slug: str,
    body: Body[dict[str, Any]],
    if_match: str | None = Header(None, alias="If-Match"),
) -> Any:
    """Add one entry (`{"document": …}` or the bare entry) or many (`{"entries": […]}`) as one new revision."""
    wish, rest = pulled(body)
    entries = _given(rest)
    edits = Edits(save=lorebooks.read_entries(entries), adds=True)
    changed = lorebooks.change_entries(
        request.actor, book=_book(request, slug), edits=edits, base=_base(wish, if_match), note=note_of(wish)
    )
    return Status(201, _many(response, changed))


def _given(rest: dict[str, Any]) -> Any:
    if rest.keys() == {"entries"}:
        return rest["entries"]
    return [rest["document"] if rest.keys() == {"document"} else rest]


def _base(wish: Wish, if_match: str | None) -> Base:
    return Base(wish.base_revision, if_match)


@router.patch(
    PLACE,
    operation_id="lorebooks_entries_change",
    response={200: ChangedOut, **ERRORS(403, 404, 409, 412, 415, 422)},
    auth=WRITE,
    by_alias=True,
)
def change_entries(
    request: ApiRequest,
    response: HttpResponse,
    slug: str,
    body: Body[dict[str, Any]],
    if_match: str | None = Header(None, alias="If-Match"),
) -> Any:
    """Save and remove many entries as one new revision: `{"save": [entries], "remove": [uids]}`."""
    wish, rest = pulled(body)
    unknown = sorted(rest.keys() - {"save", "remove"})
    if unknown:
        raise invalid(unknown[0], "This field is unknown.")
    remove = rest.get("remove", [])
    if not isinstance(remove, list) or not all(isinstance(uid, str) and uid.isprintable() for uid in remove):
        raise invalid("remove", "must be an array of uids")
    edits = Edits(save=lorebooks.read_entries(rest.get("save", []), "save"), remove=list(dict.fromkeys(remove)))
    if {entry.uid for entry in edits.save} & set(edits.remove):
        raise invalid("remove", "The same entry can not be saved and removed.")
    changed = lorebooks.change_entries(
        request.actor, book=_book(request, slug), edits=edits, base=_base(wish, if_match), note=note_of(wish)
    )
    return _many(response, changed)


@router.get(
    ONE,
    operation_id="lorebooks_entries_read",
    response={200: EntryOut, 304: None, **ERRORS(403, 404, 422)},
    auth=READ,
    by_alias=True,
)
def read_entry(request: ApiRequest, response: HttpResponse, slug: str, uid: str, revision: int | None = None) -> Any:
    """Read one entry as the newest revision of the book, or another, has it."""
    book = _book(request, slug)
    number = entry_reading.revision_number(book, revision)
    row = entry_reading.current_entry(book, uid, number)
    known = unchanged(request, response, entry_reading.entry_etag(row))
    return known or _one(response, row, number, changed=False)


@router.put(
    ONE,
    operation_id="lorebooks_entries_save",
    response={200: EntryOut, **ERRORS(403, 404, 409, 412, 415, 422)},
    auth=WRITE,
    by_alias=True,
)
def save_entry(
    request: ApiRequest,
    response: HttpResponse,
    *,
    slug: str,
    uid: str,
    body: Body[dict[str, Any]],
    if_match: str | None = Header(None, alias="If-Match"),
) -> Any:
    """Save one entry. The base is the entry's: changes of other entries do not matter."""
    wish, rest = pulled(body)
    entry = lorebooks.read_entry(rest["document"] if rest.keys() == {"document"} else rest)
    changed = lorebooks.save_entry(
        request.actor, book=_book(request, slug), uid=uid, entry=entry, base=_base(wish, if_match), note=note_of(wish)
    )
    return _one(response, changed.rows[0], changed.revision, changed=changed.is_new)


@router.delete(
    ONE,
    operation_id="lorebooks_entries_remove",
    response={204: None, **ERRORS(403, 404, 409, 412, 422)},
    auth=WRITE,
)
def remove_entry(
    request: ApiRequest,
    slug: str,
    uid: str,
    base_revision: int | None = Query(None, alias="baseRevision"),
    if_match: str | None = Header(None, alias="If-Match"),
) -> Any:
    """Remove one entry; older revisions of the book keep it."""
    lorebooks.remove_entry(request.actor, book=_book(request, slug), uid=uid, base=Base(base_revision, if_match))
    return Status(204, None)
