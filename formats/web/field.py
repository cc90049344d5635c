"""What one field of the format form is: where it stands in the document, how it is shown, what it is for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from django_stubs_ext import StrOrPromise

Widget = Literal[
    "template",
    "jinja",
    "literal",
    "text",
    "line",
    "choice",
    "boolean",
    "flag",
    "lines",
    "tokens",
    "tags",
    "json",
    "number",
]
"""`template` and `jinja` are coloured code, `literal` is text whose every space counts, `lines` one string a line with
`\\n` for a newline, `tokens` the same with ` = meaning`, `json` any value, `boolean` a
choice of yes, no and unset."""

Empty = Literal["text", "null", "absent"]
"""What an empty field means: the empty text, null, or that the document does not have the key."""


@dataclass(frozen=True, slots=True)
class Field:
    """One value of the document. `path` is dotted; `default` is what the document means when the key is absent."""

    path: str
    label: StrOrPromise
    widget: Widget
    help: StrOrPromise = ""
    example: str = ""
    default: Any = ""
    choices: tuple[tuple[str, StrOrPromise], ...] = ()
    empty: Empty = "text"
    is_half: bool = False
    is_required: bool = False

    @property
    def key(self) -> str:
        """The last step of the path: the name that the document uses."""
        return self.path.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Group:
    """An object of the document that may be null as a whole: a switch and, when it is on, fields."""

    path: str
    label: StrOrPromise
    fields: tuple[Field, ...]
    help: StrOrPromise = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A collapsible part of the form; `summary` says in one line what a closed one holds."""

    id: str
    title: StrOrPromise
    summary: Callable[[dict[str, Any]], str]
    items: tuple[Field | Group, ...] = field(default_factory=tuple)
    intro: StrOrPromise = ""

    def all_fields(self) -> list[Field]:
        """Return the fields, those inside groups included."""
        found: list[Field] = []
        for item in self.items:
            found += item.fields if isinstance(item, Group) else (item,)
        return found
