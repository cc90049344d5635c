"""Sticky, cooldown and delay: what a stored chat's length and memory say about an entry."""

from __future__ import annotations

from chats.lore.compiled import CompiledEntry
from chats.lore.outcome import Code, Reason, StateChange
from chats.lore.settings import LoreState, Timed


def timing(compiled: CompiledEntry, state: LoreState | None) -> Reason | None:
    """Return STICKY, COOLDOWN or DELAY where one of them holds. Without a stored chat none does."""
    if state is None:
        return None
    now, entry = state.message_count, compiled.entry
    timed = _live(compiled, state)
    if timed is not None and now < timed.sticky_until:
        return Reason(Code.STICKY, {"until": timed.sticky_until, "messages": now})
    if timed is not None and now < timed.cooldown_until:
        return Reason(Code.COOLDOWN, {"until": timed.cooldown_until, "messages": now})
    if entry.delay and now < entry.delay:
        return Reason(Code.DELAY, {"from": entry.delay, "messages": now})
    return None


def remembered(compiled: CompiledEntry, state: LoreState, *, is_active: bool) -> StateChange | None:
    """Return what the chat should remember of an entry after this prompt, where that differs from what it does."""
    now, entry = state.message_count, compiled.entry
    sticky, cooldown = entry.sticky or 0, entry.cooldown or 0
    if _live(compiled, state) is not None:
        return None
    if is_active and (sticky or cooldown):
        return StateChange(compiled.ref, now + sticky, now + sticky + cooldown)
    return StateChange(compiled.ref, None, None) if compiled.ref in state.entries else None


def _live(compiled: CompiledEntry, state: LoreState) -> Timed | None:
    """Return what is remembered, unless it is over, or the chat was cut back to before it began.

    The prompt that began it is made at the same number of messages, so making it again gives the same prompt.
    """
    timed = state.entries.get(compiled.ref)
    if timed is None:
        return None
    began = timed.cooldown_until - (compiled.entry.cooldown or 0) - (compiled.entry.sticky or 0)
    return timed if began < state.message_count < max(timed) else None
