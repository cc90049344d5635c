"""`{{.name}}` and `{{$name}}`: variables of the render with an operator behind, as in `{{.hp -= 3}}`."""

from __future__ import annotations

import re
from collections.abc import Callable

from chats.macros.builtin.variables import put, store
from chats.macros.call import Call, Macro, Piece, Run, joined
from chats.macros.numbers import added, number, written
from chats.macros.truth import is_true

LEFT = re.compile(
    r"\s*(?P<name>[^\W\d]\w*(?:-\w+)*)\s*"
    r"(?P<operator>\+\+|--|\|\|=|\?\?=|\|\||\?\?|\+=|-=|==|!=|>=|<=|>|<|=)?\s*"
)

COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
}


def _run(*, everywhere: bool) -> Run:
    def run(call: Call) -> str | None:
        first, *others = call.pieces
        match = LEFT.match(first.text)
        if match is None:
            return None
        right = joined([Piece(first.text[match.end() :]), *others]).rstrip()
        operator = match["operator"] or ""
        if bool(right) and operator in {"", "++", "--"}:
            return None
        return _operate(call, store(call, everywhere=everywhere), match["name"], operator, right)

    return run


def _operate(call: Call, values: dict[str, str], name: str, operator: str, right: str) -> str | None:
    value = values.get(name, "")
    if operator in {"==", "!=", *COMPARE}:
        return _compared(value, operator, right)
    if operator in {"", "||", "??"}:
        return value if operator == "" or _keeps(operator, values, name) else right
    if operator in {"||=", "??="} and _keeps(operator, values, name):
        return value
    new = _new(value, operator, right)
    if not put(values, name, new, call):
        return None
    return "" if operator in {"=", "+=", "-="} else values[name]


def _keeps(operator: str, values: dict[str, str], name: str) -> bool:
    """`||` keeps a value that is true, `??` one that is there."""
    return name in values if operator[0] == "?" else is_true(values.get(name, ""))


def _new(value: str, operator: str, right: str) -> str | None:
    """Return the value to set; None when there is nothing to take off from."""
    if operator in {"++", "--"}:
        return added(value or "0", "1" if operator == "++" else "-1")
    if operator == "-=":
        left, less = number(value or "0"), number(right)
        return None if left is None or less is None else written(left - less)
    return added(value, right) if operator == "+=" else right


def _compared(value: str, operator: str, right: str) -> str | None:
    if operator in {"==", "!="}:
        return "true" if (value.strip() == right.strip()) == (operator == "==") else "false"
    left, other = number(value), number(right)
    if left is None or other is None:
        return "false"
    return "true" if COMPARE[operator](left, other) else "false"


MACROS = {
    ".": Macro(_run(everywhere=False), 1, None),
    "$": Macro(_run(everywhere=True), 1, None),
}
