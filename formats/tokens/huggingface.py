"""Tokenizers from a `tokenizer.json`, by Hugging Face's `tokenizers`, which is imported when the first one is read."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from formats.tokens.errors import EngineMissing, TokenizerError
from formats.tokens.exact import readable
from formats.tokens.stored import StoredCounts

PACKAGE = "tokenizers"


class HuggingFace:
    """A vocabulary that somebody brought. Special tokens in a text are read as plain characters, as everywhere here."""

    approximate = False

    def __init__(self, name: str, engine: Any) -> None:
        self.name = name
        self._engine = engine
        self._stored = StoredCounts()

    @property
    def vocabulary(self) -> int:
        """The number of tokens, added ones included."""
        size: int = self._engine.get_vocab_size()
        return size

    def count(self, text: str) -> int:
        """Return the number of tokens; one that was counted before is looked up."""
        stored = self._stored.get(text)
        if stored is None:
            stored = self.count_once(text)
            self._stored.put(text, stored)
        return stored

    def count_once(self, text: str) -> int:
        """Return the number of tokens without keeping it."""
        return len(self._encoding(text).ids)

    def encode(self, text: str) -> list[int]:
        """Return the ids, as many as `count`."""
        ids: list[int] = self._encoding(text).ids
        return ids

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Return the code points of each token."""
        offsets: list[tuple[int, int]] = self._encoding(text).offsets
        return offsets

    def pieces(self, text: str) -> list[str]:
        """Return a string a token; what a token shares with the one before stands in the later one."""
        found: list[str] = []
        offsets = self.offsets(text)
        done = 0
        for index, (_, end) in enumerate(offsets):
            following = offsets[index + 1][0] if index + 1 < len(offsets) else len(text)
            until = max(done, min(end, following)) if index + 1 < len(offsets) else len(text)
            found.append(text[done:until])
            done = until
        return found

    @cached_property
    def special_ids(self) -> Mapping[str, int]:
        """The special tokens of the vocabulary with their ids."""
        added = self._engine.get_added_tokens_decoder()
        return {token.content: number for number, token in added.items() if token.special}

    def _encoding(self, text: str) -> Any:
        try:
            return self._engine.encode(text, add_special_tokens=False)
        except (TypeError, UnicodeEncodeError):
            return self._engine.encode(readable(text), add_special_tokens=False)


def load_huggingface(name: str, document: str) -> HuggingFace:
    """Return the tokenizer that the text of a `tokenizer.json` describes.

    Raises EngineMissing where `tokenizers` is not installed, TokenizerError for a text that is no tokenizer.
    """
    try:
        package = importlib.import_module(PACKAGE)
    except ImportError as error:
        raise EngineMissing(name, PACKAGE) from error
    try:
        engine = package.Tokenizer.from_str(document)
    except Exception as error:  # the binding raises plain Exception
        raise TokenizerError(f"{name!r} is no tokenizer.json: {error}") from error
    engine.encode_special_tokens = True
    engine.no_padding()
    engine.no_truncation()
    return HuggingFace(name, engine)
