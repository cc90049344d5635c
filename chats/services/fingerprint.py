"""What decides the bytes of a render beside its messages, as one hash: equal fingerprints, equal prompts."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

import orjson

from chats.pipeline.version import ENGINE_VERSION


@lru_cache(maxsize=1024)
def fingerprint(format_hash: str, mode: str, *choices: Any) -> str:
    """Return the hexadecimal SHA-256 of the engine version, the format's content and the settings that matter."""
    text = orjson.dumps([ENGINE_VERSION, format_hash, mode, choices], default=str)
    return hashlib.sha256(text).hexdigest()
