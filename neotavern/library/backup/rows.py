"""Lines of the archive. Ids of the database are not in it: objects are named by kind and slug, people by user name."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from neotavern.ground.wire import WireModel

Colour = Literal["green", "red", "forced"]
Number = Annotated[int, Field(ge=0, lt=2**31)]


class Row(WireModel):
    """A line of a part. A user name is null for who is no member of the team (any more); `…Name` keeps what it was."""

    model_config = ConfigDict(frozen=True)


class TeamRow(Row):
    """The team itself; `policy` is text, as it is stored."""

    slug: str
    name: str
    policy: str
    created_at: datetime


class MemberRow(Row):
    """A member. No password, no session, no second factor."""

    username: str
    role: Literal["owner", "admin", "editor", "viewer"]
    created_at: datetime


class BatchRow(Row):
    """An import; revisions name it by its place in this part, from 1."""

    made_by: str | None
    made_by_name: str
    created_at: datetime
    report: str
    undone_at: datetime | None


class LabelRow(Row):
    """A label of an item."""

    name: str
    number: Number
    moved_by: str | None
    moved_by_name: str
    moved_at: datetime


class ItemRow(Row):
    """A stored object without its texts."""

    kind: str
    slug: str
    name: str
    description: str
    search_text: str
    origin: str
    is_private: bool
    owner: str | None
    head: Number | None
    last_number: Number
    row_version: Number
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime
    updated_by: str | None
    updated_by_name: str
    tags: list[str]
    labels: list[LabelRow]


class ReferenceRow(Row):
    """What a revision names."""

    path: str
    kind: str
    slug: str
    pin: str


class RevisionRow(Row):
    """A revision; `document` and `findings` are text, so that not a byte of them changes."""

    kind: str
    slug: str
    number: Number
    document: str
    content_hash: str
    checks: Colour
    findings: str
    note: str
    author: str | None
    author_name: str
    batch: int | None
    created_at: datetime
    references: list[ReferenceRow]


class AuditRow(Row):
    """An entry of the audit trail."""

    at: datetime
    actor_kind: str
    actor_name: str
    via: str
    action: str
    item_kind: str
    item_slug: str
    from_number: int | None
    to_number: int | None
    before: str
    after: str
    request_id: str
