"""Older document versions, one small step each: version n becomes n + 1, with a note for whatever is lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from formats.prompt.document import KIND, VERSION, InstructFormat
from formats.prompt.errors import UNSUPPORTED_VERSION, VALIDATION, Fault, FormatError
from formats.prompt.fields import STOP_LENGTH, STOP_LIMIT, TEMPLATE_LIMIT

V1_FIELDS: Final = ("id", "version", "system", "user", "assistant", "tool", "promptSuffix", "stopStrings")


@dataclass(frozen=True, slots=True)
class Note:
    """What an import could not keep, and why."""

    path: str
    reason: str


def version_of(document: Mapping[str, Any]) -> int:
    """The version a document is in, or FormatError.

    NeoTavern's first version has no `kind`, so a document without one is version 1, unless it has a field that only
    version 2 knows and says 2 or nothing.
    """
    kind, version = document.get("kind"), document.get("version")
    if "kind" in document and kind != KIND:
        raise FormatError(Fault("kind", f"must be {KIND!r}, not {kind!r}"))
    if version is not None and (not isinstance(version, int) or isinstance(version, bool)):
        raise FormatError(Fault("version", "must be a whole number"))
    if "kind" in document or (version in (None, 2) and _has_newer_fields(document)):
        return _known(VERSION if version is None else version, {VERSION})
    return _known(1 if version is None else version, {1})


def migrate(document: dict[str, Any], version: int) -> tuple[dict[str, Any], list[Note]]:
    """The document in the newest version, and what was lost on the way."""
    notes: list[Note] = []
    while version < VERSION:
        document, lost = _STEPS[version](document)
        notes.extend(lost)
        version += 1
    return document, notes


def slug_of(text: str) -> str:
    """A slug made of any identifier."""
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-._")
    return slug[:128] or "format"


def _known(version: int, known: set[int]) -> int:
    if version in known:
        return version
    hint = f"; a version {VERSION} document names its kind, {KIND!r}" if version == VERSION else ""
    raise FormatError(
        Fault("version", f"version {version} is not known here; known are 1 and {VERSION}{hint}", UNSUPPORTED_VERSION)
    )


def _has_newer_fields(document: Mapping[str, Any]) -> bool:
    known = {field.alias or name for name, field in InstructFormat.model_fields.items()} - set(V1_FIELDS)
    return any(key in known for key in document)


def _one_to_two(document: dict[str, Any]) -> tuple[dict[str, Any], list[Note]]:
    """NeoTavern's eight fields. Empty stop strings were allowed there; they would stop every reply at once."""
    _check_version_1(document)
    notes: list[Note] = []
    stops = []
    for index, stop in enumerate(document["stopStrings"]):
        if stop:
            stops.append(stop)
        else:
            notes.append(Note(f"stopStrings[{index}]", "an empty stop string was dropped"))
    slug = slug_of(document["id"])
    if slug != document["id"]:
        notes.append(Note("id", f"{document['id']!r} is not a slug; it became {slug!r} and stays as the name"))
    newer = {"kind": KIND, **document, "version": 2, "id": slug, "name": document["id"], "stopStrings": stops}
    return newer, notes


def _check_version_1(document: Mapping[str, Any]) -> None:
    faults = [Fault(str(key), "unknown field; version 1 has no such field") for key in document if key not in V1_FIELDS]
    faults += [Fault(field, "is required") for field in V1_FIELDS if field not in document]
    for field in ("id", "system", "user", "assistant", "tool", "promptSuffix"):
        faults += _check_text(field, document.get(field, ""), TEMPLATE_LIMIT if field != "id" else 128)
    if document.get("id") == "":
        faults.append(Fault("id", "must not be empty"))
    stops = document.get("stopStrings", [])
    if not isinstance(stops, list | tuple):
        faults.append(Fault("stopStrings", "must be an array of strings"))
    else:
        if len(stops) > STOP_LIMIT:
            faults.append(Fault("stopStrings", f"must have at most {STOP_LIMIT} entries"))
        for index, stop in enumerate(stops):
            faults += _check_text(f"stopStrings[{index}]", stop, STOP_LENGTH)
    if faults:
        raise FormatError(faults)


def _check_text(path: str, value: Any, limit: int) -> list[Fault]:
    if not isinstance(value, str):
        return [Fault(path, "must be a string", VALIDATION)]
    return [Fault(path, f"must have at most {limit} characters", VALIDATION)] if len(value) > limit else []


_STEPS: Final[Mapping[int, Callable[[dict[str, Any]], tuple[dict[str, Any], list[Note]]]]] = {1: _one_to_two}
