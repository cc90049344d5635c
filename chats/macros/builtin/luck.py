"""`random`, `pick` and `roll`: chance that follows from the seed."""

from __future__ import annotations

import re

from chats.macros.call import Call, Macro, Piece, cut, joined
from chats.macros.limits import COST_OF_A_DIE, MAX_DICE, MAX_SIDES

DICE = re.compile(r"(?P<number>\d{0,4})d(?P<sides>\d{1,7})(?P<plus>[+-]\d{1,7})?", re.ASCII | re.IGNORECASE)
COMMA = re.compile(r"(?<!\\),")


def options(pieces: list[Piece]) -> list[str]:
    r"""Return what is chosen from: cut at `::`, else at `~` (trimmed, empty ones dropped), else at `,` (trimmed).

    Only separators that were typed at this level count, so a nested macro is always one piece. `\,` is a comma.
    """
    groups = cut(pieces, "::")
    if len(groups) > 1:
        return [joined(group) for group in groups]
    groups = cut(pieces, "~")
    if len(groups) > 1:
        return [option for group in groups if (option := joined(group).strip())]
    return [joined(group).strip() for group in _at_commas(pieces)]


def _at_commas(pieces: list[Piece]) -> list[list[Piece]]:
    groups: list[list[Piece]] = [[]]
    for piece in pieces:
        if not piece.literal:
            groups[-1].append(piece)
            continue
        head, *tail = [Piece(text.replace("\\,", ",")) for text in COMMA.split(piece.text)]
        groups[-1].append(head)
        groups.extend([text] for text in tail)
    return groups


def _random(call: Call) -> str:
    choices = options(call.pieces)
    return choices[call.draw(len(choices))] if choices else ""


def _pick(call: Call) -> str:
    choices = options(call.pieces)
    return choices[call.pick(len(choices))] if choices else ""


def _roll(call: Call) -> str | None:
    """`20`, `d20`, `3d6`, `3d6+2`. Nothing else is a roll."""
    written = call.arguments[0].replace(" ", "")
    match = DICE.fullmatch(f"d{written}" if written.isascii() and written.isdigit() else written)
    if match is None:
        return None
    number, sides = int(match["number"] or 1), int(match["sides"])
    if not (1 <= number <= MAX_DICE and 1 <= sides <= MAX_SIDES and call.scope.store.spend(number * COST_OF_A_DIE)):
        return None
    return str(sum(call.draw(sides, die) + 1 for die in range(number)) + int(match["plus"] or 0))


MACROS = {
    "random": Macro(_random, 1, None),
    "pick": Macro(_pick, 1, None),
    "roll": Macro(_roll, 1, 1),
}
