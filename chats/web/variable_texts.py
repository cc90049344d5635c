"""Lore entries as texts in which the settings page looks for variables."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils.http import urlencode

from chats.models import LoreEntryRow
from chats.stored.lorebook import KIND
from formats.web import variable_uses
from formats.web.variable_uses import MOST_TEXTS, Text
from neotavern.accounts.actor import Actor
from neotavern.library.models import Item
from neotavern.library.privacy import visible


def register() -> None:
    """Let the settings page look in lore entries."""
    variable_uses.register(_entries)


def _entries(actor: Actor) -> Iterable[Text]:
    """Return the entries of the team's books that have a macro."""
    books = Item.objects.filter(visible(actor), team_id=actor.team_id, kind=KIND.name, archived_at=None)
    rows = LoreEntryRow.objects.filter(book__in=books.values("pk"), until=None, body__contains="{{")
    for slug, name, uid, body in rows.values_list("book__slug", "book__name", "uid", "body")[:MOST_TEXTS]:
        address = reverse("book-entry", args=[actor.team_slug, slug])
        yield Text(f"{name} / {uid}", f"{address}?{urlencode({'uid': uid})}", body)
