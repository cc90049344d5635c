"""Mistral's vocabularies, from the files that the package mistral-common carries; imported when one is asked for."""

from __future__ import annotations

import codecs
import importlib
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from formats.tokens.errors import EngineMissing
from formats.tokens.exact import readable
from formats.tokens.stored import StoredCounts

PACKAGE: Final = "mistral-common"
TEKKEN: Final = "mistral-tekken"
# The text vocabulary is one for all SentencePiece versions and one for all Tekken versions: only control tokens differ.
FILES: Final[Mapping[str, str]] = {
    "mistral-spm": "mistral_instruct_tokenizer_241114.model.v7",
    TEKKEN: "tekken_240911.json",
}

_BYTE: Final = re.compile(r"<0x([0-9A-F]{2})>")
_SPACE: Final = "\u2581"


class Mistral:
    """SentencePiece or Tekken, without BOS and control tokens: text is read as text."""

    approximate = False

    def __init__(self, name: str, engine: Any) -> None:
        self.name = name
        self._engine = engine
        self._is_tekken = name == TEKKEN
        self._stored = StoredCounts()
        self.special_ids: Mapping[str, int] = {}

    def count(self, text: str) -> int:
        """Return the number of tokens; one that was counted before is looked up."""
        stored = self._stored.get(text)
        if stored is None:
            stored = self.count_once(text)
            self._stored.put(text, stored)
        return stored

    def count_once(self, text: str) -> int:
        """Return the number of tokens without keeping it."""
        return len(self.encode(text))

    def encode(self, text: str) -> list[int]:
        """Return the ids, as many as `count`."""
        try:
            ids = self._engine.encode(text, bos=False, eos=False)
        except (UnicodeEncodeError, RuntimeError):
            ids = self._engine.encode(readable(text), bos=False, eos=False)
        return [int(number) for number in ids]

    def pieces(self, text: str) -> list[str]:
        """Return a string a token. A character that is cut stands in the last of its tokens, the others are empty."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        found = [decoder.decode(self._bytes(token)) for token in self.encode(text)]
        if found and not self._is_tekken:
            found[0] = found[0].removeprefix(" ")  # SentencePiece begins every text with a space of its own
        return found

    def _bytes(self, token: int) -> bytes:
        if self._is_tekken:
            found: bytes = self._engine.id_to_byte_piece(token)
            return found
        piece = str(self._engine.id_to_piece(token))
        if match := _BYTE.fullmatch(piece):
            return bytes([int(match[1], 16)])
        return piece.replace(_SPACE, " ").encode()


def load_mistral(name: str) -> Mistral:
    """Return the tokenizer of that profile. Raises EngineMissing where mistral-common is not installed."""
    try:
        path = files("mistral_common").joinpath("data", FILES[name])
        if name == TEKKEN:
            module = importlib.import_module("mistral_common.tokens.tokenizers.tekken")
            return Mistral(name, module.Tekkenizer.from_file(str(path)))
        module = importlib.import_module("mistral_common.tokens.tokenizers.sentencepiece")
        return Mistral(name, module.SentencePieceTokenizer(str(path)))
    except ImportError as error:
        raise EngineMissing(name, PACKAGE) from error
