"""The format form: a document becomes fields, and posted fields become a document again, without loss.

A field that was not touched keeps the stored value, however it was spelt, so opening and saving changes nothing.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from formats.web.field import Field, Group, Rows, Section
from formats.web.rows import RAW, put_rows, raw_row
from formats.web.sections import SECTIONS
from formats.web.widgets import Unreadable, from_text, to_text
from neotavern.ground.errors import Detail
from neotavern.library.web.editors import Draft

__all__ = ["ALL", "PREFIX", "Draft", "lookup", "newlines", "read", "summaries"]

PREFIX = "d."
ALL = "d.all"
"""A hidden field that says the whole form was sent, so that a missing check box means off."""

_ABSENT: Any = object()


def read(post: Mapping[str, str], base: dict[str, Any], sections: Sequence[Section] = SECTIONS) -> Draft:
    """Return `base` with what the form says. Fields that the form did not send stay as they are in `base`."""
    draft = Draft(copy.deepcopy(base))
    if ALL not in post:
        return draft
    for section in sections:
        for item in section.items:
            if isinstance(item, Group):
                _read_group(post, item, draft)
            elif isinstance(item, Rows):
                _read_rows(post, item, draft)
            else:
                _read_field(post, item, draft)
    return draft


def _read_group(post: Mapping[str, str], group: Group, draft: Draft) -> None:
    if f"{PREFIX}{group.path}" not in post:
        if lookup(draft.document, group.path) not in (_ABSENT, None):
            draft.document[group.path] = None
        return
    if not isinstance(draft.document.get(group.path), dict):
        draft.document[group.path] = {}
    for item in group.fields:
        _read_field(post, item, draft)


def _read_rows(post: Mapping[str, str], rows: Rows, draft: Draft) -> None:
    """Read a list. Each row brings what it was in the document, so that its order and its neighbours do not matter."""
    order = post.get(f"{PREFIX}{rows.path}")
    if order is None:
        return
    read_rows: list[dict[str, Any]] = []
    for at, name in enumerate(order.split()):
        prefix = f"{PREFIX}{rows.path}.{name}."
        row = Draft(raw_row(post.get(f"{prefix}{RAW}"), rows, name))
        if f"{prefix}{RAW}" in post:  # a row that the button just added was not on the page
            for item in rows.variant(row.document).all_fields:
                _read_field(post, item, row, prefix)
        place = f"{rows.path}[{at}]."
        draft.faults += [replace(fault, path=place + fault.path) for fault in row.faults]
        draft.texts |= {place + path: text for path, text in row.texts.items()}
        read_rows.append(row.document)
    draft.faults += put_rows(draft.document, rows, read_rows, lookup(draft.document, rows.path))


def _read_field(post: Mapping[str, str], item: Field, draft: Draft, prefix: str = PREFIX) -> None:
    stored = lookup(draft.document, item.path)
    name = f"{prefix}{item.path}"
    if item.widget == "flag":
        _put(draft.document, item, stored, name in post)
        return
    if item.widget == "set":
        if f"{name}:" in post:
            _read_set(post, item, draft, stored, name)
        return
    text = post.get(name)
    if text is None:
        return
    text = newlines(text)
    if text == newlines(to_text(item, item.default if stored is _ABSENT else stored)):
        return
    try:
        _put(draft.document, item, stored, from_text(item, text))
    except Unreadable as error:
        draft.faults.append(Detail(item.path, error.message, error.line, error.column))
        draft.texts[item.path] = text


def _read_set(post: Mapping[str, str], item: Field, draft: Draft, stored: Any, name: str) -> None:
    """Read boxes; what is stored and has no box stays."""
    was = stored if isinstance(stored, list) else []
    known = [value for value, _words in item.choices]
    now = [value for value in known if f"{name}:{value}" in post] + [value for value in was if value not in known]
    if set(map(str, now)) != set(map(str, was)):
        _put(draft.document, item, stored, now)


def _put(document: dict[str, Any], item: Field, stored: Any, value: Any) -> None:
    *parents, key = item.path.split(".")
    is_empty = value in ("", None, item.default) and item.widget != "flag"
    if is_empty and item.empty == "absent":
        value = _ABSENT
    elif is_empty and item.empty == "null":
        value = None
    if (value is _ABSENT or value == item.default) and stored is _ABSENT:
        return
    for parent in parents:
        if not isinstance(document.get(parent), dict):
            document[parent] = {}
        document = document[parent]
    if value is _ABSENT:
        document.pop(key, None)
    else:
        document[key] = value


def lookup(document: Any, path: str) -> Any:
    """Return the value at a dotted path, or a marker that equals nothing when it is not there."""
    for step in path.split("."):
        if not isinstance(document, dict) or step not in document:
            return _ABSENT
        document = document[step]
    return document


def newlines(text: str) -> str:
    """Return `text` as a browser's text area holds it: forms send CR LF for each newline."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def summaries(document: dict[str, Any], sections: Sequence[Section] = SECTIONS) -> dict[str, str]:
    """Return the one-line summary of each section."""
    return {section.id: _summary(section, document) for section in sections}


def _summary(section: Section, document: dict[str, Any]) -> str:
    """A draft may hold anything where the summary expects an object: then the line stays empty."""
    try:
        return section.summary(document)
    except (AttributeError, TypeError):
        return ""
