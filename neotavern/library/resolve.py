"""The hot query: who asks, and which revision each name means, in one statement valid on SQLite and PostgreSQL.

Keys, labels and heads are never cached, so a label move or a revoked key holds at once for every process. A document
is read by revision id, and only by a caller who has not compiled its content hash yet.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import orjson
from django.db import DEFAULT_DB_ALIAS, connection, connections

from neotavern.accounts.actor import Actor
from neotavern.accounts.auth import unauthenticated
from neotavern.accounts.key_use import touch
from neotavern.accounts.services.keys import digest
from neotavern.ground.errors import not_found
from neotavern.library.pointers import LATEST, Pointer, is_label, is_slug, parse_pointer


class Ref(NamedTuple):
    """What a request names: an object of a kind by slug, at a label or a number."""

    kind: str
    slug: str
    label: str = LATEST
    number: int | None = None

    @classmethod
    def of(cls, kind: str, text: str) -> Ref:
        """Return the reference that `slug[@label|@number]` means."""
        pointer: Pointer = parse_pointer(text)
        return cls(kind, pointer.slug, pointer.label, pointer.number)


class KeyCaller(NamedTuple):
    """A program: the token as it was sent."""

    token: str


class MemberCaller(NamedTuple):
    """A logged-in person in one team; checked again, since the session may be older than the membership."""

    user_id: int
    team_id: int


class TeamCaller(NamedTuple):
    """A caller whose team is known already: a request's actor, or a command. None: built-ins alone.

    Without the actor's `user_id` or `key_id` nothing is found that is somebody's alone.
    """

    team_id: int | None
    user_id: int | None = None
    key_id: int | None = None

    @classmethod
    def of(cls, actor: Actor) -> TeamCaller:
        """Return the caller that an actor is."""
        return cls(actor.team_id, actor.user.pk if actor.user is not None else None, actor.key_id)


class Found(NamedTuple):
    """The revision that a reference means. Equal `content_hash` is equal content, so it is the key of caches."""

    item_id: int
    revision_id: int
    number: int
    content_hash: str


class Resolution(NamedTuple):
    """The caller's team and rights, and for each reference in order what it means (None: nothing).

    `rights` are a key's scopes or a member's role; empty for a TeamCaller, who was checked before.
    """

    team_id: int | None
    rights: str
    key_id: int | None
    found: list[Found | None]


_CALLERS: dict[str, str] = {
    "KeyCaller": (
        "SELECT k.id, k.team_id, k.scopes AS rights, k.expires_at, k.last_used_at,"
        " CAST(NULL AS bigint) AS user_id, k.id AS key_id"
        " FROM accounts_apikey k WHERE k.digest = %s AND k.revoked_at IS NULL"
    ),
    "MemberCaller": (
        "SELECT m.id, m.team_id, m.role AS rights, NULL AS expires_at, NULL AS last_used_at,"
        " m.user_id, CAST(NULL AS bigint) AS key_id"
        " FROM accounts_membership m WHERE m.user_id = %s AND m.team_id = %s"
    ),
    "TeamCaller": (
        "SELECT 0 AS id, CAST(%s AS bigint) AS team_id, '' AS rights, NULL AS expires_at, NULL AS last_used_at,"
        " CAST(%s AS bigint) AS user_id, CAST(%s AS bigint) AS key_id"
    ),
}
_ROW = "(CAST(%s AS integer), CAST(%s AS varchar), CAST(%s AS varchar), CAST(%s AS varchar), CAST(%s AS integer))"
# What is private is for those whom `privacy` names.
# An own object hides the built-in of the same slug, also when it is archived (then nothing is found).
_TEXT = """
WITH ref(n, kind, slug, label, num) AS (VALUES {rows})
SELECT k.id, k.team_id, k.rights, k.expires_at, k.last_used_at, ref.n, i.id, r.id, r.number, r.content_hash
FROM ({caller}) k CROSS JOIN ref
LEFT JOIN library_item i ON i.archived_at IS NULL
  AND (NOT i.is_private OR i.owner_id = k.user_id OR i.owner_key_id = k.key_id) AND i.id = COALESCE(
  (SELECT o.id FROM library_item o WHERE o.team_id = k.team_id AND o.kind = ref.kind AND o.slug = ref.slug),
  (SELECT b.id FROM library_item b WHERE b.team_id IS NULL AND b.kind = ref.kind AND b.slug = ref.slug))
LEFT JOIN library_revision r ON r.item_id = i.id AND r.number = CASE WHEN ref.num IS NOT NULL THEN ref.num
  WHEN ref.label = 'latest' THEN i.head
  ELSE (SELECT l.number FROM library_label l WHERE l.item_id = i.id AND l.name = ref.label) END
"""
_NOTHING = Ref("", "")

Caller = KeyCaller | MemberCaller | TeamCaller


@functools.lru_cache(maxsize=64)
def statement(caller: str, references: int, mark: str = "%s") -> str:
    """Return the SQL text for a kind of caller and a number of references; `mark` is what the driver puts values at."""
    text = _TEXT.format(rows=", ".join([_ROW] * references), caller=_CALLERS[caller])  # no value is ever put in here
    return text.replace("%s", mark)


def _rows(caller: str, references: int, values: list[Any]) -> list[Any]:
    """Run the statement.

    On SQLite by the driver's own cursor, where nobody listens to Django's: that one rewrites the marks in the text of
    every statement, at more than what running this one costs.
    """
    link = connections[DEFAULT_DB_ALIAS]
    if link.vendor != "sqlite" or link.execute_wrappers or link.queries_logged or link.needs_rollback:
        with link.cursor() as cursor:
            cursor.execute(statement(caller, references), values)
            return list(cursor.fetchall())
    if link.connection is None:
        link.ensure_connection()
    with link.wrap_database_errors:
        found: list[Any] = link.connection.execute(statement(caller, references, "?"), values).fetchall()
    return found


def parameters(caller: Caller, references: Sequence[Ref]) -> list[Any]:
    """Return the values of `statement`, in its order."""
    values: list[Any] = []
    for position, ref in enumerate(references):
        values += (position, *_possible(ref))
    return [*values, digest(caller.token)] if isinstance(caller, KeyCaller) else [*values, *caller]


def _possible(ref: Ref) -> Ref:
    """Return `ref`, or one that names nothing when it can not exist (PostgreSQL refuses texts with NUL)."""
    return ref if is_slug(ref.slug) and is_label(ref.label) else _NOTHING


def resolve(caller: Caller, references: Sequence[Ref], *, now: datetime) -> Resolution:
    """Return who asks and what the references mean, by one query.

    Raises UNAUTHENTICATED for an unknown, revoked or expired key, NOT_FOUND for a team the person is no member of.
    Scopes are for the caller to check.
    """
    rows = _rows(type(caller).__name__, max(1, len(references)), parameters(caller, references or [_NOTHING]))
    if not rows:
        raise unauthenticated() if isinstance(caller, KeyCaller) else not_found("This team")
    key_id, team_id, rights, expires_at, last_used_at = rows[0][:5]
    found: list[Found | None] = [None] * len(references)
    for row in rows:
        if row[7] is not None:
            found[row[5]] = Found(*row[6:])
    if not isinstance(caller, KeyCaller):
        return Resolution(team_id, rights, None, found)
    if expires_at is not None and _aware(expires_at) <= now:
        raise unauthenticated()
    touch(key_id, _aware(last_used_at), now)
    return Resolution(team_id, rights, key_id, found)


def document_text(revision_id: int) -> str:
    """Return the stored JSON of a revision. Raises NOT_FOUND when it was deleted a moment ago."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT document FROM library_revision WHERE id = %s", [revision_id])
        row = cursor.fetchone()
    if row is None:
        raise not_found("This revision")
    return str(row[0])


def document(revision_id: int) -> dict[str, Any]:
    """Return the stored document of a revision, as saved."""
    value: dict[str, Any] = orjson.loads(document_text(revision_id))
    return value


def _aware(value: Any) -> Any:
    """Return a time with its zone: raw SQLite answers are text, and a naive UTC one."""
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if isinstance(value, datetime) and value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    return value
