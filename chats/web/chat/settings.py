"""A chat's settings as a form: read without loss, shown with each fault at its field."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from chats.stored import names
from chats.web.chat.choices import Choices, Options
from chats.web.chat.fields import KINDS, LISTS, VARIABLES, Listed, listed, sections
from formats.web.form import ALL, PREFIX, newlines, read
from formats.web.settings_fields import read_variables
from formats.web.shown import Note, Notes, ShownField, show
from formats.web.widgets import escaped
from neotavern.ground.errors import AppError, Detail
from neotavern.library.kinds import Finding
from neotavern.library.web.editors import Draft

NAMED: Final = frozenset({*KINDS.values(), *(one.kind for one in listed())})
"""The kinds that a chat's settings name."""

_NO_CHOICES: Final = Choices({}, {})
_ROW: Final = re.compile(r"\d{1,3}\Z")


@dataclass(frozen=True, slots=True)
class ShownRow:
    """One choice of a list."""

    name: str
    value: str
    options: Options


@dataclass(frozen=True, slots=True)
class ShownList:
    """A list of references: what is chosen, and one empty choice."""

    field: Listed
    rows: list[ShownRow]
    notes: list[Note]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is chosen."""
        return len(self.rows) == 1


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A collapsible part of the form."""

    id: str
    title: Any
    summary: str
    items: list[ShownField]
    lists: list[ShownList]
    is_open: bool


def start(character: str = "", name: str = "") -> dict[str, Any]:
    """Return the document of a new chat."""
    made: dict[str, Any] = {"kind": names.CHAT, "version": 1, "id": "", "name": name}
    return made | ({"character": character} if character else {})


def read_settings(post: Mapping[str, str], base: dict[str, Any]) -> Draft:
    """Return `base` with what the form says. What the form did not send stays as it is."""
    plain = {name: text for name, text in post.items() if name != f"{PREFIX}{VARIABLES}"}
    draft = read(plain, base, sections(_NO_CHOICES, base))
    if ALL not in post:
        return draft
    for one in listed():
        _read_list(post, one, draft.document)
    _read_variables(post, draft)
    return draft


def _read_list(post: Mapping[str, str], one: Listed, document: dict[str, Any]) -> None:
    prefix = f"{PREFIX}{one.path}."
    rows = sorted(
        int(name[len(prefix) :]) for name in post if name.startswith(prefix) and _ROW.match(name[len(prefix) :])
    )
    if not rows:
        return
    chosen = list(dict.fromkeys(text for at in rows if (text := post[f"{prefix}{at}"].strip())))
    if chosen != list(document.get(one.path) or ()):
        document[one.path] = chosen


def _read_variables(post: Mapping[str, str], draft: Draft) -> None:
    text = post.get(f"{PREFIX}{VARIABLES}")
    if text is None or newlines(text) == _variables(draft.document):
        return
    try:
        draft.document[VARIABLES] = read_variables(newlines(text))
    except AppError as error:
        draft.faults.append(Detail(VARIABLES, error.message))
        draft.texts[VARIABLES] = newlines(text)


def _variables(document: dict[str, Any]) -> str:
    stored = document.get(VARIABLES)
    return (
        "\n".join(f"{name}={escaped(str(text))}" for name, text in stored.items()) if isinstance(stored, dict) else ""
    )


def show_settings(
    document: dict[str, Any],
    choices: Choices,
    findings: Sequence[Finding] = (),
    texts: Mapping[str, str] | None = None,
    opened: Sequence[str] = (),
) -> tuple[list[ShownPart], Sequence[Finding]]:
    """Return the parts of the form, and the findings that belong to none of its fields."""
    notes = Notes.of(findings)
    lists = {name: [_list(one, document, choices, notes) for one in members] for name, members in LISTS.items()}
    typed = {VARIABLES: _variables(document), **(texts or {})}
    shown = show(document, notes, texts=typed, opened=opened, sections=sections(choices, document))
    parts = [
        ShownPart(
            one.id,
            one.title,
            one.summary,
            [item for item in one.items if isinstance(item, ShownField)],
            lists.get(one.id, []),
            one.is_open or any(each.notes for each in lists.get(one.id, ())),
        )
        for one in shown
    ]
    return parts, notes.left


def _list(one: Listed, document: dict[str, Any], choices: Choices, notes: Notes) -> ShownList:
    stored = document.get(one.path)
    chosen = [str(value) for value in stored] if isinstance(stored, list | tuple) else []
    options = choices.of(one.kind, *chosen)
    rows = [ShownRow(f"{PREFIX}{one.path}.{at}", value, options) for at, value in enumerate([*chosen, ""])]
    return ShownList(one, rows, notes.take(one.path))
