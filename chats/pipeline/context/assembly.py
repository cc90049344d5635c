"""One assembly by context template: choose, fill the variables, render the blocks, and see that it fits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from chats.documents import Memory
from chats.infill.types import Candidate
from chats.pipeline.assembly import PERSONA_TEXT
from chats.pipeline.blocks import MAIN, NOTE, POST_HISTORY, Block
from chats.pipeline.cast import card_note
from chats.pipeline.context.candidates import LorePool, lore_pool
from chats.pipeline.context.choice import ContextChoice
from chats.pipeline.context.examples import example_for
from chats.pipeline.context.facts import lore_facts, names
from chats.pipeline.context.graph import narrative_graph
from chats.pipeline.context.placing import Slot, slots_of, woven
from chats.pipeline.context.selecting import Chosen, choose
from chats.pipeline.context.turns import Turn, Turns, char_name, turns_of, user_name
from chats.pipeline.counting import Costs
from chats.pipeline.expander import Expander
from chats.pipeline.ports import Ports
from chats.pipeline.sources import Sources
from chats.pipeline.stages.lore import lore_settings
from chats.pipeline.stages.memory import origin_of as memory_origin
from chats.pipeline.weaving import Insertion
from formats.context import ContextRender, PostHistory
from formats.context.variables import CHAT_MESSAGES
from formats.context.variables import POST_HISTORY as REMINDER
from formats.prompt.findings import Finding
from formats.prompt.message import Message

TRIES: Final = 4
"""Renders before the final check gives up trimming lore: each try gives up at least what was too much."""


@dataclass(frozen=True, slots=True)
class Made:
    """One render of the template: its messages in order, what it did not print, and what it cost by the sums."""

    chosen: Chosen
    slots: tuple[Slot, ...]
    unprinted: tuple[Turn, ...]
    findings: tuple[Finding, ...]
    context: Mapping[str, Any]
    tokens: int


class ContextAssembly:
    """Assembles one prompt. `graph` is empty where the prompt had no room for it; `had_graph` tells the two apart."""

    def __init__(
        self, sources: Sources, context: ContextChoice, history: tuple[Message, ...], ports: Ports, costs: Costs
    ) -> None:
        self._sources, self._context, self._costs, self._count = sources, context, costs, ports.counter.count
        self._expander = Expander(sources.scope) if sources.scope is not None else None
        self.turns = turns_of(sources, history)
        self.pool: LorePool = lore_pool(sources, lore_settings(sources), self._expander)
        self.graph = narrative_graph(self.pool.people)
        self.had_graph = bool(self.graph)
        self.post_history = self._post_history()
        self._insertions = self._inserted()
        self.made = self._fitting()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What there is to say about template, lore and macros."""
        expander = self._expander
        own = self.made.findings + self.made.chosen.selection.findings
        books = tuple(found for book, _ in self.pool.people for found in book.findings)
        return (*own, *books, *(expander.findings if expander is not None else ()))

    # the size

    def _fitting(self) -> Made:
        """Return a render within the budget, as far as lore, older messages and graph can give way."""
        budget = self._sources.budget
        free = None if budget is None else budget.available - self._least()
        made = self._render(
            choose(self._context.engine, self._sources, self.pool, self.turns, costs=self._costs, free=free)
        )
        if budget is None:
            return made
        for _ in range(TRIES):
            over = made.tokens - budget.available
            smaller = made.chosen.less(over) if over > 0 else made.chosen
            if smaller.selection.tokens == made.chosen.selection.tokens:
                break
            made = self._render(smaller)
        if made.tokens > budget.available and self.graph:
            self.graph = ""
            made = self._render(made.chosen)
        return made

    def _least(self) -> int:
        """Return what the prompt has whatever is chosen: the template with its headings, and no turn but the open."""
        kinds = {one.kind for one in self.pool.candidates if one.enabled}
        empty = {"worldLore": "{}" if "world" in kinds else "", "history": "{}" if "history" in kinds else ""}
        competing = self._sources.budget is not None and self._sources.budget.strategy in ("truncate", "vector-recall")
        turns = Turns((), self.turns.seed, self.turns.is_kept) if competing else self.turns
        slots, _, _ = self._slots(self._values((), turns) | empty, turns)
        return self._costs.fixed + sum(self._costs.message(slot.message) for slot in slots)

    def _render(self, chosen: Chosen) -> Made:
        values = self._values(chosen.lore, chosen.turns)
        slots, unprinted, rendered = self._slots(values, chosen.turns)
        tokens = self._costs.fixed + sum(self._costs.message(slot.message) for slot in slots)
        return Made(chosen, slots, unprinted, rendered.findings, values, tokens)

    def _slots(
        self, values: Mapping[str, Any], turns: Turns
    ) -> tuple[tuple[Slot, ...], tuple[Turn, ...], ContextRender]:
        rendered = self._context.template.render(values)
        slots, unprinted = slots_of(rendered.blocks, turns, values[REMINDER])
        if not turns.is_kept:
            slots = [slot for slot in slots if not slot.is_open]
        return tuple(woven(slots, len(turns.closed), self._insertions)), tuple(unprinted), rendered

    # the variables

    def _values(self, lore: tuple[Candidate, ...], turns: Turns) -> dict[str, Any]:
        sources, cast = self._sources, self._sources.cast
        entries = turns.entries
        return {
            **names(cast, user_name(sources), char_name(sources)),
            **lore_facts(cast, lore),
            "currentDate": self.pool.current_date,
            "instructions": self._instructions(),
            "scenario": cast.shown_scenario.strip(),
            "narrativeGraph": self.graph,
            CHAT_MESSAGES: entries,
            REMINDER: self.post_history.value(len(entries), self.tokens_of(turns)),
        }

    def tokens_of(self, turns: Turns) -> int:
        """Return the tokens of what was said: the turns that are in, without names and markup, and without the seed."""
        texts = [turn.entry["message"] for turn in turns.closed]
        return self._count("\n".join(texts)) if texts and self.post_history.trigger else 0

    def _instructions(self) -> str:
        character = self._sources.cast.character
        block = self._block(MAIN)
        own = character.system_prompt if character is not None and not (block and block.forbid_overrides) else ""
        return (own if own.strip() else self._words(block)).strip()

    def _post_history(self) -> PostHistory:
        character, block = self._sources.cast.character, self._block(POST_HISTORY)
        return PostHistory(
            instructions=self._words(block).strip(),
            char_instructions=character.post_history_instructions.strip() if character is not None else "",
            example_dialogue=example_for(character, self._context.chat),
            depth=block.depth if block is not None and block.in_chat else 0,
            trigger=block.min_tokens if block is not None else 0,
        )

    def _block(self, name: str) -> Block | None:
        return next((block for block in self._sources.blocks if block.id == name), None)

    def _words(self, block: Block | None) -> str:
        """Return the prompt config's own text of a block; the built-in sentence is no one's instruction here."""
        if block is None or block.needs_character or block.refusal(self._sources.generation_type, self._sources.model):
            return ""
        return block.content

    # what joins the messages beside the template

    def _inserted(self) -> list[Insertion]:
        """Return what stands among the turns: notes, memories, a persona at a depth, blocks of the prompt config."""
        made: list[Insertion] = []
        cast, count = self._sources.cast, len(self.turns.closed)
        persona, note = cast.persona, cast.note
        if persona is not None and persona.position == "at_depth" and persona.description.strip():
            text = PERSONA_TEXT.format(name=persona.name, description=persona.description)
            made.append(Insertion(persona.depth, Message(persona.role, text, origin="persona")))
        if cast.character is not None and (own := cast.character.depth_prompt) is not None:
            made.append(Insertion(own.depth, Message(own.role, own.prompt, origin="character")))
        if note is not None and note.content.strip() and self._is_due(note.interval):
            depth = note.depth if note.position == "at_depth" else count
            made.append(Insertion(depth, Message(note.role, note.content, origin=f"block:{NOTE}")))
        elif note is None and (text := card_note(cast.character)):
            made.append(Insertion(count, Message("system", text, origin=f"block:{NOTE}")))
        for at, memory in enumerate(self._sources.memories):
            depth = memory.depth if memory.position == "at_depth" else count
            made.append(Insertion(depth, _remembered(memory, at), memory.order))
        return [*made, *self._custom_blocks()]

    def _custom_blocks(self) -> list[Insertion]:
        return [
            Insertion(one.depth, Message(one.role or "system", one.content, origin=f"block:{one.id}"), one.order)
            for one in self._sources.blocks
            if not one.is_host and one.in_chat and self._words(one).strip()
        ]

    def unplaced_blocks(self) -> list[str]:
        """Return the prompt config's own blocks that have no place here: the template takes the place of their list."""
        blocks = (block for block in self._sources.blocks if not block.is_host and not block.in_chat)
        return [block.name or block.id for block in blocks if self._words(block).strip()]

    def _is_due(self, interval: int) -> bool:
        said = sum(turn.message.role == "user" for turn in self.turns.closed)
        return interval > 0 and said % interval == 0


def _remembered(memory: Memory, at: int) -> Message:
    origin = memory_origin(memory, at)
    return Message(memory.role, memory.content, id=memory.id, pinned=memory.pinned, origin=origin, meta={"rank": at})
