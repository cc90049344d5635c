"""Keys tried on a text: which entries it calls and by which key, as the last message of an otherwise empty chat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from chats.lore import Activation, CompiledBook, Hit, LoreSettings, Reason, SeededRolls, activate
from chats.lore.outcome import Code
from chats.services.books import stored_book
from chats.web.books.fields import PLACES
from chats.web.books.frame import book_of, context
from chats.web.editors.words import beginning
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.library.models import Item, Revision
from neotavern.library.resolve import Found

MOST_TEXT = 100_000
MOST_OUT = 50
MOST_IN = 200


@dataclass(frozen=True, slots=True)
class Outcome:
    """One entry and what became of it."""

    uid: str
    name: str
    why: str
    where: str = ""


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("read")
def page(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Show the box; with a text, what it calls. Nothing is stored."""
    book, revision = book_of(request, slug)
    text = request.POST.get("text", "").replace("\r\n", "\n")[:MOST_TEXT]
    more: dict[str, Any] = {"text": text, "is_tried": request.method == "POST"}
    if request.method == "POST":
        compiled = _compiled(book, revision)
        found = activate([compiled], [text], LoreSettings(recursive=False), SeededRolls(0))
        more |= _shown(compiled, found)
    template = "chats/books/_tried.html" if request.htmx else "chats/books/try.html"
    return render(request, template, context(request, book, revision, "try", **more))


def _compiled(book: Item, revision: Revision) -> CompiledBook:
    return stored_book(Found(book.pk, revision.pk, revision.number, revision.content_hash), book.slug)


def _shown(book: CompiledBook, found: Activation) -> dict[str, Any]:
    out = [one for one in found.rejected if one.reason.code is not Code.DUPLICATE_BOOK]
    return {
        "fired": [_hit(hit, book) for hit in found.activated[:MOST_IN]],
        "fired_count": len(found.activated),
        "fired_more": max(0, len(found.activated) - MOST_IN),
        "held": [Outcome(one.ref.uid, _name(book, one.ref.uid), why_not(one.reason)) for one in out[:MOST_OUT]],
        "held_more": max(0, len(out) - MOST_OUT),
        "silent": len(book.entries) - len(found.activated) - len(out),
        "findings": found.findings,
    }


def _name(book: CompiledBook, uid: str) -> str:
    compiled = book.entry(uid)
    entry = compiled.entry if compiled is not None else None
    return beginning(entry.name, *entry.keys[:1], entry.content) or uid if entry is not None else uid


def _hit(hit: Hit, book: CompiledBook) -> Outcome:
    place = dict(PLACES)[hit.compiled.entry.position]
    where = _("%(place)s, order %(n)s") % {"place": place, "n": hit.compiled.entry.order}
    return Outcome(hit.ref.uid, _name(book, hit.ref.uid), _why(hit, book), where)


def _why(hit: Hit, book: CompiledBook) -> str:
    if hit.reason.code is Code.RECURSION and hit.by is not None:
        words = {"key": _quoted(hit.keys), "by": _name(book, hit.by.uid)}
        return _("called by the text of “%(by)s”: %(key)s") % words
    if hit.reason.code is Code.CONSTANT:
        return _("constant")
    if hit.reason.code is Code.PINNED:
        return _("pinned")
    if hit.secondary:
        return _("%(key)s, with %(more)s") % {"key": _quoted(hit.keys), "more": _quoted(hit.secondary)}
    return _quoted(hit.keys)


def _quoted(keys: tuple[str, ...]) -> str:
    return ", ".join(f"“{key}”" for key in keys[:5])


def why_not(reason: Reason) -> str:
    """Return in words why an entry that a key called is out."""
    params: Mapping[str, Any] = reason.params
    words = {
        Code.SECONDARY: _("the secondary keys do not fit"),
        Code.TRIGGER: _("it is for other kinds of generation"),
        Code.CHARACTER: _("it is for other speakers"),
        Code.RECURSION_ONLY: _("it waits for recursion"),
        Code.RECURSION_EXCLUDED: _("only texts of other entries have its key"),
        Code.GROUP: _("another entry of its group is in"),
        Code.PROBABILITY: _("the dice: %(n)s %%") % {"n": params.get("probability", "")},
        Code.BUDGET: _("over the budget"),
        Code.BEYOND_DEPTH: _("the key is too far up"),
        Code.DISABLED: _("switched off"),
    }
    return words.get(reason.code, reason.code.value)
