"""Lists of a document as rows of a form: each row has a name, and carries what it was, so that it can move.

Names are `<number>-<variant>`; the field `d.<path>` holds them in order, separated by spaces. A button `do` with
`<verb>:<path>:<row or variant>` changes that order before the form is read, so that rows work without a script.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from formats.web.field import Rows, Section
from neotavern.ground.errors import Detail

RAW: Final = "raw"
DO: Final = "do"
TEXT, NAME = "text", "name"
PREFIX: Final = "d."
USUAL: Final = "usual"


def raw_row(text: str | None, rows: Rows, name: str) -> dict[str, Any]:
    """Return what a row was: its hidden field, or what a new row of the variant in its name starts as."""
    usual = {f"{USUAL}{at}": row for at, row in enumerate(rows.usual or ())}.get(name.partition("-")[0])
    if usual is not None:
        return dict(usual)
    try:
        found = json.loads(text or "null")
    except (json.JSONDecodeError, RecursionError):
        found = None
    if isinstance(found, dict):
        return found
    wanted = name.partition("-")[2]
    variant = next((one for one in rows.variants if one.name == wanted), rows.variants[0])
    return dict(variant.start)


def rows_of(document: Any, rows: Rows) -> list[dict[str, Any]]:
    """Return the rows that the document has at the path, those of `usual` while it has none."""
    for step in rows.path.split("."):
        document = document.get(step) if isinstance(document, dict) else None
    if rows.shape == "map":
        return [{NAME: name, TEXT: text} for name, text in (document if isinstance(document, dict) else {}).items()]
    if not isinstance(document, list):
        return [dict(row) for row in rows.usual or ()]
    if rows.shape == "texts":
        return [{TEXT: text} for text in document]
    return [row if isinstance(row, dict) else {} for row in document]


def put_rows(document: dict[str, Any], rows: Rows, read: Sequence[dict[str, Any]], stored: Any) -> list[Detail]:
    """Write rows into the document, unless they say what it has already. Return what can not be said."""
    if list(read) == rows_of(document, rows):
        return []
    faults: list[Detail] = []
    value: Any = list(read)
    if rows.usual is not None and value == [dict(row) for row in rows.usual]:
        value = None
    elif rows.shape == "texts":
        value = [str(row.get(TEXT) or "") for row in read]
    elif rows.shape == "map":
        value = {str(row.get(NAME) or "").strip(): str(row.get(TEXT) or "") for row in read}
        faults = _names(rows, read)
    *parents, key = rows.path.split(".")
    for parent in parents:
        if not isinstance(document.get(parent), dict):
            document[parent] = {}
        document = document[parent]
    document[key] = value
    return faults


def _names(rows: Rows, read: Sequence[dict[str, Any]]) -> list[Detail]:
    """Return the rows of a map that have no name, or one that an earlier row has."""
    faults: list[Detail] = []
    seen: set[str] = set()
    for at, row in enumerate(read):
        name = str(row.get(NAME) or "").strip()
        if not name:
            faults.append(Detail(f"{rows.path}[{at}].{NAME}", _("A name is needed.")))
        elif name in seen:
            faults.append(Detail(f"{rows.path}[{at}].{NAME}", _("This name is there twice.")))
        seen.add(name)
    return faults


def row_name(rows: Rows, row: dict[str, Any], at: int) -> str:
    """Return what the form calls a row."""
    return f"{at}-{rows.variant(row).name}"


def applied(post: Mapping[str, str], sections: Sequence[Section]) -> dict[str, str]:
    """Return the form after its button `do`: add, remove, copy, up, down, reset. Anything else does nothing."""
    form = {name: post[name] for name in post}
    verb, path, name = [*form.get(DO, "").split(":", 2), "", "", ""][:3]
    lists = (item for section in sections for item in section.items if isinstance(item, Rows))
    rows = next((one for one in lists if one.path == path), None)
    field = f"{PREFIX}{path}"
    if rows is None or field not in form:
        return form
    if verb == "reset":
        usual = enumerate(rows.usual or ())
        form[field] = " ".join(f"{USUAL}{at}-{rows.variant(dict(row)).name}" for at, row in usual)
        return form
    form[field] = " ".join(_changed(form, rows, verb, name))
    return form


def _changed(form: dict[str, str], rows: Rows, verb: str, name: str) -> list[str]:
    names = form[f"{PREFIX}{rows.path}"].split()
    if verb == "add" and any(one.name == name for one in rows.variants):
        end = len(names) - rows.tail
        return [*names[:end], _free(names, name), *names[end:]]
    if name not in names:
        return names
    at = names.index(name)
    if verb == "remove":
        return names[:at] + names[at + 1 :]
    if verb == "copy":
        copied = _free(names, name.partition("-")[2])
        old, new = f"{PREFIX}{rows.path}.{name}.", f"{PREFIX}{rows.path}.{copied}."
        form |= {new + key.removeprefix(old): text for key, text in form.items() if key.startswith(old)}
        return [*names[: at + 1], copied, *names[at + 1 :]]
    to = at + {"up": -1, "down": 1}.get(verb, 0)
    if 0 <= to < len(names) - rows.tail > at:
        names[at], names[to] = names[to], names[at]
    return names


def _free(names: Sequence[str], variant: str) -> str:
    return next(name for at in range(len(names) + 1) if (name := f"n{at}-{variant}") not in names)
