"""The chat template and the special tokens in a GGUF file: its header, or its metadata written out as text or JSON.

Layout: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. Only the header is read, and it may be cut off behind
what is wanted: the first megabytes of a large file do.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Mapping
from typing import Any, Final

from formats.prompt.errors import Fault, FormatError

MAGIC: Final = b"GGUF"
TEMPLATE: Final = "tokenizer.chat_template"
TOKENS: Final = "tokenizer.ggml.tokens"
NAME: Final = "general.name"
BOS, EOS = "tokenizer.ggml.bos_token_id", "tokenizer.ggml.eos_token_id"
_WANTED: Final = frozenset({TEMPLATE, TOKENS, NAME, BOS, EOS})
_PREFIX: Final = f"{TEMPLATE}."  # named templates besides: `tokenizer.chat_template.tool_use`
_MOST_PAIRS: Final = 10_000
_DEEPEST: Final = 8

_FIXED: Final[Mapping[int, str]] = {
    0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d",
}  # fmt: skip
_STRING, _ARRAY = 8, 9
_LINE: Final = re.compile(rf"^.*?{re.escape(TEMPLATE)}(?:\s+str)?\s*[=:][ \t]*", re.MULTILINE)
_NEXT: Final = re.compile(
    r"^(?:\s*\d+:.*\||.*- kv\s+\d+:)?\s*[a-z0-9_]+\.[a-z0-9_.]+(?:\s+[\w\[\],]+)?\s*=", re.MULTILINE
)


class _CutOff(Exception):
    """The header goes on behind the end of what was given."""


def read_header(raw: bytes) -> dict[str, Any]:
    """The wanted metadata of a GGUF file. Raises FormatError for one without a chat template."""
    found: dict[str, Any] = {}
    reader = _Reader(memoryview(raw))
    try:
        reader.take(4)
        if reader.number("<I") not in (2, 3):
            raise FormatError(Fault("", "is a GGUF file of a version that is not known here; known are 2 and 3"))
        reader.number("<Q")
        for _ in range(min(reader.number("<Q"), _MOST_PAIRS)):
            key = reader.text()
            value = reader.value(reader.number("<I"), keep=key in _WANTED or key.startswith(_PREFIX))
            if value is not None:
                found[key] = value
    except _CutOff:
        pass
    if TEMPLATE not in found:
        raise FormatError(Fault(TEMPLATE, "the header of this GGUF file holds no chat template, or ends before it"))
    return found


def read_dump(text: str) -> list[Any] | None:
    """The metadata written out as lines, as llama.cpp and gguf-dump do; None for any other text."""
    match = _LINE.search(text)
    if match is None or text.lstrip()[:1] in ("{", "["):
        return None
    rest = text[match.end() :]
    end = _NEXT.search(rest)
    value = (rest if end is None else rest[: end.start()]).strip("\r\n")
    return [{TEMPLATE: _unquoted(value.strip())}]


def flattened(document: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of a JSON dump as plain keys and values: gguf-dump wraps each in an object, under `metadata`."""
    inner = document.get("metadata", document)
    pairs = inner if isinstance(inner, Mapping) else document
    return {key: _bare(value) for key, value in pairs.items() if key in _WANTED or str(key).startswith(_PREFIX)}


def token_text(values: Mapping[str, Any], key: str) -> str:
    """The text of the token whose number stands at `key`; empty when the tokens are not there."""
    tokens, number = values.get(TOKENS), values.get(key)
    if not isinstance(tokens, list) or not isinstance(number, int) or not 0 <= number < len(tokens):
        return ""
    return tokens[number] if isinstance(tokens[number], str) else ""


def _bare(value: Any) -> Any:
    return value["value"] if isinstance(value, Mapping) and "value" in value else value


def _unquoted(text: str) -> str:
    """A text in quotes without them, its escapes read; line ends that llama.cpp's log writes as `\\n` too."""
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return str(json.loads(text, strict=False))
        except ValueError:
            return text[1:-1]
    if len(text) > 1 and text[0] == text[-1] == "'":
        text = text[1:-1].replace("\\'", "'")
    return text if "\n" in text else text.replace("\\n", "\n")


class _Reader:
    """Takes values from the front of a buffer."""

    def __init__(self, data: memoryview) -> None:
        self._data, self._at = data, 0

    def take(self, count: int) -> memoryview:
        end = self._at + count
        if end > len(self._data):
            raise _CutOff
        part, self._at = self._data[self._at : end], end
        return part

    def number(self, form: str) -> Any:
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def text(self) -> str:
        return bytes(self.take(self.number("<Q"))).decode("utf-8", "replace")

    def value(self, kind: int, *, keep: bool, depth: int = 0) -> Any:
        if kind == _STRING:
            return self.text() if keep else self.take(self.number("<Q")) and None
        if kind == _ARRAY:
            if depth == _DEEPEST:
                raise FormatError(Fault("", "is a GGUF file whose arrays are nested too deeply"))
            return self._array(keep=keep, depth=depth + 1)
        form = _FIXED.get(kind)
        if form is None:
            raise FormatError(Fault("", f"is a GGUF file with a value of an unknown type, {kind}"))
        value = self.number(form)
        return value if keep else None

    def _array(self, *, keep: bool, depth: int) -> list[Any] | None:
        kind, count = self.number("<I"), self.number("<Q")
        form = _FIXED.get(kind)
        if form is not None:
            part = self.take(struct.calcsize(form) * count)
            return list(struct.unpack(f"<{count}{form[1]}", part)) if keep else None
        values = [self.value(kind, keep=keep, depth=depth) for _ in range(count)]
        return values if keep else None
