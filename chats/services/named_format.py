"""The format that a command names: a built-in or a file without a database, else a slug of a team."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from chats.services.lookup import unknown_format
from formats.builtin import builtin_document, builtin_slugs
from formats.kinds import INSTRUCT_FORMAT
from neotavern.accounts import selectors
from neotavern.accounts.actor import Actor
from neotavern.accounts.models import Team
from neotavern.ground.canonical import loads
from neotavern.ground.errors import invalid, not_found
from neotavern.library import resolve
from neotavern.library.resolve import Ref


def is_builtin(named: str, team: str | None) -> bool:
    """Whether a built-in is meant: no team's own format of that slug comes first."""
    return team is None and named in builtin_slugs()


def file_document(named: str) -> dict[str, Any] | None:
    """Return the document of a file; None where `named` is a slug. Raises VALIDATION and OSError."""
    path = Path(named)
    if not (path.is_file() or path.suffix == ".json" or path.name != named):
        return None
    document = loads(path.read_bytes())
    if not isinstance(document, dict):
        raise invalid("format", f"{named}: a format is a JSON object.")
    return document


def command_actor(team: str | None) -> Actor:
    """Return the caller for a team, the first one unless it is named. Raises NOT_FOUND."""
    owner = Team.objects.filter(slug=team).first() if team else Team.objects.order_by("id").first()
    if owner is None:
        raise not_found(f"The team {team!r}" if team else "A team (run quickstart first): it")
    return selectors.command_actor(owner)


def format_document(named: str, team: str | None) -> dict[str, Any]:
    """Return the document that `named` means. Raises NOT_FOUND, VALIDATION and OSError."""
    if is_builtin(named, team):
        return builtin_document(named)
    document = file_document(named)
    if document is not None:
        return document
    caller = resolve.TeamCaller.of(actor := command_actor(team))
    found = resolve.resolve(caller, [Ref.of(INSTRUCT_FORMAT, named)], now=actor.now).found[0]
    if found is None:
        raise unknown_format(named)
    return resolve.document(found.revision_id)
