"""What is known about the families beside their layout: source, licence, names of models, official chat templates.

One JSON file a family beside this one, named by the format's slug. Aliases are names of models in any spelling; the
hashes are SHA-256 of the UTF-8 text of chat templates that the format renders like.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_WORD = re.compile(r"[a-z]+|[0-9]+(?:\.[0-9]+)*")


@dataclass(frozen=True, slots=True)
class Facts:
    """One family's sheet. `tokenizer` is a profile of `formats.tokens`; `estimate` where none is exact."""

    slug: str
    source: str
    licence: str
    tokenizer: str
    names: tuple[str, ...]
    templates: tuple[str, ...]
    family: str = ""
    note: str = ""


def facts(slug: str) -> Facts | None:
    """The sheet of a built-in; None for one that has none."""
    return _sheets().get(slug)


def all_facts() -> Mapping[str, Facts]:
    """Every sheet by its slug, in alphabetical order."""
    return _sheets()


def find_by_name(model: str) -> tuple[str, ...]:
    """Slugs of the formats that a model of this name was trained on, best first: the longest alias found wins.

    Owner, size, quantisation and file ending may stand around the name: `bartowski/Qwen2.5-7B-Instruct-GGUF`.
    """
    words = _words(model)
    found: dict[str, int] = {}
    for alias, slug in _aliases():
        if _stands_in(alias, words):
            found[slug] = max(found.get(slug, 0), sum(map(len, alias)))
    return tuple(sorted(found, key=lambda slug: (-found[slug], len(slug), slug)))


def find_by_hash(sha256: str) -> str | None:
    """The slug of the format that renders like the chat template with this SHA-256; None when it is not known."""
    return _hashes().get(sha256.strip().lower())


def find_by_template(text: str) -> str | None:
    """The same for a template's text; line ends and white space at both ends do not matter."""
    plain = text.replace("\r\n", "\n")
    for spelled in (text, plain, plain.strip(), plain.strip() + "\n"):
        if (slug := find_by_hash(template_hash(spelled))) is not None:
            return slug
    return None


def template_hash(text: str) -> str:
    """SHA-256 of a template's UTF-8 text, as hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def _sheets() -> Mapping[str, Facts]:
    return {slug: _read(slug, sheet) for slug, sheet in sorted(_files())}


def _files() -> Iterator[tuple[str, dict[str, Any]]]:
    for entry in files(__package__).iterdir():
        if entry.name.endswith(".json"):
            yield entry.name.removesuffix(".json"), json.loads(entry.read_text(encoding="utf-8"))


def _read(slug: str, sheet: dict[str, Any]) -> Facts:
    lists: dict[str, Any] = {field: tuple(sheet.get(field, ())) for field in ("names", "templates")}
    return Facts(**{"slug": slug} | sheet | lists)


@cache
def _hashes() -> dict[str, str]:
    return {digest: slug for slug, sheet in _sheets().items() for digest in sheet.templates}


@cache
def _aliases() -> tuple[tuple[tuple[str, ...], str], ...]:
    return tuple((_words(name), slug) for slug, sheet in _sheets().items() for name in sheet.names)


def _words(name: str) -> tuple[str, ...]:
    """Letters and numbers apart: `Qwen2.5-7B` is `qwen`, `2.5`, `7`, `b`."""
    return tuple(_WORD.findall(name.lower()))


def _stands_in(alias: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """True when the alias' words stand in a row in the name; a version number must be met whole."""
    width = len(alias)
    return width > 0 and any(words[at : at + width] == alias for at in range(len(words) - width + 1))
