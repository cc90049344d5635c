"""Fills the blocks of a prompt: each gives messages with their origin, some of which go among the newest ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from chats.documents import Memory
from chats.documents.lorebook import Position
from chats.lore import Hit, by_position, injections
from chats.macros.scope import USER
from chats.pipeline import blocks as names
from chats.pipeline.blocks import Block
from chats.pipeline.cast import card_note
from chats.pipeline.examples import examples_of
from chats.pipeline.sources import Excluded, Sources
from chats.pipeline.stages.lore import origin_of as lore_origin
from chats.pipeline.stages.memory import origin_of as memory_origin
from chats.pipeline.trace import Change
from chats.pipeline.weaving import Insertion, Placed, weave
from formats.prompt.message import Message

PERSONA_TEXT: Final = "The user is {name}: {description}"
IMPERSONATION: Final = "[Write the next message of {user} in this chat, from {user}'s point of view.]"
CHARACTER: Final = "character"


class Assembly:
    """One assembly: `messages` in order, `given` their places among those given, `changes` what was added and why."""

    def __init__(self, sources: Sources, history: tuple[Message, ...]) -> None:
        self._sources, self._cast = sources, sources.cast
        self._history = history
        self._lore: dict[Position, tuple[Hit, ...]] = by_position(sources.lore.activated) if sources.lore else {}
        self._insertions: list[Insertion] = []
        self.excluded: list[Excluded] = []
        self.changes: list[Change] = []
        placed = self._all()
        self.messages = tuple(one.message for one in placed)
        self.given = tuple(one.given for one in placed)

    def _all(self) -> list[Placed]:
        before: list[Message] = []
        after: list[Message] = []
        has_history = True
        target = before
        self._from_depths()
        for block in self._sources.blocks:
            refusal = block.refusal(self._sources.generation_type, self._sources.model)
            if block.id == names.HISTORY:
                target, has_history = after, not refusal
                if refusal:
                    self._leave_out(block, [one for one in self._history if not one.excluded], refusal)
                continue
            made = self._of(block)
            for message in made:
                _note(message, block=block.id)
            if refusal:
                self._leave_out(block, made, refusal)
            elif block.in_chat:
                self._insertions += [Insertion(block.depth, message, block.order) for message in made]
            else:
                target += made
        tail = self._tail()
        for message in (*before, *(one.message for one in self._insertions), *after, *tail):
            self.changes.append(Change("added", None, message.origin, "block", message.id, message.meta))
        return self._joined(before, after, tail, has_history=has_history)

    def _joined(
        self, before: list[Message], after: list[Message], tail: list[Message], *, has_history: bool
    ) -> list[Placed]:
        """Return all in order. A message that is continued stays the last: what would follow it stands before it."""
        history = [Placed(one, at) for at, one in enumerate(self._history) if has_history and not one.excluded]
        is_open = bool(history) and self._sources.settings.continue_final_message
        last = history[-1:] if is_open else []
        woven = weave(history[:-1] if is_open else history, self._insertions)
        end = [Placed(message) for message in (*after, *tail)]
        return [*(Placed(message) for message in before), *woven, *end, *last]

    def _leave_out(self, block: Block, made: Iterable[Message], refusal: str) -> None:
        for message in made:
            self.excluded.append(Excluded(message.id, message.origin, refusal))
            self.changes.append(Change("dropped", None, message.origin, refusal, message.id, {"block": block.id}))

    # what each block holds

    def _of(self, block: Block) -> list[Message]:
        fill = _HOST.get(block.id)
        if fill is not None:
            return fill(self, block)
        return _filled(block.content, f"block:{block.id}", block.role or "system")

    def _main(self, block: Block) -> list[Message]:
        character = self._cast.character
        if block.needs_character and character is None:
            return []
        own = character.system_prompt if character is not None and not block.forbid_overrides else ""
        return _filled(own if own.strip() else self._own_words(block), f"block:{block.id}", block.role or "system")

    def _own_words(self, block: Block) -> str:
        """Return the block's text; the built-in one has names even where macros are off."""
        if self._sources.macros or not block.needs_character:
            return block.content
        names_of = {"{{char}}": self._cast.speaker, "{{user}}": self._cast.user or USER}
        text = block.content
        for macro, name in names_of.items():
            text = text.replace(macro, name)
        return text

    def _persona(self, block: Block) -> list[Message]:
        is_here = self._cast.persona is not None and self._cast.persona.position == "prompt"
        return _filled(self._persona_text(), "persona", block.role or "system") if is_here else []

    def _persona_text(self) -> str:
        persona = self._cast.persona
        if persona is None or not persona.description.strip():
            return ""
        return PERSONA_TEXT.format(name=persona.name, description=persona.description)

    def _description(self, block: Block) -> list[Message]:
        return self._card("description", block)

    def _personality(self, block: Block) -> list[Message]:
        return self._card("personality", block)

    def _card(self, field: str, block: Block) -> list[Message]:
        """Return a field of everyone in the cast, the speaker first."""
        cast = (self._cast.character, *self._cast.others)
        role = block.role or "system"
        return [
            message
            for character in cast
            if character is not None
            for message in _filled(
                getattr(character, field), CHARACTER, role, {"field": field, "of": character.shown_name}
            )
        ]

    def _scenario(self, block: Block) -> list[Message]:
        return _filled(self._cast.shown_scenario, CHARACTER, block.role or "system", {"field": "scenario"})

    def _examples(self, block: Block) -> list[Message]:
        character = self._cast.character
        texts = examples_of(character.mes_example) if character is not None else []
        own = [Message("system", text, origin=CHARACTER, meta={"field": "mes_example"}) for text in texts]
        return [*self._entries("examples_top"), *own, *self._entries("examples_bottom")]

    def _memory(self, block: Block) -> list[Message]:
        return [
            _remembered(memory, at) for at, memory in enumerate(self._sources.memories) if memory.position == "block"
        ]

    def _lore_before(self, block: Block) -> list[Message]:
        note = self._note() if self._note_place() == "before" else []
        return [*note, *self._entries("before_character")]

    def _lore_after(self, block: Block) -> list[Message]:
        return self._entries("after_character")

    def _authors_note(self, block: Block) -> list[Message]:
        return self._note(block.role or "system") if self._note_place() == "after" else []

    def _post_history(self, block: Block) -> list[Message]:
        character = self._cast.character
        own = character.post_history_instructions if character is not None and not block.forbid_overrides else ""
        return _filled(own if own.strip() else block.content, f"block:{block.id}", block.role or "system")

    def _entries(self, position: Position) -> list[Message]:
        return [_entry(hit) for hit in self._lore.get(position, ())]

    # author's note

    def _note_place(self) -> str:
        note = self._cast.note
        return note.position if note is not None and note.content.strip() else "after"

    def _note(self, role: str = "system") -> list[Message]:
        """Return the author's note with what stands around it: lore, persona, the text itself."""
        persona, note = self._cast.persona, self._cast.note
        place = persona.position if persona is not None else "none"
        if note is not None and note.content.strip():
            text, role = (note.content, note.role) if self._is_due(note.interval) else ("", note.role)
        else:
            text = card_note(self._cast.character)
        top = _filled(self._persona_text(), "persona", role) if place == "note_top" else []
        bottom = _filled(self._persona_text(), "persona", role) if place == "note_bottom" else []
        own = _filled(text, f"block:{names.NOTE}", role)
        return [*self._entries("note_top"), *top, *own, *bottom, *self._entries("note_bottom")]

    def _is_due(self, interval: int) -> bool:
        said = sum(message.role == "user" and not message.excluded for message in self._history)
        return interval > 0 and said % interval == 0

    # among the newest messages

    def _from_depths(self) -> None:
        """Note what stands at a depth: lore, persona, the card's note, memories, the chat's note."""
        for injection in injections(self._lore.get("at_depth", ())):
            self._insert(injection.depth, _injected(injection.hits, injection.role, injection.text))
        cast = self._cast
        if cast.persona is not None and cast.persona.position == "at_depth":
            for message in _filled(self._persona_text(), "persona", cast.persona.role):
                self._insert(cast.persona.depth, message)
        if cast.character is not None and (note := cast.character.depth_prompt) is not None:
            self._insert(note.depth, Message(note.role, note.prompt, origin=CHARACTER, meta={"field": "depth_prompt"}))
        for at, memory in enumerate(self._sources.memories):
            if memory.position == "at_depth":
                self._insert(memory.depth, _remembered(memory, at))
        if cast.note is not None and self._note_place() == "at_depth":
            for message in self._note():
                self._insert(cast.note.depth, message)

    def _insert(self, depth: int, message: Message) -> None:
        self._insertions.append(Insertion(depth, message))
        _note(message, insertedAt=depth)

    def _tail(self) -> list[Message]:
        """Return what asks an array's reader to write as the user; a text ends in an open user turn instead."""
        if self._sources.generation_type != "impersonate" or self._sources.is_text:
            return []
        user = self._cast.user or "the user"
        return [Message("system", IMPERSONATION.format(user=user), origin="block:impersonation")]


def _note(message: Message, **facts: Any) -> None:
    """Write into a message that was made here why it stands where it does: the trace and the bars tell it."""
    message.meta = {**facts, **(message.meta or {})}


def _filled(text: str, origin: str, role: str, meta: Mapping[str, Any] | None = None) -> list[Message]:
    return [Message(role, text, origin=origin, meta=meta)] if text.strip() else []


def _remembered(memory: Memory, at: int) -> Message:
    origin = memory_origin(memory, at)
    return Message(memory.role, memory.content, id=memory.id, pinned=memory.pinned, origin=origin, meta={"rank": at})


def _entry(hit: Hit) -> Message:
    meta = {"book": hit.ref.book, "reason": hit.reason.code.value, "relevance": hit.relevance}
    meta["priority"] = hit.compiled.entry.priority
    return Message("system", hit.text, id=hit.ref.uid, pinned=hit.is_required, origin=lore_origin(hit), meta=meta)


def _injected(hits: tuple[Hit, ...], role: str, text: str) -> Message:
    """Return the one message that entries of a depth and role make together."""
    uids = ",".join(hit.ref.uid for hit in hits)
    meta: dict[str, Any] = {
        "entries": [list(hit.ref) for hit in hits],
        "books": sorted({hit.ref.book for hit in hits}),
        "depth": hits[0].compiled.entry.depth,
        "relevance": max(hit.relevance for hit in hits),
        "priority": max(hit.compiled.entry.priority for hit in hits),
    }
    is_required = any(hit.is_required for hit in hits)
    return Message(role, text, id=uids, pinned=is_required, origin=f"lore:{uids}", meta=meta)


_HOST: Final[Mapping[str, Callable[[Assembly, Block], list[Message]]]] = {
    names.MAIN: Assembly._main,
    names.LORE_BEFORE: Assembly._lore_before,
    names.PERSONA: Assembly._persona,
    names.DESCRIPTION: Assembly._description,
    names.PERSONALITY: Assembly._personality,
    names.SCENARIO: Assembly._scenario,
    names.LORE_AFTER: Assembly._lore_after,
    names.EXAMPLES: Assembly._examples,
    names.MEMORY: Assembly._memory,
    names.NOTE: Assembly._authors_note,
    names.POST_HISTORY: Assembly._post_history,
}
