"""Numbers that follow from a seed and a place, with no state: the same request draws the same ones."""

from __future__ import annotations

from hashlib import blake2b


def draw(bound: int, *key: object) -> int:
    """Return a number from 0 to `bound - 1` that follows from the key."""
    digest = blake2b(repr(key).encode("utf-8"), digest_size=8).digest()
    return int.from_bytes(digest, "big") * bound >> 64


def fingerprint(text: str) -> str:
    """Return a short name of a text's content."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
