"""Exact byte-pair tokenizers, offline, by quicktok. The package is imported when the first one is loaded."""

from __future__ import annotations

import codecs
import importlib
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any, Protocol, cast

from formats.tokens.errors import EngineMissing
from formats.tokens.stored import StoredCounts

PACKAGE = "quicktok-v1"
COMPOSING = frozenset({"qwen3"})
"""Vocabularies that compose accents (NFC) before they cut a text."""


class Engine(Protocol):
    """The part of quicktok's tokenizer that is used: the calls that read special tokens as plain text."""

    def count(self, text: str) -> int:
        """Return the number of tokens."""

    def encode_ordinary(self, text: str) -> list[int]:
        """Return the ids."""

    def decode_single_token_bytes(self, token: int) -> bytes:
        """Return the bytes of one token."""

    @property
    def special_tokens_set(self) -> Collection[str]:
        """The names of the special tokens."""

    def encode_single_token(self, text: str) -> int:
        """Return the id of one token, a special one included."""


class Exact:
    """A tokenizer whose counts are those of the model, for text without special tokens (see docs/tokens.md)."""

    approximate = False

    def __init__(self, name: str, engine: Engine) -> None:
        self.name = name
        self.composes = name in COMPOSING
        self._engine = engine
        self._stored = StoredCounts()
        self._count = engine.count

    def count(self, text: str) -> int:
        """Return the number of tokens; one that was counted before is looked up."""
        stored = self._stored.get(text)
        if stored is not None:
            return stored
        count = self.count_once(text)
        self._stored.put(text, count)
        return count

    def count_once(self, text: str) -> int:
        """Return the number of tokens without keeping it: whole prompts would push out the texts that come back."""
        try:
            return self._count(text)
        except TypeError:
            return self._count(readable(text))

    def encode(self, text: str) -> list[int]:
        """Return the ids, as many as `count`."""
        try:
            return self._engine.encode_ordinary(text)
        except TypeError:
            return self._engine.encode_ordinary(readable(text))

    @cached_property
    def special_ids(self) -> Mapping[str, int]:
        """The special tokens of the vocabulary with their ids."""
        return {name: self._engine.encode_single_token(name) for name in self._engine.special_tokens_set}

    def size(self, token: int) -> int:
        """Return the number of bytes that a token stands for."""
        return len(self._engine.decode_single_token_bytes(token))

    def pieces(self, text: str) -> list[str]:
        """Return a string a token. A character that is cut stands in the last of its tokens, the others are empty."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        return [decoder.decode(self._engine.decode_single_token_bytes(token)) for token in self.encode(text)]


def readable(text: str) -> str:
    """Return the text with U+FFFD for lone surrogates, which no encoding of text can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def load_exact(name: str) -> Exact:
    """Return the tokenizer of that encoding; it takes about a second and up to 80 MB.

    Raises EngineMissing where quicktok is not installed.
    """
    try:
        quicktok: Any = importlib.import_module("quicktok")
    except ImportError as error:
        raise EngineMissing(name, PACKAGE) from error
    return Exact(name, cast(Engine, quicktok.get_encoding(name)))
