"""Context templates and prompt configs that come with the program: one JSON file each, named by its slug."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Final, Literal

Shelf = Literal["context_templates", "prompt_configs"]
DEFAULT_TEMPLATE: Final = "story"
"""The built-in context template that others are made from."""


def built_in(shelf: Shelf) -> list[dict[str, Any]]:
    """Return the documents of a shelf in the order of their slugs, fresh for each caller."""
    folder = files(__package__) / shelf
    found = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".json")), key=lambda one: one.name)
    return [json.loads(entry.read_text(encoding="utf-8")) for entry in found]
