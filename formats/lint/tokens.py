"""Which tokens of a format mean BOS or EOS."""

from __future__ import annotations

from typing import Final

from formats.prompt import InstructFormat

# What documents without special tokens print as BOS, NeoTavern's Command-R among them.
_KNOWN: Final[dict[str, tuple[str, ...]]] = {
    "bos": ("<BOS_TOKEN>", "<|begin_of_text|>", "<bos>", "<|startoftext|>"),
    "eos": (),
}


def meaning(fmt: InstructFormat, name: str) -> list[str]:
    """The tokens with this meaning: the format's own field, special tokens that say so, well-known ones."""
    field = {"bos": fmt.bos, "eos": fmt.eos}[name]
    listed = [token.token for token in fmt.special_tokens if not isinstance(token, str) and token.meaning == name]
    return list(dict.fromkeys(token for token in (field, *listed, *_KNOWN[name]) if token))
