"""Assemble stage, by context template: facts, chosen lore and turns, in the blocks that a template writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from chats.pipeline.assembly import IMPERSONATION
from chats.pipeline.context.assembly import ContextAssembly, Made
from chats.pipeline.context.choice import ContextChoice
from chats.pipeline.context.placing import REMINDER, Slot
from chats.pipeline.context.selecting import told
from chats.pipeline.counting import costs_for
from chats.pipeline.ports import Ports
from chats.pipeline.sources import Assembled, Excluded, Sources
from chats.pipeline.stages.assemble import IMPERSONATE, taking_part
from chats.pipeline.trace import Change, Step
from formats.prompt.compiled import CompiledFormat
from formats.prompt.findings import Finding
from formats.prompt.message import Message

NOT_PRINTED: Final = "NOT_IN_TEMPLATE"
SEED_LOST: Final = "SEED_NOT_LAST"
NOT_PLACED: Final = "BLOCK_NOT_PLACED"
GRAPH: Final = "block:narrative-graph"


def assemble_context(
    sources: Sources, context: ContextChoice, form: CompiledFormat | None, ports: Ports
) -> Step[Assembled]:
    """Return the messages of the prompt, the open turn last where the reply goes on from one.

    Raises MessageError when the last message is to be continued and is not an assistant's, TemplateError from the
    template.
    """
    history, gone = taking_part(sources)
    costs = costs_for(form, ports.counter, sources.settings.tools)
    assembly = ContextAssembly(sources, context, history, ports, costs)
    made = assembly.made
    slots, open_text, is_open = _ended(sources, made)
    if sources.with_figures:
        slots = [_explained(slot, ports) for slot in slots]
    changes, excluded = told(made.chosen, lore=sources.with_figures)
    excluded += [Excluded(turn.message.id, turn.message.origin, "template") for turn in made.unprinted]
    changes += [
        Change("dropped", turn.place, turn.message.origin, "template", turn.message.id) for turn in made.unprinted
    ]
    settings = sources.settings
    if is_open or open_text:
        settings = replace(settings, prefill="")
    if is_open:
        settings = replace(settings, continue_final_message=True, add_generation_prompt=False)
    assembled = Assembled(
        tuple(slot.message for slot in slots),
        replace(settings, speaker=""),
        (*(Excluded(history[at].id, history[at].origin, reason) for at, reason in gone.items()), *excluded),
        tuple(slot.place for slot in slots),
        sources.cast.user,
        sources.cast.speaker,
        sources.generation_type == IMPERSONATE,
        is_templated=True,
        open_text=open_text,
    )
    dropped = [Change("dropped", at, history[at].origin, reason, history[at].id) for at, reason in gone.items()]
    changes = [*dropped, *changes, *_added(slots, assembly), *_reminder(assembly)]
    return Step(assembled, changes, [*assembly.findings, *_findings(assembly, made, slots, is_open=is_open)])


def _ended(sources: Sources, made: Made) -> tuple[list[Slot], str, bool]:
    """Return the messages, the text of the user's open turn where one is written, and whether the last one is open."""
    slots = list(made.slots)
    is_open = bool(slots) and slots[-1].is_open
    if is_open and slots[-1].message.role == "assistant":
        return slots, "", True
    if is_open and slots[-1].message.role == "user":
        return slots[:-1], slots[-1].message.plain, False
    if sources.generation_type == IMPERSONATE and not sources.is_text:
        text = IMPERSONATION.format(user=sources.cast.user or "the user")
        slots.append(Slot(Message("system", text, origin="block:impersonation")))
    return slots, "", False


def _explained(slot: Slot, ports: Ports) -> Slot:
    """Return what the template adds with the tokens that each variable has in it."""
    if not slot.pieces:
        return slot
    texts: dict[str, str] = {}
    for text, root in slot.pieces:
        if root is not None:
            texts[root] = texts.get(root, "") + text
    figures = {name: ports.counter.count(text) for name, text in texts.items()}
    return replace(slot, message=slot.message.replace(meta={"variables": figures}))


def _added(slots: list[Slot], assembly: ContextAssembly) -> Iterator[Change]:
    for slot in slots:
        message = slot.message
        if slot.turn is not None or message.origin in ("history", "input"):
            continue
        yield Change("added", None, message.origin, "template", message.id, message.meta)
    if assembly.had_graph and not assembly.graph:
        yield Change("dropped", None, GRAPH, "tokenLimit")


def _reminder(assembly: ContextAssembly) -> Iterator[Change]:
    """Return what became of the reminder, in figures and in words."""
    value = assembly.made.context["postHistory"]
    post, turns = assembly.post_history, assembly.made.chosen.turns
    gate = post.gate(tokens := assembly.tokens_of(turns))
    figures: dict[str, Any] = {"depth": post.depth, "tokens": tokens, "trigger": post.trigger}
    if gate == "belowTrigger":
        says = f"left out: {tokens:,} of {post.trigger:,} tokens"
        yield Change("dropped", None, f"{REMINDER}.instructions", gate, None, figures | {"says": says})
    if value["hasContent"]:
        at = value["targetIndex"]
        says = "before the reply" if at == len(turns.closed) else f"before message {at + 1}"
        parts = [name for name in ("instructions", "charInstructions", "exampleDialogue") if name in value]
        yield Change("added", None, REMINDER, "included", None, figures | {"at": at, "parts": parts, "says": says})


def _findings(assembly: ContextAssembly, made: Made, slots: list[Slot], *, is_open: bool) -> Iterator[Finding]:
    for role, count in Counter(turn.message.role for turn in made.unprinted).items():
        text = f"The context template prints no message of the role {role}: {count} left out."
        yield Finding("warning", NOT_PRINTED, text, "contextTemplate", data={"role": role, "count": count})
    if made.chosen.turns.is_kept and not is_open and made.chosen.turns.seed.message.role == "assistant":
        text = "The context template does not end in the turn to go on from: the format's generation prompt follows."
        yield Finding("warning", SEED_LOST, text, "contextTemplate")
    for name in assembly.unplaced_blocks():
        text = f"The prompt config's block {name!r} has no place in a context template: give it a depth."
        yield Finding("warning", NOT_PLACED, text, "promptConfig.blocks")
