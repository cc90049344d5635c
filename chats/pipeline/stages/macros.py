"""Macro stage: expands every source text once, with what names, card, persona, request and clock give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, overload

from chats.documents import Character, Memory, Persona
from chats.macros import Line, MacroScope
from chats.pipeline.blocks import MAIN, POST_HISTORY, Block
from chats.pipeline.budget import Budget
from chats.pipeline.cast import NOBODY, Cast, card_note
from chats.pipeline.expander import Expander, may_have_macros, needs_macros
from chats.pipeline.ports import Ports
from chats.pipeline.sources import Sources
from chats.pipeline.trace import Change, Step
from formats.prompt.message import Message
from formats.prompt.options import RenderSettings

INPUT: Final = "input"
REASON: Final = "macros"
FIELDS: Final = (
    ("description", "description"),
    ("personality", "personality"),
    ("scenario", "scenario"),
    ("mes_example", "mesExamples"),
    ("creator_notes", "creatorNotes"),
    ("first_mes", "greeting"),
)
"""Fields of a card that are macros too, in the order in which they are expanded: a later one may quote an earlier."""


def expand_macros(sources: Sources, ports: Ports) -> Step[Sources]:
    """Return `sources` with every text expanded, and one Change for each message that differs.

    Unknown macros stay as typed and are findings. The texts of lore entries are expanded when they are activated.
    """
    if not sources.macros or not (sources.has_blocks or has_macros(sources)):
        return Step(sources)
    lines, fields = _Lines(sources.history), _given(sources)
    expander = Expander(_scope(sources, ports, lines, fields))
    cast = _cast(sources.cast, expander, fields)
    history, changes = _history(sources.history, expander)
    lines.of(history)
    blocks = tuple(_block(block, expander) for block in sources.blocks) if sources.has_blocks else sources.blocks
    made = replace(
        sources,
        history=history,
        cast=_prompts(cast, blocks, expander),
        blocks=blocks,
        memories=tuple(_memory(memory, at, expander) for at, memory in enumerate(sources.memories)),
        settings=_filler(sources, expander),
        scope=expander.scope,
    )
    return Step(made, changes, expander.findings)


class _Lines(Sequence[Line]):
    """The messages as macros see them, made when one asks: most texts quote none."""

    def __init__(self, history: tuple[Message, ...]) -> None:
        self.of(history)

    def of(self, history: tuple[Message, ...]) -> None:
        """Stand for these messages from now on."""
        self._history = history
        self._made: list[Line] | None = None

    def _all(self) -> list[Line]:
        if self._made is None:
            self._made = [Line(message.role, message.plain) for message in self._history if not message.excluded]
        return self._made

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> list[Line]: ...
    def __getitem__(self, index: int | slice) -> Line | list[Line]:
        return self._all()[index]

    def __len__(self) -> int:
        return len(self._all())


def _memory(memory: Memory, at: int, expander: Expander) -> Memory:
    text = expander.text(memory.content, f"memories[{at}].content")
    return memory if text == memory.content else memory.model_copy(update={"content": text})


def _filler(sources: Sources, expander: Expander) -> RenderSettings:
    """Return the settings with the format's filler turn expanded, where it has macros."""
    if not sources.filler_user:
        return sources.settings
    return replace(sources.settings, filler_user=expander.text(sources.filler_user, "format.fillerUser"))


def has_macros(sources: Sources) -> bool:
    """Whether a message, or the format's filler turn, has a text that expanding can change."""
    if sources.filler_user:
        return True
    texts = [message.text for message in sources.history]
    if None in texts:
        return any(needs_macros(message) for message in sources.history)
    return may_have_macros("\n".join(texts))  # type: ignore[arg-type]  # no macro begins in one text and ends in another


def _given(sources: Sources) -> dict[str, str]:
    """Return the fields that the render itself has. Those of cast join them as they are expanded."""
    last = sources.history[-1] if sources.history else None
    return {
        "lastGenerationType": sources.generation_type,
        "input": last.plain if last is not None and last.origin == INPUT else "",
        **({"model": sources.model} if sources.model else {}),
        **_budget_fields(sources.budget),
    }


def _scope(sources: Sources, ports: Ports, lines: Sequence[Line], fields: dict[str, str]) -> MacroScope:
    cast = sources.cast
    return MacroScope(
        user=cast.user,
        char=cast.speaker,
        group=cast.group,
        variables=sources.variables,
        fields=fields,
        messages=lines,
        now=ports.clock.now(),
        seed=ports.rng.seed,
    )


def _budget_fields(budget: Budget | None) -> dict[str, str]:
    if budget is None:
        return {}
    return {
        "maxContext": str(budget.limit),
        "maxPrompt": str(max(0, budget.available)),
        "maxResponse": str(budget.reserved),
    }


# the cast


def _cast(cast: Cast, expander: Expander, fields: dict[str, str]) -> Cast:
    """Return the cast with its texts expanded, but for those that may quote a block's, and put them into `fields`."""
    if cast is NOBODY:
        return cast
    persona = _persona(cast.persona, expander)
    if persona is not None:
        fields["persona"] = persona.description
    scenario = cast.scenario
    if scenario is not None:
        fields["scenario"] = scenario = expander.text(scenario, "scenario")
    character = _character(cast.character, expander, fields)
    others = tuple(_other(other, expander, f"characters[{at}]") for at, other in enumerate(cast.others))
    return replace(cast, character=character, others=others, persona=persona, scenario=scenario)


def _persona(persona: Persona | None, expander: Expander) -> Persona | None:
    if persona is None:
        return None
    return persona.model_copy(update={"description": expander.text(persona.description, "persona.description")})


def _character(character: Character | None, expander: Expander, fields: dict[str, str]) -> Character | None:
    if character is None:
        return None
    texts: dict[str, str] = {}
    own_scenario = "scenario" not in fields
    for name, field in FIELDS:
        texts[name] = expander.text(getattr(character, name), f"character.{name}")
        if own_scenario or field != "scenario":
            fields[field] = texts[name]
    made = character.model_copy(update={**texts, "extensions": _extensions(character, expander, "character")})
    fields |= {f"greeting::{at}": text for at, text in enumerate(character.alternate_greetings, 1)}
    fields |= {"mesExamplesRaw": made.mes_example, "charVersion": character.character_version}
    if made.depth_prompt is not None:
        fields["charDepthPrompt"] = made.depth_prompt.prompt
    if text := card_note(made):
        fields["charAuthorsNote"] = text
    return made


def _other(character: Character, expander: Expander, path: str) -> Character:
    """Return another member of the cast: in its texts {{char}} is itself."""
    expander = expander.with_scope(replace(expander.scope, char=character.shown_name))
    texts = {name: expander.text(getattr(character, name), f"{path}.{name}") for name in ("description", "personality")}
    return character.model_copy(update=texts)


def _extensions(character: Character, expander: Expander, path: str) -> dict[str, object]:
    """Return the card's extensions with its own notes expanded."""
    kept: dict[str, object] = dict(character.extensions)
    note = character.depth_prompt
    if note is not None:
        prompt = expander.text(note.prompt, f"{path}.extensions.depth_prompt.prompt")
        kept["depth_prompt"] = {"prompt": prompt, "depth": note.depth, "role": note.role}
    if text := card_note(character):
        kept["authors_note"] = expander.text(text, f"{path}.extensions.authors_note")
    return kept


# the texts of blocks


def _block(block: Block, expander: Expander) -> Block:
    return replace(block, content=expander.text(block.content, f"promptConfig.blocks.{block.id}"))


def _prompts(cast: Cast, blocks: tuple[Block, ...], expander: Expander) -> Cast:
    """Return the cast with the prompts of its card expanded: {{original}} is the block's text that it replaces."""
    if cast is NOBODY:
        return cast
    note, character = cast.note, cast.character
    if note is not None:
        note = note.model_copy(update={"content": expander.text(note.content, "chat.authorsNote")})
    if character is not None:
        originals = {block.id: block.content for block in blocks}
        texts = {
            name: _quoting(getattr(character, name), originals.get(block, ""), expander, f"character.{name}")
            for name, block in (("system_prompt", MAIN), ("post_history_instructions", POST_HISTORY))
        }
        character = character.model_copy(update=texts)
    return replace(cast, note=note, character=character)


def _quoting(text: str, original: str, expander: Expander, path: str) -> str:
    """Return a card's prompt expanded; {{original}} is the text that it replaces."""
    if "original" in text.lower():
        expander = expander.with_scope(expander.scope.with_fields(original=original))
    return expander.text(text, path)


# the history


def _history(history: tuple[Message, ...], expander: Expander) -> tuple[tuple[Message, ...], list[Change]]:
    made: list[Message] = []
    changes: list[Change] = []
    for index, message in enumerate(history):
        if message.excluded or not ("{" in (text := message.text or "{") or "<" in text):
            made.append(message)
            continue
        path = "userInput" if message.origin == INPUT else f"messages[{index}].content"
        changed = expander.message(message, path)
        if changed is not message:
            changes.append(Change("changed", index, message.origin, REASON, message.id))
        made.append(changed)
    return tuple(made), changes
