"""The sample conversations, offered to the library's pages to compare prompts on."""

from __future__ import annotations

from chats.samples import NAMES, sample
from chats.web.words import SAMPLE_TITLES
from neotavern.library.rendering import Conversation
from neotavern.library.web import conversations
from neotavern.library.web.conversations import Samples


def register() -> None:
    """Offer them."""
    conversations.register(Samples(_titles, _load))


def _titles() -> list[tuple[str, str]]:
    return [(name, str(SAMPLE_TITLES[name])) for name in NAMES]


def _load(name: str) -> Conversation:
    found = sample(name)
    return Conversation(found["messages"], found.get("tools", []))
