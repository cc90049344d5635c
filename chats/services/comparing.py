"""Renders objects of the library for comparison: the render function of everything else, on a conversation given."""

from __future__ import annotations

from functools import partial
from typing import Any

from neotavern.accounts.actor import Actor
from neotavern.ground.errors import AppError, ErrorCode
from neotavern.library import rendering
from neotavern.library.rendering import Conversation

FIELDS: dict[str, str] = {
    "instruct-format": "format",
    "preset": "preset",
    "context-template": "context_template",
    "prompt-config": "prompt_config",
}
"""Kind → the field of a render request that puts one of its objects to use."""

SEED = 0
"""Random choices are the same on both sides, so that only what the revisions say can differ."""


def register() -> None:
    """Let the library compare prompts of every kind that a render request can name."""
    for kind, field in FIELDS.items():
        rendering.register(kind, partial(_prompt, field))


def _prompt(field: str, actor: Actor, pointer: str, conversation: Conversation) -> str:
    # commands that render nothing need not load the pipeline
    from chats.services.callers import ActorCaller
    from chats.services.render import answer
    from chats.services.request import RenderRequest

    fields: dict[str, Any] = {
        "messages": conversation.messages,
        "tools": conversation.tools,
        "random_seed": SEED,
        "now": actor.now,
        "serialize_as_text": True,
        field: pointer,
    }
    made = answer(ActorCaller(actor), RenderRequest.model_construct(_fields_set=set(fields), **fields))
    if made.prompt is None:
        raise AppError(ErrorCode.RENDER_REFUSED, "This revision renders no prompt.")
    return made.prompt
