"""Macro stage: expands every source text once, with what names, card, persona, request and clock give."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from chats.documents import Character, Persona
from chats.macros import Line, MacroScope
from chats.pipeline.blocks import MAIN, POST_HISTORY, Block
from chats.pipeline.budget import Budget
from chats.pipeline.cast import NOBODY, Cast, card_note
from chats.pipeline.expander import Expander, needs_macros
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
    if not sources.macros or not (sources.has_blocks or _has_macros(sources)):
        return Step(sources)
    expander = Expander(_scope(sources, ports))
    cast = _cast(sources.cast, expander)
    expander = expander.with_scope(expander.scope.with_fields(**_fields(cast)))
    history, changes = _history(sources.history, expander)
    expander = expander.with_scope(replace(expander.scope, messages=_lines(history)))
    blocks = tuple(_block(block, expander) for block in sources.blocks) if cast is not NOBODY else sources.blocks
    made = replace(
        sources,
        history=history,
        cast=_prompts(cast, blocks, expander),
        blocks=blocks,
        memories=tuple(
            memory.model_copy(update={"content": expander.text(memory.content, f"memories[{at}].content")})
            for at, memory in enumerate(sources.memories)
        ),
        settings=_filler(sources, expander),
        scope=expander.scope,
    )
    return Step(made, changes, expander.findings)


def _filler(sources: Sources, expander: Expander) -> RenderSettings:
    """Return the settings with the format's filler turn expanded, where it has macros."""
    if not sources.filler_user:
        return sources.settings
    return replace(sources.settings, filler_user=expander.text(sources.filler_user, "format.fillerUser"))


def _has_macros(sources: Sources) -> bool:
    return any(needs_macros(message) for message in sources.history) or bool(sources.filler_user)


def _scope(sources: Sources, ports: Ports) -> MacroScope:
    cast = sources.cast
    last = sources.history[-1] if sources.history else None
    given = {
        "lastGenerationType": sources.generation_type,
        "input": last.plain if last is not None and last.origin == INPUT else "",
        **({"model": sources.model} if sources.model else {}),
        **_budget_fields(sources.budget),
    }
    return MacroScope(
        user=cast.user,
        char=cast.speaker,
        group=cast.group,
        variables=sources.variables,
        fields=given,
        messages=_lines(sources.history),
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


def _lines(history: Iterable[Message]) -> tuple[Line, ...]:
    return tuple(Line(message.role, message.plain) for message in history if not message.excluded)


# the cast


def _cast(cast: Cast, expander: Expander) -> Cast:
    """Return the cast with its texts expanded, but for those that may quote a block's."""
    if cast is NOBODY:
        return cast
    persona = _persona(cast.persona, expander)
    if persona is not None:
        expander = expander.with_scope(expander.scope.with_fields(persona=persona.description))
    scenario = cast.scenario
    if scenario is not None:
        scenario = expander.text(scenario, "scenario")
        expander = expander.with_scope(expander.scope.with_fields(scenario=scenario))
    character = _character(cast.character, expander, "character", keeps_scenario=scenario is None)
    others = tuple(
        _other(other, expander.with_scope(replace(expander.scope, char=other.shown_name)), f"characters[{at}]")
        for at, other in enumerate(cast.others)
    )
    return replace(cast, character=character, others=others, persona=persona, scenario=scenario)


def _persona(persona: Persona | None, expander: Expander) -> Persona | None:
    if persona is None:
        return None
    return persona.model_copy(update={"description": expander.text(persona.description, "persona.description")})


def _character(
    character: Character | None, expander: Expander, path: str, *, keeps_scenario: bool = True
) -> Character | None:
    if character is None:
        return None
    texts: dict[str, str] = {}
    for name, field in FIELDS:
        texts[name] = expander.text(getattr(character, name), f"{path}.{name}")
        if texts[name] and (keeps_scenario or field != "scenario"):
            expander = expander.with_scope(expander.scope.with_fields(**{field: texts[name]}))
    return character.model_copy(update={**texts, "extensions": _extensions(character, expander, path)})


def _other(character: Character, expander: Expander, path: str) -> Character:
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


def _fields(cast: Cast) -> dict[str, str]:
    """Return what the macros of card and persona stand for."""
    made: dict[str, str] = {}
    if cast.persona is not None:
        made["persona"] = cast.persona.description
    if cast.scenario is not None:
        made["scenario"] = cast.scenario
    character = cast.character
    if character is None:
        return made
    for name, field in FIELDS:
        made.setdefault(field, getattr(character, name))
    made |= {f"greeting::{at}": text for at, text in enumerate(character.alternate_greetings, 1)}
    made |= {"mesExamplesRaw": character.mes_example, "charVersion": character.character_version}
    if character.depth_prompt is not None:
        made["charDepthPrompt"] = character.depth_prompt.prompt
    if text := card_note(character):
        made["charAuthorsNote"] = text
    return made


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
            name: expander.with_scope(expander.scope.with_fields(original=originals.get(block, ""))).text(
                getattr(character, name), f"character.{name}"
            )
            for name, block in (("system_prompt", MAIN), ("post_history_instructions", POST_HISTORY))
        }
        character = character.model_copy(update=texts)
    return replace(cast, note=note, character=character)


# the history


def _history(history: tuple[Message, ...], expander: Expander) -> tuple[tuple[Message, ...], list[Change]]:
    made: list[Message] = []
    changes: list[Change] = []
    for index, message in enumerate(history):
        path = "userInput" if message.origin == INPUT else f"messages[{index}].content"
        changed = message if message.excluded else expander.message(message, path)
        if changed is not message:
            changes.append(Change("changed", index, message.origin, REASON, message.id))
        made.append(changed)
    return tuple(made), changes
