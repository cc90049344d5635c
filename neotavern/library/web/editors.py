"""How a kind's documents are edited on a page: as fields where a floor above has registered some, as JSON otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import orjson
from django.utils.translation import gettext as _

from neotavern.accounts.actor import Actor
from neotavern.ground.canonical import loads
from neotavern.ground.errors import AppError, Detail
from neotavern.library.kinds import Finding, Kind

WHOLE = "d.json"


@dataclass(slots=True)
class Draft:
    """A document read from a form; `faults` are fields whose text means nothing, and `texts` what was typed there."""

    document: dict[str, Any]
    faults: list[Detail] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shown:
    """What the page's template shows: its part for the editor, the context of that, and findings that no field took."""

    template: str
    context: dict[str, Any]
    left: Sequence[Finding]


class Editor(Protocol):
    """Reads and shows documents of one kind."""

    def start(self) -> dict[str, Any]:
        """Return the document of a new object."""

    def read(self, post: Mapping[str, str], base: dict[str, Any]) -> Draft:
        """Return `base` with what the form says."""

    def show(self, document: dict[str, Any], findings: Sequence[Finding], texts: Mapping[str, str]) -> Shown:
        """Return what the page shows of a document."""


@dataclass(frozen=True, slots=True)
class JsonEditor:
    """The whole document as JSON in one field: serves every kind."""

    kind: Kind

    def start(self) -> dict[str, Any]:
        """Return a document with what every kind has."""
        return {"kind": self.kind.name, "version": 1, "name": ""}

    def read(self, post: Mapping[str, str], base: dict[str, Any]) -> Draft:
        """Return the document of the text; what is no JSON object comes back with its line and column."""
        text = post.get(WHOLE)
        if text is None or text.replace("\r\n", "\n") == as_json(base):
            return Draft(base)
        try:
            document = loads(text.replace("\r\n", "\n").encode())
        except AppError as error:
            detail = error.details[0] if error.details else Detail("", error.message)
            return Draft(base, [_placed(text, detail)], {"": text})
        if not isinstance(document, dict):
            return Draft(base, [Detail("", _("This must be a JSON object, in braces."))], {"": text})
        return Draft(document)

    def show(self, document: dict[str, Any], findings: Sequence[Finding], texts: Mapping[str, str]) -> Shown:
        """Return the text area; every finding is listed above it, since its path is what there is to go by."""
        text = texts.get("", as_json(document))
        return Shown(
            "library/_json.html", {"json_text": text, "rows": min(max(text.count("\n") + 2, 12), 40)}, findings
        )


def _placed(text: str, detail: Detail) -> Detail:
    """Give a fault of the syntax its line and column."""
    try:
        json.loads(text.replace("\r\n", "\n"))
    except json.JSONDecodeError as error:
        return Detail("", _("This is not JSON: %(why)s.") % {"why": error.msg}, error.lineno, error.colno)
    except (ValueError, RecursionError):
        pass
    return Detail("", detail.message or _("This is not JSON."), detail.line, detail.column)


def as_json(document: dict[str, Any]) -> str:
    """Return a document as people read and write it."""
    return orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()


_EDITORS: dict[str, Editor] = {}


def register(kind: str, editor: Editor) -> None:
    """Let documents of `kind` be edited by `editor`."""
    _EDITORS[kind] = editor


def has_fields(kind: Kind) -> bool:
    """Return whether documents of a kind are edited as fields; every kind is edited as JSON too."""
    return kind.name in _EDITORS


def editor_of(kind: Kind, *, as_json: bool = False) -> Editor:
    """Return the editor of a kind; with `as_json` the one that shows the whole document."""
    return JsonEditor(kind) if as_json else _EDITORS.get(kind.name) or JsonEditor(kind)


Extras = Callable[[Actor, Kind, str], dict[str, Any]]
"""What a floor above has to say on the page of an object: takes the caller, the kind and the slug."""

_EXTRAS: list[Extras] = []


def register_extras(extras: Extras) -> None:
    """Add to the context of every object's page."""
    if extras not in _EXTRAS:
        _EXTRAS.append(extras)


def extras_of(actor: Actor, kind: Kind, slug: str) -> dict[str, Any]:
    """Return what the floors above add to the page of an object."""
    return {name: value for extras in _EXTRAS for name, value in extras(actor, kind, slug).items()}
