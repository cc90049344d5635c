"""Which format of the catalogue a model or its chat template asks for: by hash, by name, by trying."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from formats.stored.faults import refusal
from neotavern.ground.errors import invalid

How = Literal["hash", "name", "probe"]
MAX_MODEL: Final = 300
MAX_PASTED: Final = 1_000_000
_MOST: Final = 12


@dataclass(frozen=True, slots=True)
class Match:
    """A format of the catalogue. `differs` is null when nothing is known that it prints otherwise."""

    slug: str
    how: How
    differs: str | None = None

    def wire(self) -> dict[str, str | None]:
        """JSON form."""
        return {"slug": self.slug, "how": self.how, "differs": self.differs}


def find_formats(chat_template: str = "", model: str = "") -> list[Match]:
    """The formats that render what this template, or a model of this name, renders, best first.

    A template is compared by its hash and by what it prints; it may be pasted as `tokenizer_config.json`. Raises
    VALIDATION when neither is given, TEMPLATE_SYNTAX and TEMPLATE_LIMIT for a template that is none.
    """
    from formats.catalogue import find_by_name, find_by_template

    if not chat_template.strip() and not model.strip():
        raise invalid("chatTemplate", "Give a chat template, the name of a model, or both.")
    if len(model) > MAX_MODEL:
        raise invalid("model", f"The name of a model has at most {MAX_MODEL} characters.")
    named = find_by_name(model) if model.strip() else ()
    if not chat_template.strip():
        return [Match(slug, "name") for slug in named]
    source = template_in(chat_template)
    known = find_by_template(source)
    return _ranked(source, {known} if known else set(), named)


def template_in(text: str) -> str:
    """The chat template in what was pasted: itself, or the one of a `tokenizer_config.json` (the default of several).

    Raises VALIDATION for a text that is too long.
    """
    if len(text) > MAX_PASTED:
        raise invalid("chatTemplate", f"A pasted text has at most {MAX_PASTED:,} characters.")
    if text.lstrip()[:1] != "{" or text.lstrip()[:2] in ("{%", "{{", "{#"):
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    template = value.get("chat_template") if isinstance(value, dict) else None
    if isinstance(template, list):
        named = {str(one.get("name")): one.get("template") for one in template if isinstance(one, dict)}
        template = named.get("default", next(iter(named.values()), None))
    return template if isinstance(template, str) else text


def _ranked(source: str, hashed: set[str], named: Sequence[str]) -> list[Match]:
    from formats.interchange.likeness import Likeness, likenesses
    from formats.prompt import FormatError

    try:
        found = likenesses(source)
    except FormatError as error:
        raise refusal(error) from error

    def how(one: Likeness) -> How:
        return "hash" if one.slug in hashed else "name" if one.slug in named else "probe"

    def rank(one: Likeness) -> tuple[Any, ...]:
        place = named.index(one.slug) if one.slug in named else len(named)
        return (one.slug not in hashed, not one.is_same, place, -one.equal, one.slug)

    alike = [one for one in found if one.equal or one.slug in hashed or one.slug in named]
    return [Match(one.slug, how(one), one.differs) for one in sorted(alike, key=rank)[:_MOST]]
