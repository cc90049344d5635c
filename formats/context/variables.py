"""The closed set of what a context template may name: root variables, and the fields of the two that hold more."""

from __future__ import annotations

from typing import Final

FACTS: Final = ("characters", "personas", "worldLore", "history", "narrativeGraph")
"""JSON texts: who someone is, what is known, what happened."""

DIRECTIVES: Final = ("currentDate", "instructions", "scenario")
"""Plain texts: how to write, and what is going on."""

NAMES: Final = ("char", "character", "user", "persona", "characterNames", "personaNames")
"""Who speaks: the character and the persona, each under two names, and everybody of either sort in one phrase."""

CHAT_MESSAGES: Final = "chatMessages"
POST_HISTORY: Final = "postHistory"

MESSAGE_FIELDS: Final = ("id", "role", "name", "message", "isSeed")
POST_HISTORY_FIELDS: Final = ("targetIndex", "hasContent", "instructions", "charInstructions", "exampleDialogue")

VARIABLES: Final = frozenset({*FACTS, *DIRECTIVES, *NAMES, CHAT_MESSAGES, POST_HISTORY})
"""Another root name is a warning, with the nearest of these."""

SEED_ID: Final = -2
"""The id of the entry that the model goes on from: published templates know it by this number."""
