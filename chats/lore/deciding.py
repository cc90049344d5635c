"""Whether one entry may be in: filters, then a stored chat's memory, then its keys."""

from __future__ import annotations

from chats.lore.compiled import CompiledEntry
from chats.lore.matching import BookScan, match
from chats.lore.outcome import Code, Hit, Reason
from chats.lore.settings import LoreSettings, LoreState
from chats.lore.timing import timing


def decide(
    scan: BookScan, compiled: CompiledEntry, settings: LoreSettings, state: LoreState | None, *, depth: int, level: int
) -> Hit | Reason:
    """Return a hit, without its text yet, or why there is none. `depth` is the scan depth of entries without their own,
    `level` the level of recursion that is reached."""
    entry = compiled.entry
    if (out := filtered(compiled, settings)) is not None:
        return out
    if entry.pinned:
        return Hit(compiled, "", Reason(Code.PINNED))
    held = timing(compiled, state)
    if held is not None:
        return Hit(compiled, "", held) if held.code is Code.STICKY else held
    outcome = Hit(compiled, "", Reason(Code.CONSTANT)) if entry.constant else match(scan, compiled, depth)
    wanted = entry.delay_until_recursion
    if isinstance(outcome, Hit) and wanted > level:
        return Reason(Code.RECURSION_ONLY, {"level": wanted, "recursive": scan.is_recursive})
    return outcome


def filtered(compiled: CompiledEntry, settings: LoreSettings) -> Reason | None:
    """Return why an entry has no part in this render at all: the kind of generation, or who speaks."""
    entry, chosen = compiled.entry, compiled.entry.character_filter
    if compiled.ref in settings.private:
        return Reason(Code.CHARACTER, {"speaker": settings.speaker, "private": True})
    if entry.triggers and settings.generation_type not in entry.triggers:
        return Reason(Code.TRIGGER, {"generationType": settings.generation_type, "triggers": list(entry.triggers)})
    if not chosen.names and not chosen.tags:
        return None
    speaker = settings.speaker.casefold()
    is_named = any(name.casefold() == speaker for name in chosen.names)
    is_named = is_named or not settings.speaker_tags.isdisjoint(chosen.tags)
    return Reason(Code.CHARACTER, {"speaker": settings.speaker}) if is_named is chosen.exclude else None
