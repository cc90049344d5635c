"""Documents as files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson

from neotavern.library.kinds import Exported, Loss


def json_file(document: Any, loss: Iterable[Loss] = (), *, extension: str = "json") -> Exported:
    """Return a value as an indented JSON file."""
    body = orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    return Exported(body, "application/json", extension, list(loss))


def export_bare(document: dict[str, Any], version: str | None) -> Exported:
    """Return the document as it is stored: the `neotavern` form of a kind that has one version."""
    return json_file(document)
