"""Puts the parts of a program into one closure: texts and values that follow each other are written as one string."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from formats.handlebars.limits import SHORT_TEXT
from formats.handlebars.origins import Kind, Origin
from formats.handlebars.runtime import Frame, Getter, Op, Write
from formats.handlebars.values import UNDEFINED, Value

Show = Callable[[Value, Frame], str]
"""The text of a value that is no string."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A value to print. `key`: it is that key of the current context, and nothing else."""

    get: Getter
    show: Show
    origin: Origin
    key: str | None = None
    origin_now: Callable[[Frame], Origin] | None = None  # where the origin is known only while rendering


Part = str | Printed | Op


def assemble(parts: list[Part], *, traced: bool) -> Op:
    """One closure that does what the parts do, in order."""
    merged = _merge_texts(parts)
    return in_sequence([_traced(part) for part in merged] if traced else _fuse(merged))


def _merge_texts(parts: list[Part]) -> list[Part]:
    merged: list[Part] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif part != "":
            merged.append(part)
    return merged


def _traced(part: Part) -> Op:
    """Writes each value by itself, with the root variable it came from."""
    if isinstance(part, str):
        return _text(part)
    if not isinstance(part, Printed):
        return part
    get, show, origin, origin_now = part.get, part.show, part.origin, part.origin_now

    def write_traced(frame: Frame, write: Write) -> None:
        value = get(frame)
        resolved = frame.run.entry.resolve(origin_now(frame) if origin_now else origin)
        write(
            value if type(value) is str else show(value, frame),
            resolved.name if resolved.kind is Kind.VARIABLE else None,
        )

    return write_traced


def _fuse(parts: list[Part]) -> list[Op]:
    """Join each run of texts around one or two values into one operation."""
    ops: list[Op] = []
    index = 0
    while index < len(parts):
        before, index = _take_text(parts, index)
        first, index = _take_value(parts, index)
        if first is None:
            if before:
                ops.append(_text(before))
            else:
                ops.append(parts[index])  # type: ignore[arg-type]  # neither text nor value
                index += 1
            continue
        between, index = _take_text(parts, index)
        second, index = _take_value(parts, index)
        if second is None:
            ops.append(_one_value(before, first, between))
            continue
        after, index = _take_text(parts, index)
        ops.append(_two_values(before, first, between, second, after))
    return ops


def _take_text(parts: list[Part], index: int) -> tuple[str, int]:
    part = parts[index] if index < len(parts) else None
    return (part, index + 1) if isinstance(part, str) else ("", index)


def _take_value(parts: list[Part], index: int) -> tuple[Printed | None, int]:
    part = parts[index] if index < len(parts) else None
    return (part, index + 1) if isinstance(part, Printed) else (None, index)


def _text(text: str) -> Op:
    return lambda frame, write: write(text)


def _one_value(before: str, printed: Printed, after: str) -> Op:
    get, show, key = printed.get, printed.show, printed.key

    def write_value(frame: Frame, write: Write) -> None:
        value = get(frame)
        text = value if type(value) is str else show(value, frame)
        if len(text) < SHORT_TEXT:
            write(f"{before}{text}{after}")
        else:
            _write_long(write, before, text, after)

    def write_key(frame: Frame, write: Write) -> None:
        context = frame.context
        value = context.get(key, UNDEFINED) if type(context) is dict else get(frame)
        text = value if type(value) is str else show(value, frame)
        if len(text) < SHORT_TEXT:
            write(f"{before}{text}{after}")
        else:
            _write_long(write, before, text, after)

    return write_value if key is None else write_key


def _two_values(before: str, first: Printed, between: str, second: Printed, after: str) -> Op:
    if first.key is not None and second.key is not None:
        return _two_keys(before, first, between, second, after)
    get, show, get_second, show_second = first.get, first.show, second.get, second.show

    def write_values(frame: Frame, write: Write) -> None:
        value, other = get(frame), get_second(frame)
        text = value if type(value) is str else show(value, frame)
        other_text = other if type(other) is str else show_second(other, frame)
        if len(text) < SHORT_TEXT and len(other_text) < SHORT_TEXT:
            write(f"{before}{text}{between}{other_text}{after}")
        else:
            _write_long(write, before, text, between, other_text, after)

    return write_values


def _two_keys(before: str, first: Printed, between: str, second: Printed, after: str) -> Op:
    get, show, get_second, show_second = first.get, first.show, second.get, second.show
    key, second_key = first.key, second.key

    def write_keys(frame: Frame, write: Write) -> None:
        context = frame.context
        if type(context) is dict:
            value, other = context.get(key, UNDEFINED), context.get(second_key, UNDEFINED)
        else:
            value, other = get(frame), get_second(frame)
        text = value if type(value) is str else show(value, frame)
        other_text = other if type(other) is str else show_second(other, frame)
        if len(text) < SHORT_TEXT and len(other_text) < SHORT_TEXT:
            write(f"{before}{text}{between}{other_text}{after}")
        else:
            _write_long(write, before, text, between, other_text, after)

    return write_keys


def _write_long(write: Write, *texts: str) -> None:
    """Write without copying: what a loop repeats a thousand times stays one string in memory."""
    for text in texts:
        write(text)


def in_sequence(ops: list[Op]) -> Op:
    """One operation of several; up to four without a loop."""
    if not ops:
        return lambda frame, write: None
    if len(ops) == 1:
        return ops[0]
    if len(ops) == 2:
        return _two(*ops)
    if len(ops) == 3:
        return _three(*ops)
    if len(ops) == 4:
        return _four(*ops)
    fixed = tuple(ops)

    def run(frame: Frame, write: Write) -> None:
        for op in fixed:
            op(frame, write)

    return run


def _two(first: Op, second: Op) -> Op:
    def run(frame: Frame, write: Write) -> None:
        first(frame, write)
        second(frame, write)

    return run


def _three(first: Op, second: Op, third: Op) -> Op:
    def run(frame: Frame, write: Write) -> None:
        first(frame, write)
        second(frame, write)
        third(frame, write)

    return run


def _four(first: Op, second: Op, third: Op, fourth: Op) -> Op:
    def run(frame: Frame, write: Write) -> None:
        first(frame, write)
        second(frame, write)
        third(frame, write)
        fourth(frame, write)

    return run
