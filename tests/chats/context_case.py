"""A harbour, its people and a short chat: what the tests of context templates render."""

from __future__ import annotations

import json
from typing import Any

from tests.chats.base import RenderTestCase
from tests.formats.context.templates import STORY

WHOLE = (
    "{{#systemBlock}}\n"
    + "".join(
        f"{{{{#if {name}}}}}\n{name}={{{{{{{name}}}}}}}\n{{{{/if}}}}\n"
        for name in ("currentDate", "personas", "worldLore", "history", "narrativeGraph")
    )
    + STORY.removeprefix("{{#systemBlock}}\n")
)
"""Our template with every variable, each on a line of its own."""

MIRA = {
    "name": "Mira Holt",
    "nickname": "Mira",
    "description": "A harbour pilot.",
    "personality": "Dry.",
    "scenario": "A storm has closed the harbour.",
    "post_history_instructions": "Mira never says sorry.",
    "mes_example": "<START>\nMira: Charts lie.\n<START>\nMira: Mine lie less.",
}
FERRIN = {"name": "Old Ferrin", "description": "Keeps the light."}
TOM = {"name": "Tom", "description": "A surveyor."}
CHAT = [
    {"id": "1", "role": "user", "content": "Is the ferry late?"},
    {"id": "2", "role": "assistant", "name": "Mira", "content": "Late is a word."},
    {"id": "3", "role": "assistant", "name": "Old Ferrin", "content": "It went under."},
    {"id": "4", "role": "user", "content": "Who was aboard?"},
]
CONFIG = {"systemPrompt": "Play {{char}}.", "postHistoryInstructions": "Stay {{char}}."}


def lore(name: str, content: str, **more: Any) -> dict[str, Any]:
    """One entry of a book."""
    return {"uid": name, "name": name, "content": content, **more}


class ContextCase(RenderTestCase):
    """Renders with our template, as an array unless a format is named."""

    def story(self, **more: Any) -> dict[str, Any]:
        """The answer for the harbour."""
        body: dict[str, Any] = {
            "provider": "openai-compatible",
            "format": None,
            "messages": CHAT,
            "character": MIRA,
            "characters": [FERRIN],
            "persona": TOM,
            "contextTemplate": {"template": WHOLE},
            "promptConfig": CONFIG,
            "trace": True,
            **more,
        }
        answer: dict[str, Any] = self.render(**body)
        return answer

    def value(self, name: str, **more: Any) -> Any:
        """What a variable held: JSON read, plain text as it is, None where it was empty."""
        for line in self.story(**more)["messages"][0]["content"].split("\n\n"):
            for part in _lines(line):
                if part.startswith(f"{name}="):
                    text = part.removeprefix(f"{name}=")
                    return json.loads(text) if text[:1] in "[{" else text
        return None

    def turns(self, **more: Any) -> list[tuple[str, str]]:
        """Role and text of everything after the system message."""
        return [(one["role"], one["content"]) for one in self.story(**more)["messages"][1:]]

    def trace(self, origin: str, **more: Any) -> list[dict[str, Any]]:
        """What the assembly says of an origin."""
        stage = next(one for one in self.story(**more)["trace"] if one["stage"] == "assemble")
        return [
            {"kind": kind, **change}
            for kind in ("added", "changed", "dropped")
            for change in stage[kind]
            if change["origin"] == origin
        ]


def _lines(text: str) -> list[str]:
    """The variables of a text; one whose JSON goes over several lines is one."""
    made: list[str] = []
    for line in text.split("\n"):
        if made and (line[:1] in " ]}"):
            made[-1] += line
        else:
            made.append(line)
    return made
