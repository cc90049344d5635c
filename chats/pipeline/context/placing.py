"""Role blocks of a template as the messages of a prompt: which turn of the chat each is, and what joins them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from chats.pipeline.context.turns import Turn, Turns
from chats.pipeline.weaving import ROLE_ORDER, Insertion, Placed
from formats.context import RoleBlock
from formats.context.variables import CHAT_MESSAGES
from formats.handlebars import Piece
from formats.prompt.message import Message

TEMPLATE: Final = "block:context-template"
REMINDER: Final = "block:post-history-instructions"


@dataclass(frozen=True, slots=True)
class Slot:
    """One message on its way into the prompt; `turn` counts the closed turns, None for what the template adds.

    `pieces` are the texts of what the template adds, with the variables that they come from.
    """

    message: Message
    turn: int | None = None
    place: int | None = None
    is_open: bool = False
    pieces: tuple[Piece, ...] = ()

    @property
    def placed(self) -> Placed:
        """The message and its place among those given."""
        return Placed(self.message, self.place)


def slots_of(blocks: Sequence[RoleBlock], turns: Turns, reminder: object) -> tuple[list[Slot], list[Turn]]:
    """Return the blocks as messages, and the turns that the template does not print.

    A block is the turn whose entry it was printed for. Results of tools that no block prints stay where they were: the
    call before them needs them. A block without a text says nothing and makes no message, unless it is the open turn of
    the assistant or its turn carries more than text.
    """
    number_of = {id(turn.entry): at for at, turn in enumerate(turns.closed)}
    seen: set[int] = set()
    slots: list[Slot] = []
    for block in blocks:
        at = _turn_of(block, turns, number_of, seen)
        if at is not None:
            turn = turns.closed[at]
            if not block.text and not _is_more_than_text(turn.message):
                continue
            slots += _tools_before(at, turns, seen)
            first = at not in seen
            seen.add(at)
            slots.append(Slot(_of_turn(block, turn), at, turn.place if first else None))
        elif block.is_open or block.item is turns.seed.entry:
            slots += _tools_before(len(turns.closed), turns, seen)
            if block.text or (block.is_open and block.role == "assistant"):
                slots.append(_seed(block, turns))
        elif block.text:
            origin = REMINDER if reminder is not None and block.item is reminder else TEMPLATE
            slots.append(Slot(Message(block.role, block.text, name=block.name, origin=origin), pieces=block.pieces))
    slots += _tools_before(len(turns.closed), turns, seen)
    missing = [turn for at, turn in enumerate(turns.closed) if at not in seen]
    return slots, [turn for turn in missing if not _is_printed(turn, blocks, turns, number_of)]


def _is_printed(turn: Turn, blocks: Sequence[RoleBlock], turns: Turns, number_of: dict[int, int]) -> bool:
    """Tell whether the whole of a turn stands in a block of another role, or in one that prints many turns.

    A block of another turn does not count: the same words may be said twice. Pictures and calls never go along.
    """
    text = turn.entry["message"].strip()
    if not text or _is_more_than_text(turn.message):
        return False
    for block in blocks:
        is_own = block.item is turn.entry
        is_of_another = block.item is turns.seed.entry or id(block.item) in number_of
        is_of_many = not is_of_another and any(root == CHAT_MESSAGES for _, root in block.pieces)
        if (is_own or is_of_many) and text in block.text:
            return True
    return False


def _is_more_than_text(message: Message) -> bool:
    """Tell a message that has something to say without a text: a call, a tool's result, a picture."""
    others = any(part.get("type") != "text" for part in message.parts or ())
    return others or bool(message.tool_calls) or message.role == "tool"


def _turn_of(block: RoleBlock, turns: Turns, number_of: dict[int, int], seen: set[int]) -> int | None:
    at = number_of.get(id(block.item))
    if at is not None:
        return at if turns.closed[at].entry["role"] == block.role else None
    if block.item is turns.seed.entry or not any(root == CHAT_MESSAGES for _, root in block.pieces):
        return None
    # a template that prints turns from somewhere else: they come in order
    following = range(max(seen, default=-1) + 1, len(turns.closed))
    entries = ((at, turns.closed[at].entry) for at in following)
    return next((at for at, one in entries if one["role"] == block.role and one["message"].strip() in block.text), None)


def _of_turn(block: RoleBlock, turn: Turn) -> Message:
    """Return the message with the text that the template gives it; pictures, calls and the rest stay with it."""
    message = turn.message
    if message.parts is not None:
        others = tuple(part for part in message.parts if part.get("type") != "text")
        return message.replace(parts=({"type": "text", "text": block.text}, *others), name=block.name)
    if message.tool_calls and not message.plain:
        return message.replace(name=block.name)
    return message.replace(text=block.text, name=block.name)


def _tools_before(at: int, turns: Turns, seen: set[int]) -> list[Slot]:
    """Return results of tools before turn `at` that no block has printed."""
    made: list[Slot] = []
    for number in range(at):
        turn = turns.closed[number]
        if number not in seen and turn.message.role == "tool":
            seen.add(number)
            made.append(Slot(turn.message, number, turn.place))
    return made


def _seed(block: RoleBlock, turns: Turns) -> Slot:
    seed = turns.seed
    if block.item is not seed.entry:
        return Slot(Message(block.role, block.text, name=block.name, origin=TEMPLATE), is_open=block.is_open)
    message = seed.message.replace(text=block.text, parts=None, role=block.role, name=block.name)
    if seed.place is None:
        message = message.replace(origin=TEMPLATE)
    return Slot(message, None, seed.place, is_open=block.is_open)


def woven(slots: Sequence[Slot], count: int, insertions: Sequence[Insertion]) -> list[Slot]:
    """Return `slots` with the insertions at their depths, counted in closed turns from the end; `count` is how many.

    Depth 0 is before the open turn. At one place what is inserted stands above the reminder, a greater depth above a
    lesser one, then by order, then assistant, user, system. None stands above the first turn, or in a pair of tools.
    """
    at: dict[int, list[Insertion]] = {}
    for insertion in insertions:
        at.setdefault(_boundary(slots, count, insertion.depth), []).append(insertion)
    made: list[Slot] = []
    for index in range(len(slots) + 1):
        here = sorted(at.get(index, ()), key=lambda one: (-one.depth, one.order, ROLE_ORDER[one.message.role]))
        made += [Slot(one.message) for one in here]
        if index < len(slots):
            made.append(slots[index])
    return made


def _boundary(slots: Sequence[Slot], count: int, depth: int) -> int:
    turn = max(0, count - depth)
    places = [index for index, slot in enumerate(slots) if slot.turn is not None]
    wanted = next((at for at in places if (slots[at].turn or 0) >= turn), None)
    while wanted is not None and wanted > 0 and slots[wanted].message.role == "tool":
        wanted -= 1
    if not places:
        return next((index for index, slot in enumerate(slots) if slot.is_open), len(slots))
    if wanted is None:
        return places[-1] + 1
    before = [at for at in places if at < wanted]
    return before[-1] + 1 if before else wanted
