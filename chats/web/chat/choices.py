"""What a chat may name: the team's objects of each kind, and what comes built in, for lists to choose from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q
from django.utils.translation import gettext as _

from neotavern.accounts.actor import Actor
from neotavern.library import kinds
from neotavern.library.closed import closed_kinds
from neotavern.library.models import Item, Label
from neotavern.library.privacy import visible

MOST: Final = 500
"""Objects of one kind that a list shows, those changed last; one that is chosen already is always there."""

Options = list[tuple[str, str]]
"""Pointer and words of each choice."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of each kind, read by two queries; `names` are the words of a pointer's slug."""

    options: Mapping[str, Options]
    names: Mapping[tuple[str, str], str]

    def of(self, kind: str, *chosen: Any) -> Options:
        """Return the choices of a kind, what is chosen among them even if it is not there any more."""
        listed = self.options.get(kind, [])
        known = {pointer for pointer, _words in listed}
        lost = [(one, self.name(kind, one)) for one in chosen if isinstance(one, str) and one and one not in known]
        return [*lost, *listed]

    def name(self, kind: str, pointer: Any) -> str:
        """Return what a pointer is called; one that leads nowhere is its own name."""
        slug, _at, pin = str(pointer or "").partition("@")
        name = self.names.get((kind, slug))
        return str(pointer or "") if name is None else f"{name} @{pin}" if pin else name


def choices_of(actor: Actor, wanted: Iterable[str]) -> Choices:
    """Return what `actor` may choose of the kinds that are registered and that the team does not keep from it."""
    known = ({kind.name for kind in kinds.kinds()} & set(wanted)) - closed_kinds(actor)
    own = Q(team_id=actor.team_id) & visible(actor)
    rows = Item.objects.filter(own | Q(team=None), kind__in=known, archived_at=None).order_by("-updated_at", "-id")
    labels = _labels(actor, known)
    options: dict[str, Options] = {kind: [] for kind in known}
    names: dict[tuple[str, str], str] = {}
    for pk, kind, slug, name, team_id in rows.values_list("pk", "kind", "slug", "name", "team_id"):
        if (kind, slug) in names and team_id is None:
            continue  # the team's own object stands before a built-in
        names[kind, slug] = name
        if len(options[kind]) < MOST:
            mark = f" · {_('built-in')}" if team_id is None else ""
            words = f"{name}{mark}" if name == slug else f"{name} ({slug}){mark}"
            options[kind].append((slug, words))
            options[kind] += [(f"{slug}@{label}", f"{words} @{label}") for label in labels.get(pk, ())]
    for listed in options.values():
        listed.sort(key=lambda one: one[1].casefold())
    return Choices(options, names)


def _labels(actor: Actor, known: set[str]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    rows = Label.objects.filter(item__team_id=actor.team_id, item__kind__in=known, item__archived_at=None)
    for pk, name in rows.order_by("name").values_list("item_id", "name"):
        found.setdefault(pk, []).append(name)
    return found
