"""Many objects as one zip of bare files; what could not be exported is listed in it."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from tempfile import SpooledTemporaryFile
from typing import IO, Any

import orjson

from neotavern.accounts import permissions
from neotavern.accounts.actor import Actor
from neotavern.ground.errors import AppError
from neotavern.library import selectors
from neotavern.library.kinds import Exported, Kind, exporter_of
from neotavern.library.services.bulk import checked_slugs

REFUSED = "refused.json"
IN_MEMORY_BYTES = 4 * 1024 * 1024
THE_SAME_TIME = (1980, 1, 1, 0, 0, 0)
"""Equal objects give equal zips."""


def bundle(actor: Actor, kind: Kind, slugs: Sequence[str], *, style: str, version: str | None) -> IO[bytes]:
    """Return a zip with `slug.extension` for the newest revision of each object, open at its start.

    `refused.json`, when there is one, has `{"items": [{"slug", "error"}]}`. Raises FORBIDDEN, and VALIDATION for too
    many slugs or an unknown style.
    """
    permissions.require(actor, "read")
    exporter_of(kind, style)
    file: IO[bytes] = SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)  # noqa: SIM115 - the answer closes it
    refused: list[dict[str, Any]] = []
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for slug in checked_slugs(slugs):
            try:
                exported = _export(actor, kind, slug, style, version)
            except AppError as error:
                refused.append({"slug": slug, **error.body()})
                continue
            put(archive, f"{slug}.{exported.extension}", exported.body)
        if refused:
            put(archive, REFUSED, orjson.dumps({"items": refused}, option=orjson.OPT_INDENT_2))
    file.seek(0)
    return file


def _export(actor: Actor, kind: Kind, slug: str, style: str, version: str | None) -> Exported:
    item = selectors.get_item(actor, kind=kind.name, slug=slug, archived=True)
    return exporter_of(kind, style)(selectors.whole_document(item, selectors.revision(item)), version)


def put(archive: zipfile.ZipFile, name: str, body: bytes) -> None:
    """Add a file."""
    archive.writestr(entry(name), body)


def entry(name: str) -> zipfile.ZipInfo:
    """Return the head of a file whose time and rights say nothing."""
    head = zipfile.ZipInfo(name, THE_SAME_TIME)
    head.compress_type = zipfile.ZIP_DEFLATED
    head.external_attr = 0o644 << 16
    return head
