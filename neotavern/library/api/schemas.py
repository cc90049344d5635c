"""Bodies and answers of the operations that every stored kind has."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

from neotavern.ground.wire import WireModel

Colour = Literal["green", "red", "forced"]


class CreateIn(WireModel):
    """A new object. Its slug is the document's `id`."""

    document: dict[str, Any]
    note: str | None = None
    force: bool | None = None


class SaveIn(CreateIn):
    """A new state of an object, and the revision that it was made from."""

    base_revision: int | None = None


class CloneIn(WireModel):
    """The slug of the copy."""

    slug: str
    note: str | None = None


class RestoreIn(WireModel):
    """All optional: a note, the newest revision as the caller knows it, and force past red checks."""

    note: str | None = None
    force: bool | None = None
    base_revision: int | None = None


class LabelIn(WireModel):
    """The revision that a label shall point at."""

    revision: int
    base_revision: int | None = None


class FindingOut(BaseModel):
    """What a check says; line and column count from 1 inside the text at `path`."""

    severity: Literal["error", "warning", "info"]
    code: str
    message: str
    path: str
    line: int | None
    column: int | None


class SummaryOut(BaseModel):
    """A stored object as lists show it. `revision` is the newest, `latest` the newest green or forced one."""

    slug: str
    name: str
    kind: str
    description: str
    builtin: bool
    archived: bool
    revision: int
    latest: int | None
    checks: Colour
    labels: dict[str, int]
    tags: list[str]
    updatedAt: str
    updatedBy: str | None
    etag: str


class StoredOut(SummaryOut):
    """A stored object with the document of the revision shown."""

    findings: list[FindingOut]
    document: dict[str, Any]


class ListOut(BaseModel):
    """A page of stored objects; `nextCursor` is null on the last."""

    items: list[SummaryOut]
    nextCursor: str | None


class RevisionOut(BaseModel):
    """A revision without its document."""

    revision: int
    author: str | None
    note: str
    createdAt: str
    contentHash: str
    checks: Colour


class RevisionsOut(BaseModel):
    """The revisions of an object, newest first."""

    items: list[RevisionOut]
    nextCursor: str | None


class LabelOut(BaseModel):
    """Where a label points now and pointed before."""

    label: str
    revision: int
    previous: int | None


class ValidateOut(BaseModel):
    """What a save would say: `checks` is the colour that the revision would have; null when it would be refused."""

    valid: bool
    checks: Colour | None
    findings: list[FindingOut]


class LossOut(BaseModel):
    """Something that could not be carried over, and why."""

    path: str
    reason: str


class ReportOut(BaseModel):
    """What an export can not say."""

    loss: list[LossOut]


class OutcomeOut(BaseModel):
    """What became of one imported document."""

    name: str
    detected: str | None
    action: Literal["created", "newRevision", "unchanged", "refused"]
    slug: str | None
    kind: str | None
    revision: int | None
    loss: list[LossOut]
    error: dict[str, Any] | None


class ImportOut(BaseModel):
    """What became of each imported document, in order."""

    items: list[OutcomeOut]
