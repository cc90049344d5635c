"""The parts of an archive, in the order they are read back. Floors above register theirs, messages for example."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from neotavern.accounts.models import Membership, Team
from neotavern.library import kinds
from neotavern.library.backup.rows import Row

R = TypeVar("R", bound=Row)
PERSON = "@"
"""Stands in the slug of a personal object before the user name; no slug has it."""


@dataclass(slots=True)
class Archived:
    """A team while it is written or read: who its members are, and (read) which rows its objects have become."""

    team: Team
    users: dict[str, int]
    items: dict[tuple[str, str], int] = field(default_factory=dict)
    batches: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, team: Team) -> Archived:
        """Return the team with its members."""
        rows = Membership.objects.filter(team=team).values_list("user__username", "user_id")
        return cls(team, dict(rows))

    def name_of(self, user_id: int | None) -> str | None:
        """Return the user name of a member, None for anyone else."""
        return next((name for name, pk in self.users.items() if pk == user_id), None) if user_id else None

    def id_of(self, name: str | None) -> int | None:
        """Return the id of a member, None for anyone else."""
        return self.users.get(name) if name else None

    def portable_slug(self, kind: str, slug: str) -> str | None:
        """Return a slug that holds anywhere: of a personal object it names the person. None: whose it was is gone."""
        prefix = _personal_prefix(kind)
        if not prefix or not slug.startswith(prefix):
            return slug
        digits = slug.removeprefix(prefix)
        name = self.name_of(int(digits)) if digits.isdecimal() else None
        return f"{prefix}{PERSON}{name}" if name else None

    def local_slug(self, kind: str, slug: str) -> str:
        """Return the slug here of what `portable_slug` gave."""
        prefix = _personal_prefix(kind)
        if not prefix or not slug.startswith(prefix + PERSON):
            return slug
        return f"{prefix}{self.id_of(slug.removeprefix(prefix + PERSON)) or 0}"


def _personal_prefix(kind: str) -> str:
    known = {one.name: one.personal_prefix for one in kinds.kinds()}
    return known.get(kind, "")


@dataclass(frozen=True, slots=True)
class Part(Generic[R]):
    """One NDJSON file of the archive. `load` runs inside the one transaction of the import.

    A floor above registers rows that it keeps beside items when its app is ready; `items` of the target tells what the
    kind and slug of each row have become here.
    """

    name: str
    row: type[R]
    dump: Callable[[Archived], Iterator[R]]
    load: Callable[[Archived, Iterable[R]], None]


_PARTS: dict[str, Part[Row]] = {}


def register(part: Part[R]) -> None:
    """Add a part behind those that are there. Raises ValueError for a name that is taken."""
    if part.name in _PARTS:
        raise ValueError(f"part {part.name!r} is registered already")
    _PARTS[part.name] = part  # type: ignore[assignment]


def parts() -> list[Part[Row]]:
    """Return all parts, in order."""
    return list(_PARTS.values())
