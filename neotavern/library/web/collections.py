"""Collections: the stored kinds that have pages, by the word that stands for each in an address."""

from __future__ import annotations

from typing import Any

from django.urls import register_converter
from django.utils.translation import gettext_lazy as lazy

from neotavern.library import kinds
from neotavern.library.kinds import Kind

TITLES = {
    "formats": lazy("Formats"),
    "context-templates": lazy("Context templates"),
    "prompt-configs": lazy("Prompt configs"),
    "presets": lazy("Presets"),
    "characters": lazy("Characters"),
    "personas": lazy("Personas"),
    "lorebooks": lazy("Lorebooks"),
    "memories": lazy("Memories"),
    "interceptors": lazy("Interceptors"),
    "chats": lazy("Chats"),
}
"""The names in the top bar, in its order. A kind that is not listed here stands at the end, by its own name."""

SINGULAR = {
    "formats": lazy("format"),
    "context-templates": lazy("context template"),
    "prompt-configs": lazy("prompt config"),
    "presets": lazy("preset"),
    "characters": lazy("character"),
    "personas": lazy("persona"),
    "lorebooks": lazy("lorebook"),
    "memories": lazy("memory"),
    "interceptors": lazy("interceptor"),
    "chats": lazy("chat"),
}

IN_SIGHT = 7
"""Collections that the top bar shows by themselves; the others are in its menu."""

ASIDE = frozenset({"personas", "memories", "interceptors"})
"""Collections that are always in the menu."""


class CollectionConverter:
    """An address part that is the plural path of a registered kind."""

    regex = "[a-z][a-z-]*"

    def to_python(self, value: str) -> Kind:
        """Return the kind. ValueError makes Django try the next pattern."""
        for kind in kinds.kinds():
            if kind.plural_path == value:
                return kind
        raise ValueError(value)

    def to_url(self, value: Kind | str) -> str:
        """Return the plural path."""
        return value if isinstance(value, str) else str(value.plural_path)


register_converter(CollectionConverter, "collection")


def collections() -> list[Kind]:
    """Return the kinds that have pages, in the order of the top bar."""
    order = list(TITLES)
    found = [kind for kind in kinds.kinds() if kind.plural_path]
    return sorted(found, key=lambda kind: order.index(str(kind.plural_path)) if kind.plural_path in TITLES else 99)


def title_of(kind: Kind) -> str:
    """Return the name of a collection in the language of the page."""
    path = str(kind.plural_path)
    return str(TITLES.get(path, path.replace("-", " ").capitalize()))


def singular_of(kind: Kind) -> str:
    """Return what one object of a kind is called."""
    return str(SINGULAR.get(str(kind.plural_path), kind.title))


def frame(kind: Kind, **more: Any) -> dict[str, Any]:
    """Return what the template of every page of a kind needs, and `more`."""
    return {
        "kind": kind,
        "collection": kind.plural_path,
        "section": kind.plural_path,
        "title": title_of(kind),
        "singular": singular_of(kind),
        **more,
    }
