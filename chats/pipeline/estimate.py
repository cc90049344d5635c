"""A token count without a tokenizer: an estimate, and marked as one."""

from __future__ import annotations

BYTES_A_TOKEN = 4
"""English text and code come to about four bytes of UTF-8 a token with the tokenizers in use."""


class Estimate:
    """Counts a token for every four bytes of UTF-8, rounded up."""

    profile = "estimate"
    is_approximate = True

    def count(self, text: str) -> int:
        """Return the estimate."""
        size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
        return -(-size // BYTES_A_TOKEN)
