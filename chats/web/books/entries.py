"""The page of a lorebook: its entries, found, switched, ordered and changed many at a time as one revision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from chats.lore_rows import rows_at
from chats.services import lorebooks
from chats.services.lorebooks import Changed
from chats.web.books.changes import Typed, edits_of, read_typed
from chats.web.books.fields import PLACES
from chats.web.books.frame import book_of, context
from chats.web.books.listing import STATES, Entry, listed, matching
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError, ErrorCode
from neotavern.library import selectors
from neotavern.library.models import Item, Revision
from neotavern.library.services import Base
from neotavern.library.web.addresses import number_of

ACTIONS = ("save", "enable", "disable", "copy", "delete")


@require_safe
@team_page("read")
def page(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Show the entries of a book; `?revision=3` those of an old revision."""
    book, revision = book_of(request, slug)
    return _answer(request, book, revision, request.GET, Typed())


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("write")
def change(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Change what the rows say, and do the action to those that are ticked. Reloading a refused change leads back."""
    if request.method != "POST":
        return redirect("kind-page", team, "lorebooks", slug)
    book, revision = book_of(request, slug)
    typed = read_typed(request.POST)
    if typed.faults:
        return _answer(request, book, revision, request.POST, typed, status=422)
    action = request.POST.get("action", "save")
    edits = edits_of(book, typed, action, _ticked(request.POST, book))
    base = Base(number_of(request.POST.get("baseRevision", "")))
    try:
        changed = lorebooks.change_entries(
            request.actor, book=book, edits=edits, base=base, note=request.POST.get("note", "")
        )
    except AppError as error:
        book = selectors.get_item(request.actor, kind=book.kind, slug=slug)
        return _answer(request, book, selectors.revision(book), request.POST, typed, error=error)
    tell(request, changed, len(edits.remove))
    return redirect(_address(team, slug, request.POST))


def _ticked(post: QueryDict, book: Item) -> Sequence[str]:
    """Return the uids that are ticked, or with `all` those of everything that the search finds."""
    if post.get("all") != "1":
        return post.getlist("uid")
    rows = rows_at(book.pk, book.last_number).order_by("position", "id")
    return [row.uid for row in matching(rows, post.get("q", ""), post.get("state", ""))]


def _address(team: str, slug: str, post: QueryDict) -> str:
    query = QueryDict(mutable=True)
    query.update({name: str(post[name]) for name in ("q", "state", "page") if post.get(name)})
    return reverse("kind-page", args=[team, "lorebooks", slug]) + (f"?{query.urlencode()}" if query else "")


def tell(request: PageRequest, changed: Changed, removed: int = 0) -> None:
    """Leave the sentence that says what a change did."""
    if not changed.is_new:
        messages.info(request, _("Nothing to save: revision %(n)d says the same.") % {"n": changed.revision})
        return
    count = len(changed.rows) + removed
    text = ngettext("Saved as revision %(n)d: %(count)d entry.", "Saved as revision %(n)d: %(count)d entries.", count)
    messages.success(request, text % {"n": changed.revision, "count": count})


def _answer(
    request: PageRequest,
    book: Item,
    revision: Revision,
    asked: QueryDict,
    typed: Typed,
    *,
    error: AppError | None = None,
    status: int = 200,
) -> HttpResponse:
    search, state = asked.get("q", ""), asked.get("state", "")
    found = listed(book.pk, revision.number, search=search, state=state, page=number_of(asked.get("page", "1")) or 1)
    shown = context(
        request,
        book,
        revision,
        "entries",
        listed=found,
        rows=[_row(entry, typed) for entry in found.entries],
        order=" ".join(entry.row for entry in found.entries),
        search=search,
        state=state if state in STATES else "",
        is_narrowed=bool(search.strip()) or state in STATES,
        error=error,
        is_conflict=error is not None and error.code is ErrorCode.CONFLICT,
        is_typed=bool(typed.changes),
        has_faults=bool(typed.faults),
        note=request.POST.get("note", ""),
    )
    template = "chats/books/_entries.html" if request.htmx and request.method == "GET" else "chats/books/entries.html"
    return render(request, template, shown, status=error.status if error else status)


def _row(entry: Entry, typed: Typed) -> dict[str, Any]:
    """Return an entry with what was typed in its row, where a change came back."""
    changes = typed.changes.get(entry.uid, {})
    bad = {fault.path for fault in typed.faults}
    return {
        "entry": entry,
        "is_on": changes.get("enabled", entry.is_on),
        "order": typed.texts.get((entry.uid, "order"), str(entry.order)),
        "priority": typed.texts.get((entry.uid, "priority"), str(entry.priority)),
        "order_is_bad": f"{entry.uid}.order" in bad,
        "priority_is_bad": f"{entry.uid}.priority" in bad,
        "place": str(dict(PLACES).get(entry.place, entry.place)),
        "keys": entry.keys[:4],
        "more_keys": max(0, len(entry.keys) - 4),
    }
