"""Search across kinds as somebody types: the own team's objects and the built-ins, names before mentions."""

from __future__ import annotations

from typing import Any

from django.db.models import Case, IntegerField, QuerySet, Value, When

from neotavern.accounts.actor import Actor
from neotavern.library import kinds
from neotavern.library.closed import closed_kinds
from neotavern.library.listing import MAX_SEARCH_WORDS, visible_builtins
from neotavern.library.models import Item
from neotavern.library.privacy import visible

MOST = 50
FIELDS = ("kind", "slug", "name", "description", "team_id", "updated_at", "rank", "id")


def find(actor: Actor, text: str, *, limit: int = 20) -> list[dict[str, Any]]:
    """Return the best matches of `text`, of every kind that has a place in the API; newest first for no text.

    Every word occurs in name, slug, tags, description or template text. Names that begin with the text come first,
    then slugs that do, then the rest, each newest first.
    """
    limit = max(1, min(limit, MOST))
    closed = closed_kinds(actor)
    places = {kind.name: kind.plural_path for kind in kinds.kinds() if kind.plural_path and kind.name not in closed}
    rows: list[dict[str, Any]] = []
    for walk in (Item.objects.filter(visible(actor), team_id=actor.team_id), visible_builtins(actor)):
        wanted = walk.filter(kind__in=list(places), archived_at=None)
        rows += _matching(wanted, text).order_by("rank", "-updated_at", "-id").values(*FIELDS)[:limit]
    rows.sort(key=lambda row: (row["rank"], -row["updated_at"].timestamp(), -row["id"]))
    return [_hit(row, places[row["kind"]] or "") for row in rows[:limit]]


def _matching(rows: QuerySet[Item], text: str) -> QuerySet[Any]:
    text = " ".join(text.replace("\0", " ").casefold().split())
    for word in text.split()[:MAX_SEARCH_WORDS]:
        rows = rows.filter(search_text__contains=word)
    begins = [When(search_text__startswith=text, then=Value(0)), When(slug__istartswith=text, then=Value(1))]
    rank = Case(*begins, default=Value(2), output_field=IntegerField()) if text else Value(2)
    return rows.annotate(rank=rank)


def _hit(row: dict[str, Any], place: str) -> dict[str, Any]:
    return {
        "kind": row["kind"],
        "collection": place,
        "slug": row["slug"],
        "name": row["name"],
        "description": row["description"],
        "builtin": row["team_id"] is None,
    }
