"""Which example dialogue of the speaker a chat shows: always the same one, so that prompts keep their beginning."""

from __future__ import annotations

import hashlib

from chats.documents import Character
from chats.pipeline.examples import examples_of


def example_for(character: Character | None, chat: str) -> str:
    """Return one of the character's examples, chosen by chat and speaker; empty where there is none."""
    examples = examples_of(character.mes_example) if character is not None else []
    if len(examples) < 2 or character is None:
        return examples[0] if examples else ""
    digest = hashlib.blake2b(f"{chat}\0{character.name}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return examples[int.from_bytes(digest, "big") % len(examples)]
