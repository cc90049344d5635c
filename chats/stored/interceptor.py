"""Kind `interceptor`: rules that change an assembled prompt before it is text."""

from __future__ import annotations

from typing import Any, Literal

from chats.documents import DocumentError
from chats.documents.fields import LongText, Name, Rank, Stored
from chats.pipeline.interceptors import InterceptorError, Replace, read_interceptor
from chats.pipeline.interceptors.rules import MAX_RULES, Rule
from chats.stored.names import INTERCEPTOR
from chats.stored.reading import detector, read, valid
from formats.prompt.fields import sequence
from formats.stored.faults import refusal
from formats.stored.files import export_bare
from formats.stored.slugs import with_slug
from neotavern.ground.errors import invalid
from neotavern.library.kinds import Kind, ValidDocument

NAME = INTERCEPTOR


class InterceptorDocument(Stored):
    """An interceptor that is data: of several the lower priority runs first, of equal ones the name decides."""

    kind: Literal["interceptor"] = "interceptor"
    version: Literal[1] = 1
    name: Name
    description: LongText = ""
    priority: Rank = 100
    enabled: bool = True
    rules: tuple[Rule, ...] = sequence(limit=MAX_RULES)


def validate(document: Any) -> ValidDocument:
    """Return the interceptor as given; its patterns are compiled once. Raises VALIDATION."""
    parsed = read(InterceptorDocument, document)
    for at, rule in enumerate(parsed.rules):
        _check(rule, f"rules[{at}].find")
    texts = [rule.find for rule in parsed.rules if isinstance(rule, Replace)]
    return valid(parsed, NAME, name=parsed.name, description=parsed.description, texts=texts)


def _check(rule: Any, path: str) -> None:
    try:
        read_interceptor({"name": NAME, "rules": [rule]})
    except InterceptorError as error:
        message = str(error)
        raise invalid(path, message[:1].upper() + message[1:] + ".") from None
    except DocumentError as error:
        raise refusal(error) from error


KIND = Kind(
    name=NAME,
    title="interceptor",
    plural_path="interceptors",
    validate=validate,
    detect=detector(NAME),
    with_slug=with_slug,
    exporters={"neotavern": export_bare},
)
