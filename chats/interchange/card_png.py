"""Cards inside pictures: text chunks of a PNG file, `ccv3` before `chara`."""

from __future__ import annotations

import base64
import binascii
import json
import struct
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

import orjson

from chats.documents.errors import DocumentError
from chats.documents.foreign import Loss
from chats.interchange.card import export_card
from formats.prompt.errors import Fault

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
KEYWORDS: Final = ("ccv3", "chara")
_PIXEL: Final = struct.pack(">IIBBBBB", 1, 1, 8, 6, 0, 0, 0)
"""One pixel of eight bits a channel, with alpha."""


def is_png(raw: bytes) -> bool:
    """Return whether these are the bytes of a PNG file."""
    return raw.startswith(SIGNATURE)


def read_png(raw: bytes) -> Any:
    """Return the card's JSON value. Raises DocumentError for a picture without a card, or with a broken one."""
    texts = {word.lower(): text for word, text in _texts(raw)}
    for keyword in KEYWORDS:
        if keyword in texts:
            try:
                return orjson.loads(base64.b64decode(texts[keyword]))
            except (ValueError, binascii.Error) as error:
                raise DocumentError(Fault("", f"the picture's `{keyword}` text is no card: {error}")) from None
    raise DocumentError(Fault("", "the picture holds no character card"))


def _texts(raw: bytes) -> Iterator[tuple[str, bytes]]:
    at = len(SIGNATURE)
    while at + 8 <= len(raw):
        length, kind = struct.unpack(">I4s", raw[at : at + 8])
        if kind == b"tEXt":
            keyword, _, text = raw[at + 8 : at + 8 + length].partition(b"\0")
            yield keyword.decode("latin-1"), text
        at += length + 12


def export_card_png(document: Mapping[str, Any]) -> tuple[bytes, list[Loss]]:
    """Return a picture of one clear pixel that holds the character as a card of both versions."""
    newest, losses = export_card(document, "3")
    older, _ = export_card(document, "2")
    chunks = [(b"IHDR", _PIXEL), (b"tEXt", _text("chara", older)), (b"tEXt", _text("ccv3", newest))]
    chunks += [(b"IDAT", zlib.compress(b"\0" * 5)), (b"IEND", b"")]
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in chunks), losses


def _text(keyword: str, card: Mapping[str, Any]) -> bytes:
    return keyword.encode() + b"\0" + base64.b64encode(json.dumps(card, ensure_ascii=False).encode())


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
