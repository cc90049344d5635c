"""Golden files: readable cases with white space kept.

    === a name
    [{"role": "user", "content": "Hi"}]            the messages, as JSON
    {"add_generation_prompt": false}               optional: keyword arguments of `render`
    ---
    the expected text
    ===

The newline before the next `===` belongs to the file, not to the text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Golden:
    name: str
    messages: list[dict[str, Any]]
    expected: str
    options: dict[str, Any] = field(default_factory=dict)


def load_golden(path: str) -> list[Golden]:
    """The cases of a file below tests/golden."""
    text = (ROOT / path).read_bytes().decode("utf-8")
    assert text.startswith("=== "), f"{path} does not begin with a case"
    assert text.endswith("\n===\n"), f"{path} does not end with ==="
    return [_case(block) for block in text[len("=== ") : -len("\n===\n")].split("\n=== ")]


def _case(block: str) -> Golden:
    head, _, expected = block.partition("\n---\n")
    name, messages, *options = head.split("\n")
    return Golden(name, json.loads(messages), expected, json.loads(options[0]) if options else {})
