"""What one field of the format form is: where it stands in the document, how it is shown, what it is for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
    "decimal",
    "items",
    "set",
]
"""`template` and `jinja` are coloured code, `literal` is text whose every space counts, `lines` one string a line with
`\\n` for a newline, `tokens` the same with ` = meaning`, `items` one string a line exactly as typed, `set` boxes to
tick for the choices, `json` any value, `boolean` a choice of yes, no and unset, `decimal` a number with a fraction."""

Empty = Literal["text", "null", "absent"]
"""What an empty field means: the empty text, null, or that the document does not have the key."""


@dataclass(frozen=True, slots=True)
class Field:
    """One value of the document. `path` is dotted; `default` is what the document means when the key is absent.

    `is_unique`: no two rows of a list may have the same text. `names` is the kind of object that a line names: those of
    the team are offered.
    """

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
    is_unique: bool = False
    names: str = ""

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
class Variant:
    """One sort of row: what it is called, its fields (paths within the row), and what a new one is."""

    name: str
    label: StrOrPromise
    fields: tuple[Field, ...]
    start: Mapping[str, Any] = field(default_factory=dict)
    lead: Field | None = None
    is_fixed: bool = False

    @property
    def all_fields(self) -> tuple[Field, ...]:
        """The fields, with the switch that stays in sight while the row is closed."""
        return self.fields if self.lead is None else (self.lead, *self.fields)


Shape = Literal["objects", "texts", "map"]
"""What the list of the document holds: objects, bare texts (a row then has the field `text`), or names with texts
(an object of the document; a row then has the fields `name` and `text`)."""


@dataclass(frozen=True, slots=True)
class Rows:
    """A list of the document, edited row by row: added, taken out, put into another order.

    `sort` says which variant a row is; `title` and `summary` what a closed one shows. `usual` is the list that holds
    while the document has none: it is shown, and stored only once it was changed. A fixed variant is not taken
    out, and the last `tail` rows are not moved. An inline row has its fields side by side and never closes.
    """

    path: str
    label: StrOrPromise
    variants: tuple[Variant, ...]
    title: Callable[[dict[str, Any]], StrOrPromise]
    summary: Callable[[dict[str, Any]], str] = lambda _row: ""
    help: StrOrPromise = ""
    shape: Shape = "objects"
    sort: Callable[[dict[str, Any]], str] | None = None
    usual: tuple[Mapping[str, Any], ...] | None = None
    tail: int = 0
    is_inline: bool = False

    def variant(self, row: dict[str, Any]) -> Variant:
        """Return the sort of a row, the first one for what nobody knows."""
        name = self.sort(row) if self.sort is not None else ""
        return next((one for one in self.variants if one.name == name), self.variants[0])


Item = Field | Group | Rows


@dataclass(frozen=True, slots=True)
class Section:
    """A collapsible part of the form; `summary` says in one line what a closed one holds."""

    id: str
    title: StrOrPromise
    summary: Callable[[dict[str, Any]], str]
    items: tuple[Item, ...] = field(default_factory=tuple)
    intro: StrOrPromise = ""

    def all_fields(self) -> list[Field]:
        """Return the fields, those inside groups included; lists are no fields."""
        found: list[Field] = []
        for item in self.items:
            if not isinstance(item, Rows):
                found += item.fields if isinstance(item, Group) else (item,)
        return found
