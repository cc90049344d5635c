"""The part of a lorebook's page that says how many of its texts have a vector, with a bar while a job makes them."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from chats.services.embedding import wanted
from chats.web.books.frame import book_of
from neotavern.accounts import permissions
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.jobs.web.pages import row
from neotavern.library.models import Item


@require_http_methods(["GET", "HEAD", "POST"])
@team_page()
def part(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Show the part; a POST asks for what is missing first."""
    book, _revision = book_of(request, slug)
    if request.method == "POST":
        permissions.require(request.actor, "write")
        wanted.ask(book, made_by=request.actor.name)
    if not request.headers.get("HX-Request"):
        return redirect("kind-page", team, "lorebooks", slug)
    return render(request, "chats/books/_vectors.html", _shown(request, book))


def _shown(request: PageRequest, book: Item) -> dict[str, object]:
    state = wanted.state_of(book)
    return {
        "item": book,
        "state": state,
        "missing": state.total - state.made,
        "one": row(state.job) if state.job is not None else None,
        "may_write": permissions.may(request.actor, "write"),
    }
