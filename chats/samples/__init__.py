"""Sample conversations to try a format on, and stories to try a context template on: data, one JSON file each."""

from __future__ import annotations

import functools
import json
from importlib.resources import files
from typing import Any, Final

NAMES: Final = ("ferry", "short", "no-system", "names", "tools", "unicode", "forged", "edges", "open", "long")
"""Every sample, in the order in which they are offered."""

STORIES: Final = ("harbour", "long", "alone", "bare")
"""Every story, likewise."""


@functools.cache
def sample_text(name: str) -> str:
    """Return the JSON text of a sample. Raises KeyError for an unknown name."""
    if name not in NAMES:
        raise KeyError(name)
    return files(__package__).joinpath(f"{name}.json").read_text("utf-8")


def sample(name: str) -> dict[str, Any]:
    """Return `{"messages": [...]}`, with `tools` and `skills` where the conversation has them."""
    value: dict[str, Any] = json.loads(sample_text(name))
    return value


def story(name: str) -> dict[str, Any]:
    """Return fields of a render request: cast, lore, prompt config, messages. Raises KeyError for an unknown name."""
    if name not in STORIES:
        raise KeyError(name)
    value: dict[str, Any] = json.loads(files(__package__).joinpath("stories", f"{name}.json").read_text("utf-8"))
    return value
