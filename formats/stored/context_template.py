"""Kind `context-template`: the template that puts a prompt together, as it is stored, linted, found and exported."""

from __future__ import annotations

from typing import Any, Final

from formats.context.context_template import NAME as KIND_NAME
from formats.context.context_template import VERSION, ContextTemplate, read_context_template
from formats.context.role_blocks import CompiledContext
from formats.prompt.errors import FormatError
from formats.stored.faults import refusal
from formats.stored.files import export_bare
from formats.stored.foreign import detect_foreign
from formats.stored.slugs import suggest_slug, with_slug
from neotavern.library.kinds import CheckReport, Detected, Finding, Kind, Loss, ValidDocument

NAME: Final = KIND_NAME


def validate(document: Any) -> ValidDocument:
    """Return the template as given, keys in camelCase and in the order of the model.

    Compiles it. Raises VALIDATION, TEMPLATE_SYNTAX, TEMPLATE_LIMIT or UNSUPPORTED_VERSION.
    """
    try:
        parsed = read_context_template(document)
        CompiledContext(parsed)
    except FormatError as error:
        raise refusal(error) from error
    given = {"kind": NAME, "version": VERSION} | parsed.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return ValidDocument(
        document=given,
        name=parsed.name or parsed.id or "Context template",
        slug=parsed.id,
        suggested_slug=suggest_slug(parsed.name, NAME),
        description=parsed.description,
        tags=tuple(dict.fromkeys(parsed.tags)),
        search_text=parsed.template,
    )


def checks(document: dict[str, Any]) -> CheckReport:
    """Try a valid template on a full and on an empty context."""
    from formats.lint.context import context_checks

    report = context_checks(ContextTemplate.model_validate(document))
    findings = [
        Finding(item.severity, item.code, item.message, item.path, item.line, item.column) for item in report.findings
    ]
    return CheckReport(report.colour, findings)


def detect(document: Any) -> Detected | None:
    """Tell our own context templates, and those that Serene Pub's config lists hold, from anything else."""
    if not isinstance(document, dict):
        return None
    if document.get("kind") == NAME:
        return Detected(f"{NAME} {document.get('version', VERSION)}")
    if "isImmutable" in document and isinstance(document.get("template"), str):
        return Detected("Serene Pub context config", family="serene-pub", read=_read_config)
    return detect_foreign(NAME, document)


def _read_config(document: Any, name: str) -> tuple[Any, list[Loss]]:
    """Return a context config of Serene Pub as a document of ours; its number and its lock mean nothing here."""
    given = document.get("name")
    made = {"kind": NAME, "version": VERSION, "name": given if isinstance(given, str) else name}
    lost = [Loss(key, "has no meaning here") for key in document if key not in ("name", "template", "isImmutable")]
    return {**made, "template": document["template"]}, lost


KIND = Kind(
    name=NAME,
    title="context template",
    plural_path="context-templates",
    validate=validate,
    checks=checks,
    detect=detect,
    with_slug=with_slug,
    policy_may_close=True,
    exporters={"neotavern": export_bare},
)
