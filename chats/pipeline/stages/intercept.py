"""Interceptor stage: each gets a copy and gives back messages that are checked; one that fails is skipped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from chats.pipeline.interceptors import Interceptor, InterceptorError
from chats.pipeline.shifting.units import sort_of
from chats.pipeline.sources import Assembled, Excluded
from chats.pipeline.trace import Change, Step
from formats.prompt.errors import MessageError
from formats.prompt.findings import Finding
from formats.prompt.message import Message
from formats.prompt.message_input import ROLES

CODE: Final = "INTERCEPTOR_SKIPPED"
MAX_MESSAGES: Final = 20_000
Slot = tuple[Message, int | None]


def intercept(assembled: Assembled, interceptors: Sequence[Interceptor]) -> Step[Assembled]:
    """Return `assembled` after every interceptor, in order of priority, then name.

    Protected messages come back, with what an interceptor made of their text; an open last message stays the last.
    """
    slots: list[Slot] = [
        (message, place)
        for message, place in zip(assembled.messages, assembled.places, strict=True)
        if not message.excluded
    ]
    changes: list[Change] = []
    findings: list[Finding] = []
    excluded: list[Excluded] = []
    for one in sorted(interceptors, key=lambda each: (each.priority, each.name)):
        try:
            made = _run(one, slots, is_open=assembled.settings.continue_final_message)
        except Exception as error:
            findings.append(_skipped(one, error))
            continue
        told = _told(one, slots, made)
        excluded += [Excluded(change.id, change.origin, "interceptor") for change in told if change.kind == "dropped"]
        changes += told
        slots = made
    if not changes:
        return Step(assembled, findings=findings)
    kept = assembled.holding(tuple(message for message, _ in slots), tuple(place for _, place in slots))
    return Step(kept.without_more(excluded), changes, findings)


def _run(one: Interceptor, slots: list[Slot], *, is_open: bool) -> list[Slot]:
    given = [_shown(at, message) for at, (message, _) in enumerate(slots)]
    answer = one.intercept(given)
    if not isinstance(answer, list | tuple) or len(answer) > MAX_MESSAGES:
        raise InterceptorError(f"it must return a list of at most {MAX_MESSAGES:,} messages")
    made: list[Slot] = []
    used: dict[int, int] = {}
    for item in answer:
        key, slot = _read(item, one, slots)
        if key is None:
            made.append(slot)
        elif key not in used:
            used[key] = len(made)
            made.append(slot)
    return _restored(slots, made, used, is_open=is_open)


def _shown(at: int, message: Message) -> dict[str, Any]:
    """Return a copy of what an interceptor may know of a message. Content that is no plain text can not be edited."""
    shown: dict[str, Any] = {"key": at, "role": message.role, "origin": message.origin}
    if message.parts is None:
        shown["content"] = message.body or ""
    if message.name:
        shown["name"] = message.name
    return shown


def _read(item: Any, one: Interceptor, slots: list[Slot]) -> tuple[int | None, Slot]:
    """Return which message an item is, and the message that it makes. Raises for what is none."""
    if not isinstance(item, dict):
        raise InterceptorError("every message must be an object")
    key, role, content = item.get("key"), item.get("role"), item.get("content")
    if role not in ROLES:
        raise InterceptorError(f"there is no role {role!r}"[:200])
    if key is None:
        if not isinstance(content, str):
            raise InterceptorError("the content of a new message must be a string")
        if role == "tool":
            raise InterceptorError("a tool's result can not be made up")
        return None, (Message(role, content, origin=f"interceptor:{one.name}"), None)
    if type(key) is not int or not 0 <= key < len(slots):
        raise InterceptorError("a message has a key that was not given")
    message, place = slots[key]
    if content is not None and not isinstance(content, str):
        raise InterceptorError("content must be a string")
    changes: dict[str, Any] = {}
    if message.parts is None and content is not None and content != (message.body or ""):
        changes["text"] = content
    if "tool" not in {role, message.role} and not message.tool_calls and role != message.role:
        changes["role"] = role
    return key, (message.replace(**changes) if changes else message, place)


def _restored(slots: list[Slot], made: list[Slot], used: dict[int, int], *, is_open: bool) -> list[Slot]:
    """Return `made` with the protected messages that are missing, each before the next one that is still there."""
    newest = max((at for at, (message, _) in enumerate(slots) if _is_input(message)), default=None)
    must = [at for at, (message, _) in enumerate(slots) if at not in used and (at == newest or _stays(message))]
    lost_calls = _parted(slots, used)
    places: dict[int, list[Slot]] = {}
    for at in must:
        following = next((used[later] for later in range(at + 1, len(slots)) if later in used), len(made))
        places.setdefault(following, []).append(slots[at])
    gone = {used[key] for key in lost_calls}
    out: list[Slot] = []
    for at in range(len(made) + 1):
        out += places.get(at, ())
        if at < len(made) and at not in gone:
            out.append(made[at])
    if is_open and slots and out[-1:] and out[-1][1] != slots[-1][1]:
        out = [slot for slot in out if slot[1] is None or slot[1] != slots[-1][1]] + [slots[-1]]
    return out


def _parted(slots: list[Slot], used: dict[int, int]) -> list[int]:
    """Return the keys of calls and results whose partners were dropped: they leave too."""
    from chats.pipeline.pairs import partners_of

    gone = [at for at in range(len(slots)) if at not in used]
    return [at for at in partners_of([message for message, _ in slots], gone) if at in used] if gone else []


def _is_input(message: Message) -> bool:
    return message.role == "user" and sort_of(message) == "history" and not message.origin.startswith("interceptor:")


def _stays(message: Message) -> bool:
    sort = sort_of(message)
    return message.pinned or sort == "other" or (sort == "history" and message.role == "system")


def _told(one: Interceptor, before: list[Slot], after: list[Slot]) -> list[Change]:
    """Return the journal of one interceptor: what it added, changed and dropped."""
    old = {id(message) for message, _ in before}
    new = {id(message) for message, _ in after}
    by_place = {place: message for message, place in before if place is not None}
    data = {"interceptor": one.name}
    changes: list[Change] = []
    kept_places = {place for _, place in after if place is not None}
    for message, place in after:
        if id(message) not in old:
            is_added = message.origin == f"interceptor:{one.name}" and place is None
            kind = "added" if is_added else "changed"
            changes.append(Change(kind, place, message.origin, "interceptor", message.id, data))  # type: ignore[arg-type]
    changed_origins = [change.origin for change in changes if change.kind == "changed" and change.message is None]
    for message, place in before:
        if id(message) in new or (place is not None and place in kept_places and by_place.get(place) is message):
            continue
        if place is None and message.origin in changed_origins:
            changed_origins.remove(message.origin)
            continue
        changes.append(Change("dropped", place, message.origin, "interceptor", message.id, data))
    return changes


def _skipped(one: Interceptor, error: Exception) -> Finding:
    said = error.message if isinstance(error, MessageError) else str(error)
    text = f"The interceptor {one.name!r} was skipped: {said[:300] or type(error).__name__}."
    return Finding("warning", CODE, text, data={"interceptor": one.name})
