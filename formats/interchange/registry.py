"""Every foreign file that is read here, in the order of telling apart, and every one that a format is written as."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from formats.interchange import (
    agnai,
    chat_bricks,
    chat_bricks_out,
    gguf,
    jinja_files,
    jinja_in,
    koboldcpp,
    koboldcpp_out,
    litellm,
    ollama,
    ollama_out,
    openwebui,
    ordered,
    refused,
    risu,
    st_context,
    st_instruct,
    st_openai,
    st_out,
    st_small,
    tgwui,
)
from formats.interchange.reading import Part, Reader, Written
from formats.interchange.st_master import split_master
from formats.interchange.yaml_files import read_yaml
from formats.prompt import InstructFormat

READERS: Final[tuple[Reader, ...]] = (
    *ordered.READERS,
    *chat_bricks.READERS,
    *st_instruct.READERS,
    *st_context.READERS,
    *st_openai.READERS,
    *st_small.READERS,
    *koboldcpp.READERS,
    *tgwui.READERS,
    *litellm.READERS,
    *ollama.READERS,
    *risu.READERS,
    *agnai.READERS,
    *openwebui.READERS,
    *jinja_in.READERS,
    *refused.READERS,
)
_SPLITTERS: Final = (
    chat_bricks.split_templates,
    split_master,
    st_instruct.split_instruct,
    agnai.split_agnai,
    risu.split_risu,
    openwebui.split_model,
    litellm.split_models,
    jinja_in.split_named,
)
_FILES: Final = (ollama.read_modelfile, read_yaml, gguf.read_dump, jinja_in.read_jinja)
WRITERS: Final[Mapping[str, Callable[[InstructFormat], Written]]] = {
    **jinja_files.WRITERS,
    **st_out.WRITERS,
    **koboldcpp_out.WRITERS,
    **chat_bricks_out.WRITERS,
    **ollama_out.WRITERS,
}
"""What `as` says → how a format is written so."""


def reader_of(kind: str, document: Any) -> Reader | None:
    """Return the first reader that knows `document`, if it makes a document of `kind`."""
    reader = next((reader for reader in READERS if reader.knows(document)), None)
    return reader if reader is not None and reader.kind == kind else None


def split(document: Any) -> list[Part] | None:
    """Return the documents that a file of several holds, None for a file of one."""
    return next((parts for splitter in _SPLITTERS if (parts := splitter(document)) is not None), None)


def read_file(raw: bytes) -> list[Any] | None:
    """Return the documents of a file that is no JSON, None for any other. Raises FormatError for a broken one."""
    if raw[:4] == gguf.MAGIC:
        return [gguf.read_header(raw)]
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    if _is_json(text):
        return None
    return next((found for reader in _FILES if (found := reader(text)) is not None), None)


def _is_json(text: str) -> bool:
    """Return whether a text is JSON, whatever of another notation stands in its strings."""
    if text.lstrip()[:1] not in ("{", "["):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
