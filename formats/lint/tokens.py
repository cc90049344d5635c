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
    """The tokens with this meaning: the format's own field, special tokens that say so, well-known ones.

    A well-known one that the format lists without a meaning has another: Hunyuan opens every turn with its own.
    """
    field = {"bos": fmt.bos, "eos": fmt.eos}[name]
    listed = [token.token for token in fmt.special_tokens if not isinstance(token, str) and token.meaning == name]
    plain = {token if isinstance(token, str) else token.token for token in fmt.special_tokens}
    known = [token for token in _KNOWN[name] if token not in plain]
    return list(dict.fromkeys(token for token in (field, *listed, *known) if token))
