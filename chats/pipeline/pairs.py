"""Tool calls and their results belong together, wherever they stand: one leaves with the other."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from formats.prompt.message import Message


def groups_of(messages: Sequence[Message]) -> list[int]:
    """Return for each message the number of its group: the place of the first message of it.

    A call and its results share an id; a result without one belongs to the nearest call before it.
    """
    groups = list(range(len(messages)))
    by_id: dict[str, int] = {}
    nearest: int | None = None
    for index, message in enumerate(messages):
        if message.role == "assistant" and message.tool_calls:
            nearest = index
            for call in message.tool_calls:
                if isinstance(id_ := call.get("id"), str) and id_:
                    by_id[id_] = index
        elif message.role == "tool":
            owner = by_id.get(message.tool_call_id) if message.tool_call_id else nearest
            if owner is not None:
                groups[index] = owner
        elif message.role == "user":
            nearest = None
    return groups


def partners_of(messages: Sequence[Message], gone: Collection[int]) -> list[int]:
    """Return the places of what has to leave with the messages at `gone`, those excluded."""
    if not any(message.role == "tool" for message in messages):
        return []
    groups = groups_of(messages)
    lost = {groups[index] for index in gone if messages[index].role == "tool" or messages[index].tool_calls}
    return [index for index, group in enumerate(groups) if group in lost and index not in gone]
