"""The archive file: a zip with a manifest, the team, and one NDJSON file a part. Equal teams give equal bytes."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import orjson
from django.db import IntegrityError, connection, transaction
from pydantic import ValidationError

from neotavern.accounts.models import Team
from neotavern.ground.canonical import loads, reject_nul
from neotavern.ground.errors import AppError, ErrorCode, conflict, invalid
from neotavern.ground.validation import validation_refusal
from neotavern.library.backup import dump
from neotavern.library.backup.parts import Archived, Part, parts
from neotavern.library.backup.rows import Row, TeamRow
from neotavern.library.bundles import entry
from neotavern.library.models import Item

FORMAT = "neotavern-team"
VERSION = 1
MANIFEST = "manifest.json"
TEAM = "team.json"
R = TypeVar("R", bound=Row)


def export_team(team: Team, path: Path) -> dict[str, int]:
    """Write `team` to `path`, whole or not at all; return how many lines each part has."""
    unfinished = path.with_name(path.name + ".part")
    try:
        with _private(unfinished) as file, snapshot():
            counts = write(team, file)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return counts


def write(team: Team, file: IO[bytes]) -> dict[str, int]:
    """Write the archive of `team` to an open file."""
    source = Archived.of(team)
    counts: dict[str, int] = {}
    with zipfile.ZipFile(file, "w") as archive:
        for one in parts():
            with archive.open(entry(f"{one.name}.ndjson"), "w", force_zip64=True) as out:
                counts[one.name] = _write_lines(out, one.dump(source))
        archive.writestr(entry(TEAM), _line(next(dump.team(source))))
        manifest = {"format": FORMAT, "version": VERSION, "counts": counts}
        archive.writestr(
            entry(MANIFEST), orjson.dumps(manifest, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        )
    return counts


def _write_lines(out: IO[bytes], rows: Iterator[Row]) -> int:
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007 - the last one is the count
        out.write(_line(row))
    return count


def _line(row: Row) -> bytes:
    return orjson.dumps(row.model_dump(mode="json", by_alias=True), option=orjson.OPT_APPEND_NEWLINE)


def import_team(path: Path, *, slug: str | None = None) -> tuple[Team, dict[str, int]]:
    """Bring a team in from `path`, whole or not at all; `slug` gives it another name.

    A team of that slug must not exist, or have no stored objects. Raises AppError that says what is wrong and where.
    """
    try:
        with zipfile.ZipFile(path) as archive, transaction.atomic():
            return _read(archive, slug)
    except zipfile.BadZipFile as error:
        raise invalid("", f"This is no archive of a team: {error}.") from error
    except IntegrityError as error:
        raise conflict(f"The archive contradicts itself or what is here: {error}. Nothing was stored.") from error


def _read(archive: zipfile.ZipFile, slug: str | None) -> tuple[Team, dict[str, int]]:
    counts = _manifest(archive)
    row = _parsed(TeamRow, TEAM, 1, _bytes(archive, TEAM))
    target = Archived(_team(row, slug or row.slug), {})
    for one in parts():
        _load_part(archive, one, target, counts.get(one.name, 0))
    return target.team, counts


def _manifest(archive: zipfile.ZipFile) -> dict[str, int]:
    manifest = loads(_bytes(archive, MANIFEST))
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise invalid("", "This is no archive of a team: its manifest says otherwise.")
    if manifest.get("version") != VERSION:
        message = f"The archive has version {manifest.get('version')}; this one reads {VERSION}."
        raise AppError(ErrorCode.UNSUPPORTED_VERSION, message)
    counts: dict[str, int] = manifest.get("counts", {})
    unknown = sorted(set(counts) - {one.name for one in parts()})
    if unknown:
        raise invalid("", f"The archive has parts that this version does not know: {', '.join(unknown)}.")
    return counts


def _team(row: TeamRow, slug: str) -> Team:
    team = Team.objects.select_for_update().filter(slug=slug).first()
    if team is None:
        team = Team(slug=slug)
    elif Item.objects.filter(team=team).exists():
        raise conflict(f"The team {slug!r} is here and has objects: import under another slug (--team).", slug=slug)
    team.name, team.policy = row.name, row.policy
    team.full_clean(validate_unique=False)
    team.save()
    Team.objects.filter(pk=team.pk).update(created_at=row.created_at)
    return team


def _load_part(archive: zipfile.ZipFile, part: Part[Row], target: Archived, expected: int) -> None:
    name = f"{part.name}.ndjson"
    read = 0

    def rows() -> Iterator[Row]:
        nonlocal read
        with archive.open(name) as lines:
            for read, line in enumerate(lines, 1):
                yield _parsed(part.row, name, read, line)

    if expected == 0 and name not in archive.namelist():
        return
    try:
        part.load(target, rows())
    except AppError as error:
        raise AppError(error.code, f"{name}, line {read}: {error.message}", details=error.details) from error
    if read != expected:
        raise invalid("", f"{name} has {read:,} lines, and the manifest says {expected:,}: the archive is damaged.")


def _parsed(model: type[R], name: str, number: int, line: bytes) -> R:
    value = loads(line)
    reject_nul(value)
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise validation_refusal([dict(fault) for fault in error.errors(include_url=False)]) from error


def _bytes(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        return archive.read(name)
    except KeyError:
        raise invalid("", f"This is no archive of a team: it has no {name}.") from None


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all reads inside see one moment, without holding up writers."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


def _private(path: Path) -> Any:
    """Open a new file that only its owner reads: an archive has everything a team wrote."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")
