"""The templates by name: those that were registered, and the formats that come with this project."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from difflib import get_close_matches
from typing import Final

from formats.bricks.template import Template
from formats.builtin import builtin, builtin_slugs
from formats.catalogue import find_by_name


class NameTaken(ValueError, AssertionError):
    """A template of this name is registered already; `override=True` replaces it."""


class _Templates(MutableMapping[str, Template]):
    """Registered templates, and behind them the built-in formats by slug and by the names of their models."""

    def __init__(self) -> None:
        self._own: dict[str, Template] = {}
        self._hidden: set[str] = set()

    def __getitem__(self, name: str) -> Template:
        if name in self._own:
            return self._own[name]
        slug = _slug(name)
        if slug is None or name in self._hidden:
            near = get_close_matches(name, list(self), n=3)
            raise KeyError(f"no template {name!r}" + (f"; near are {', '.join(near)}" if near else ""))
        return Template(name=name, base=builtin(slug))

    def __setitem__(self, name: str, template: Template) -> None:
        self._own[name] = template

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        self._own.pop(name, None)
        self._hidden.add(name)

    def __contains__(self, name: object) -> bool:
        return name in self._own or (name not in self._hidden and isinstance(name, str) and _slug(name) is not None)

    def __iter__(self) -> Iterator[str]:
        return iter({**self._own, **dict.fromkeys(slug for slug in builtin_slugs() if slug not in self._hidden)})

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def is_own(self, name: str) -> bool:
        """Return whether somebody registered the name."""
        return name in self._own


def _slug(name: str) -> str | None:
    if name in builtin_slugs():
        return name
    found = find_by_name(name)
    return found[0] if found else None


TEMPLATES: Final = _Templates()
"""Every template by its name; what is taken out or put in holds for this process."""


def register_template(template: Template, override: bool = False) -> None:
    """Register a copy of a template under its name. Raises NameTaken, and ValueError for a template without a name."""
    if not template.name:
        raise ValueError("a template is registered under its name, and this one has none")
    if TEMPLATES.is_own(template.name) and not override:
        raise NameTaken(f"{template.name} has been registered")
    template.to_format()
    TEMPLATES[template.name] = template.copy()


def get_template(name: str, tokenizer: object = None) -> Template:
    """Return a copy of a template. Raises KeyError that names the nearest: nothing is fetched from elsewhere."""
    return TEMPLATES[name].copy()
