"""GGUF: the header of a file, whole or cut off, and its metadata written out as lines or JSON."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest

from formats.interchange import gguf
from formats.interchange.registry import read_file
from formats.prompt.errors import FormatError

SOURCE = "{% for m in messages %}{{ m.content }}{% endfor %}"


def text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def pair(key: str, kind: int, value: bytes) -> bytes:
    return text(key) + struct.pack("<I", kind) + value


def strings(*values: str) -> bytes:
    return struct.pack("<IQ", 8, len(values)) + b"".join(map(text, values))


PAIRS = (
    pair("general.architecture", 8, text("llama")),
    pair("general.name", 8, text("Mine 7B")),
    pair("llama.block_count", 4, struct.pack("<I", 32)),
    pair("llama.scales", 9, struct.pack("<IQ3f", 6, 3, 1, 2, 3)),
    pair("tokenizer.ggml.tokens", 9, strings("<unk>", "<s>", "</s>")),
    pair("tokenizer.ggml.bos_token_id", 4, struct.pack("<I", 1)),
    pair("tokenizer.ggml.eos_token_id", 4, struct.pack("<I", 2)),
    pair("tokenizer.chat_template", 8, text(SOURCE)),
)


def header(*pairs: bytes, version: int = 3, count: int | None = None) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", version, 0, len(pairs) if count is None else count) + b"".join(pairs)


def test_the_header_of_a_file() -> None:
    found = gguf.read_header(header(*PAIRS))
    assert found == {
        "general.name": "Mine 7B",
        "tokenizer.ggml.tokens": ["<unk>", "<s>", "</s>"],
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.chat_template": SOURCE,
    }
    assert (gguf.token_text(found, gguf.BOS), gguf.token_text(found, gguf.EOS)) == ("<s>", "</s>")
    assert read_file(header(*PAIRS)) == [found]


def test_a_header_that_is_cut_off_behind_the_template() -> None:
    assert gguf.read_header(header(*PAIRS, count=99) + b"\x01")["tokenizer.chat_template"] == SOURCE


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (header(*PAIRS[:-1]), "holds no chat template"),
        (header(*PAIRS)[:40], "holds no chat template"),
        (b"GGUF", "holds no chat template"),
        (header(*PAIRS, version=9), "version"),
        (header(pair("x", 77, b"")), "unknown type"),
        (header(pair("x", 9, struct.pack("<IQ", 9, 1) * 100_000)), "nested too deeply"),
        (header(pair("x", 9, struct.pack("<IQ", 4, 2**62))), "holds no chat template"),
    ],
    ids=["none", "cut", "magic", "version", "type", "nested", "huge"],
)
def test_what_can_not_be_read_is_refused(raw: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        gguf.read_header(raw)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (
            "llama_model_loader: - kv  21:  tokenizer.chat_template str = {% if a %}\\n{% endif %}",
            "{% if a %}\n{% endif %}",
        ),
        ("   21: STRING | 1 | tokenizer.chat_template = '{% if a %}b{% endif %}'", "{% if a %}b{% endif %}"),
        ("tokenizer.chat_template: {% if a %}\n{{ b }}{% endif %}\ngeneral.name = x", "{% if a %}\n{{ b }}{% endif %}"),
    ],
    ids=["llama.cpp", "gguf-dump", "lines"],
)
def test_metadata_written_out(line: str, found: str) -> None:
    assert gguf.read_dump(line) == [{"tokenizer.chat_template": found}]


def test_other_texts_are_nobody_s_metadata() -> None:
    assert gguf.read_dump("nothing of the kind") is None
    assert gguf.read_dump(json.dumps({"tokenizer.chat_template": "x"})) is None


@pytest.mark.parametrize(
    "document",
    [
        {"tokenizer.chat_template": SOURCE},
        {"metadata": {"tokenizer.chat_template": {"type": "STRING", "value": SOURCE}}},
    ],
)
def test_a_json_dump_is_flattened(document: dict[str, Any]) -> None:
    assert gguf.flattened(document) == {"tokenizer.chat_template": SOURCE}
