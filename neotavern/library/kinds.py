"""The registry of stored kinds: one registration gives a kind every verb, by API and service."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol

from neotavern.accounts.actor import Actor
from neotavern.ground.errors import invalid
from neotavern.library.pointers import Pointer

Severity = Literal["error", "warning", "info"]
Colour = Literal["green", "red"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check has to say about a document; `line` and `column` (from 1) lie inside the text at `path`."""

    severity: Severity
    code: str
    message: str
    path: str = ""
    line: int | None = None
    column: int | None = None

    def wire(self) -> dict[str, Any]:
        """Return the JSON form; unknown positions are null."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Result of the checks of one document: red stops publishing."""

    colour: Colour = "green"
    findings: Sequence[Finding] = ()


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that an import or export could not carry over, and why."""

    path: str
    reason: str

    def wire(self) -> dict[str, str]:
        """Return the JSON form."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Mention:
    """A reference of a document: the object of `kind` that the pointer at `path` means."""

    path: str
    kind: str
    pointer: Pointer


@dataclass(frozen=True, slots=True)
class ValidDocument:
    """A document that validates: what is stored, and what its item shows of it.

    `slug` is None for kinds whose documents do not carry their slug, and for a document that leaves out its `id`: then
    `suggested_slug` is the one for a new object. `parts` is what the document says of the rows beside it; None leaves
    them as they are.
    """

    document: dict[str, Any]
    name: str
    slug: str | None = None
    description: str = ""
    tags: Sequence[str] = ()
    search_text: str = ""
    mentions: Sequence[Mention] = ()
    loss: Sequence[Loss] = ()
    suggested_slug: str = ""
    parts: Any = None


@dataclass(frozen=True, slots=True)
class Exported:
    """A file to hand out, and what it could not say."""

    body: bytes
    content_type: str
    extension: str
    loss: Sequence[Loss] = ()


@dataclass(frozen=True, slots=True)
class Detected:
    """A document that an importer knows: `label` names what it is, `family` where such documents come from.

    Documents of the family `neotavern` are our own: the same slug in the same team is the same object. For a foreign
    one `read` takes the value and the name that it came under, and returns a document of ours and what it lost.
    """

    label: str
    family: str = "neotavern"
    read: Callable[[Any, str], tuple[Any, Sequence[Loss]]] | None = None


class Parts(Protocol):
    """What a kind keeps beside its document, in rows of its own. Called within the transaction of a save.

    `has_revisions`: the rows of an old revision are still there, and come back with it.
    """

    has_revisions: bool

    def is_same(self, item_id: int, number: int, parts: Any) -> bool:
        """Return whether the rows of revision `number` say `parts` already."""

    def write(self, item_id: int, number: int, parts: Any) -> None:
        """Make the rows of the new revision `number` say `parts`."""

    def join(self, item_id: int, number: int, document: dict[str, Any]) -> dict[str, Any]:
        """Return the document of revision `number` with its parts inside, as files and clones have it."""


Exporter = Callable[[dict[str, Any], str | None], Exported]
"""Takes the stored document and the `version` asked for."""


def _green(document: dict[str, Any]) -> CheckReport:
    return CheckReport()


def _unchanged(document: dict[str, Any]) -> dict[str, Any]:
    return document


def _as_given(actor: Actor, valid: ValidDocument) -> ValidDocument:
    return valid


def _same(slug: str) -> str:
    return slug


def _put_id(document: dict[str, Any], slug: str) -> dict[str, Any]:
    return {key: (slug if key == "id" else value) for key, value in document.items()}


@dataclass(frozen=True, slots=True)
class Kind:
    """A stored kind.

    `validate` takes any JSON value and raises AppError with located details, paths relative to the document. `checks`
    lints a valid document. `migrate` brings a stored document of an older version up to date when it is read.
    `detect` says whether an uploaded value is of this kind; None keeps the kind out of /import. `plural_path` is its
    place under /api/v1, None for a kind that has operations of its own. `shown_slug` is what others are told of an
    object that uses theirs. `opening` takes the author of a new object and its document, and returns the document with
    what it begins with; `create` alone calls it, copies and files are what they are. `private_until_shared`: an object
    is its author's alone until its document says `"shared": true`. `parts` is what keeps rows beside the documents.
    `policy_may_close`: a team may keep the kind to its administrators.
    """

    name: str
    title: str
    validate: Callable[[Any], ValidDocument]
    plural_path: str | None = None
    checks: Callable[[dict[str, Any]], CheckReport] = _green
    migrate: Callable[[dict[str, Any]], dict[str, Any]] = _unchanged
    detect: Callable[[Any], Detected | None] | None = None
    with_slug: Callable[[dict[str, Any], str], dict[str, Any]] = _put_id
    exporters: Mapping[str, Exporter] = field(default_factory=dict)
    audits_documents: bool = False
    private_until_shared: bool = False
    parts: Parts | None = None
    opening: Callable[[Actor, ValidDocument], ValidDocument] = _as_given
    shown_slug: Callable[[str], str] = _same
    personal_prefix: str = ""
    policy_may_close: bool = False


_KINDS: dict[str, Kind] = {}


def register(kind: Kind) -> Kind:
    """Add a kind. Raises ValueError when the name or the path is taken."""
    if kind.name in _KINDS:
        raise ValueError(f"kind {kind.name!r} is registered already")
    if kind.plural_path and any(other.plural_path == kind.plural_path for other in _KINDS.values()):
        raise ValueError(f"path {kind.plural_path!r} belongs to another kind")
    _KINDS[kind.name] = kind
    return kind


def unregister(name: str) -> None:
    """Remove a kind; for tests that make one up."""
    _KINDS.pop(name, None)


def get(name: str) -> Kind:
    """Return a registered kind. Raises LookupError for a name that no code registers."""
    try:
        return _KINDS[name]
    except KeyError:
        raise LookupError(f"no kind {name!r} is registered") from None


def exporter_of(kind: Kind, style: str) -> Exporter:
    """Return what writes `kind` as `style`. Raises VALIDATION that names the styles there are."""
    exporter = kind.exporters.get(style)
    if exporter is None:
        known = sorted(kind.exporters)
        message = f"A {kind.title} is not exported as {style[:40]!r}; known: {', '.join(known)}."
        raise invalid("as", message, known=known)
    return exporter


def kinds() -> list[Kind]:
    """Return all registered kinds, in order of registration."""
    return list(_KINDS.values())
