"""White space, comments and small work on text. `trim`, `noop`, `if` and `else` are in the expansion itself."""

from __future__ import annotations

from chats.macros.call import Call, Macro, Run, joined
from chats.macros.limits import MAX_REPEAT


def _repeated(character: str) -> Run:
    def run(call: Call) -> str | None:
        number = call.arguments[0].strip() if call.arguments else "1"
        if not (number.isascii() and number.isdigit() and len(number) < 8):
            return None
        return character * int(number) if int(number) <= MAX_REPEAT else None

    return run


def _nothing(_: Call) -> str:
    return ""


def _reverse(call: Call) -> str:
    return joined(call.pieces)[::-1]


def _never(_: Call) -> str:
    return "false"


MACROS = {
    "newline": Macro(_repeated("\n"), 0, 1),
    "space": Macro(_repeated(" "), 0, 1),
    "reverse": Macro(_reverse, 1, None),
    # what is hidden must never reach the model, whatever its arguments
    "//": Macro(_nothing, 0, None, blind=True),
    "comment": Macro(_nothing, 0, None, blind=True),
    "hidden_key": Macro(_nothing, 0, None, blind=True),
    "banned": Macro(_nothing, 0, None, blind=True),
    # there is no client that could have them
    "ismobile": Macro(_never),
    "hasextension": Macro(_never, 1, 1),
}
