"""Where custom variables are used: stored texts of the team that have them as macros."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import F, QuerySet
from django.urls import reverse

from neotavern.accounts.actor import Actor
from neotavern.library import kinds
from neotavern.library.models import Item, Revision
from neotavern.library.privacy import visible

KINDS = ("prompt-config", "character", "persona", "memory", "chat")
"""Kinds whose texts have macros; templates have none."""

MOST_PLACES = 5
MOST_TEXTS = 5_000
_NAMES = re.compile(r"\{\{\s*([^{}:|]{1,64}?)\s*\}\}")


class Text(NamedTuple):
    """A stored text: what it belongs to, where that is, and the text."""

    title: str
    address: str
    text: str


class Place(NamedTuple):
    """An object that uses a variable."""

    title: str
    address: str


@dataclass(slots=True)
class Use:
    """A variable and the first objects that use it; `more` is how many there are besides."""

    name: str
    places: list[Place] = field(default_factory=list)
    more: int = 0


Texts = Callable[[Actor], Iterable[Text]]
"""Gives texts of the team in which macros are expanded, those without `{{` left out."""

_TEXTS: list[Texts] = []


def register(texts: Texts) -> None:
    """Look for variables in these texts too; a second call changes nothing."""
    if texts not in _TEXTS:
        _TEXTS.append(texts)


def uses_of(actor: Actor, names: Sequence[str]) -> list[Use]:
    """Return for each variable where it is used, in the order given. Names are compared without regard to case."""
    uses = {name.casefold(): Use(name) for name in names if name}
    if not uses:
        return []
    for text in _texts(actor):
        for name in {found.casefold() for found in _NAMES.findall(text.text)} & uses.keys():
            _add(uses[name], Place(text.title, text.address))
    return list(uses.values())


def _add(use: Use, place: Place) -> None:
    if place in use.places:
        return
    if len(use.places) < MOST_PLACES:
        use.places.append(place)
    else:
        use.more += 1


def _texts(actor: Actor) -> Iterable[Text]:
    yield from _documents(actor)
    for texts in _TEXTS:
        yield from texts(actor)


def _documents(actor: Actor) -> Iterable[Text]:
    """Return the newest documents of the team that have a macro."""
    paths = {kind.name: kind.plural_path for kind in kinds.kinds()}
    own = Revision.objects.filter(
        item__in=_items(actor), item__kind__in=[name for name in KINDS if name in paths], number=F("item__last_number")
    )
    rows = own.filter(document__contains="{{").values_list("item__kind", "item__slug", "item__name", "document")
    for kind, slug, name, document in rows[:MOST_TEXTS]:
        yield Text(name, reverse("kind-page", args=[actor.team_slug, paths[kind], slug]), document)


def _items(actor: Actor) -> QuerySet[Any]:
    return Item.objects.filter(visible(actor), team_id=actor.team_id, archived_at=None).values("pk")
