"""Kind `instruct-format`: the format document as it is stored, linted, found and exported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import orjson

from formats.interchange.reading import Written
from formats.interchange.registry import WRITERS
from formats.stored.faults import refusal
from formats.stored.foreign import detect_foreign
from neotavern.ground.errors import invalid
from neotavern.library.kinds import CheckReport, Detected, Exported, Exporter, Finding, Kind, Loss, ValidDocument

if TYPE_CHECKING:
    from formats.prompt import InstructFormat

NAME = "instruct-format"
VERSION_1_FIELDS = frozenset({"id", "system", "user", "assistant"})
TEMPLATES = ("system", "user", "assistant", "tool")


def validate(document: Any) -> ValidDocument:
    """Return a version 2 document, migrated when it is older; its keys keep their order and spelling becomes camelCase.

    Compiles and tries every template. Raises VALIDATION, TEMPLATE_SYNTAX, TEMPLATE_LIMIT or UNSUPPORTED_VERSION.
    """
    from formats.prompt import FormatError
    from formats.prompt.importing import import_with_notes

    try:
        fmt, notes = import_with_notes(document)
    except FormatError as error:
        raise refusal(error) from error
    newest = _as_stored(document)
    return ValidDocument(
        document=newest,
        name=fmt.name,
        slug=fmt.id,
        description=fmt.description,
        tags=tuple(dict.fromkeys(fmt.tags)),
        search_text="\n".join(str(newest[field]) for field in TEMPLATES),
        loss=[Loss(note.path, note.reason) for note in notes],
    )


def _as_stored(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document that is known to be valid in the newest version, with exactly the fields that were given."""
    from formats.prompt.document import VERSION
    from formats.prompt.migrations import migrate, version_of
    from formats.prompt.spelling import spell_document

    spelled = spell_document(document, [])
    newest, _ = migrate(spelled, version_of(spelled))
    return {"kind": NAME, "version": VERSION} | newest if "kind" not in newest or "version" not in newest else newest


def migrate_stored(document: dict[str, Any]) -> dict[str, Any]:
    """Return a stored document in the newest version."""
    from formats.prompt.migrations import migrate, version_of

    return migrate(document, version_of(document))[0]


def checks(document: dict[str, Any]) -> CheckReport:
    """Lint a valid document and run its tests."""
    from formats.lint import checks as lint

    result = lint(document)
    findings = [
        Finding(item.severity, item.code, item.message, item.path, item.line, item.column) for item in result.findings
    ]
    return CheckReport(result.colour, findings)


def detect(document: Any) -> Detected | None:
    """Tell our own documents, of either version, and other programs' files from anything else."""
    if not isinstance(document, dict):
        return None
    if document.get("kind") == NAME:
        return Detected(f"{NAME} {document.get('version', '')}".strip())
    if "kind" not in document and document.keys() >= VERSION_1_FIELDS:
        return Detected(f"{NAME} {document.get('version', 1)}")
    return detect_foreign(NAME, document)


def export_neotavern(document: dict[str, Any], version: str | None) -> Exported:
    """Return the bare file: as stored, or as NeoTavern's eight fields for version 1."""
    if version in (None, "2"):
        return _file(document, [])
    if version != "1":
        raise invalid("version", "Formats are written in version 1 or 2.", known=["1", "2"])
    from formats.prompt import InstructFormat, export_instruct_format

    older = export_instruct_format(InstructFormat.model_validate(document), version=1)
    kept = {*older, "kind"}
    loss = [Loss(field, "version 1 has no such field") for field in document if field not in kept]
    return _file(older, loss)


def _exporter(write: Callable[[InstructFormat], Written]) -> Exporter:
    def export(document: dict[str, Any], version: str | None) -> Exported:
        from formats.prompt import InstructFormat

        written = write(InstructFormat.model_validate(document))
        loss = [Loss(*one) for one in written.losses]
        return Exported(written.text.encode(), written.content_type, written.extension, loss)

    return export


def _file(document: dict[str, Any], loss: list[Loss]) -> Exported:
    body = orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    return Exported(body, "application/json", "json", loss)


KIND = Kind(
    name=NAME,
    title="format",
    plural_path="formats",
    validate=validate,
    checks=checks,
    migrate=migrate_stored,
    detect=detect,
    exporters={"neotavern": export_neotavern, **{style: _exporter(write) for style, write in WRITERS.items()}},
)
