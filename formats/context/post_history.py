"""The reminder near the end of a prompt: where it stands, what of it is due, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Gate = Literal["included", "empty", "belowTrigger"]


def target_index(entries: int, depth: int) -> int:
    """Return the place of the entry that the reminder stands before, of `entries` with the seed as the last.

    Depth 0 is the seed, depth N the message N before it; a depth beyond the first message is the first message.
    """
    return max(0, entries - 1 - max(0, depth))


@dataclass(frozen=True, slots=True)
class PostHistory:
    """The texts of the reminder. `trigger` tokens of chat must be there before `instructions` is; the other two are
    never held back."""

    instructions: str = ""
    char_instructions: str = ""
    example_dialogue: str = ""
    depth: int = 0
    trigger: int = 0

    def gate(self, tokens: int) -> Gate:
        """Return what becomes of the instructions in a chat of `tokens` tokens; just as many as asked for is enough."""
        if not self.instructions.strip():
            return "empty"
        return "belowTrigger" if self.trigger and tokens < self.trigger else "included"

    def value(self, entries: int, tokens: int) -> dict[str, Any]:
        """Return the template's `postHistory` for so many entries of chatMessages; what is empty is not there."""
        texts = {
            "instructions": self.instructions if self.gate(tokens) == "included" else "",
            "charInstructions": self.char_instructions,
            "exampleDialogue": self.example_dialogue,
        }
        given = {name: text for name, text in texts.items() if text.strip()}
        return {"targetIndex": target_index(entries, self.depth), **given, "hasContent": bool(given)}
