"""Closures that run programs: in place, one of two, again for each item."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from formats.handlebars import limits
from formats.handlebars.errors import Place
from formats.handlebars.runtime import NULL_CONTEXT, CompiledProgram, Data, Frame, Getter, Op, Write, pushes
from formats.handlebars.values import UNDEFINED, is_true

ITERABLE: Final = (list, tuple, dict)
Loop = Callable[[Frame, Write, Any], None]


def in_place_if_any(program: CompiledProgram | None) -> Op | None:
    """`in_place` of a branch that may not be there."""
    return None if program is None else in_place(program)


def in_place(program: CompiledProgram) -> Op:
    """The program run in the context around it; where there is none, in an empty one."""
    run = program.run
    has_params = bool(program.params)

    def run_in_place(frame: Frame, write: Write) -> None:
        context = frame.context
        if context is None or context is UNDEFINED:
            frame = program.enter(frame, NULL_CONTEXT)
        elif has_params:
            frame = program.enter(frame, context)
        run(frame, write)

    return run_in_place


def choose(test: Getter, main: CompiledProgram | None, inverse: CompiledProgram | None) -> Op:
    """One of two by a test, run in place."""
    if main is None or inverse is None:
        only = in_place_if_any(main or inverse)
        return _when(test, only, wanted=main is not None)
    if main.params or inverse.params:
        return _either(test, in_place(main), in_place(inverse))
    run_main, run_inverse = main.run, inverse.run
    guarded = _either(test, in_place(main), in_place(inverse))

    def run(frame: Frame, write: Write) -> None:
        # One look at the context for both branches, and no call between: the hottest operation of a chat template.
        context = frame.context
        if context is None or context is UNDEFINED:
            guarded(frame, write)
            return
        value = test(frame)
        if value is True or (value is not False and is_true(value)):
            run_main(frame, write)
        else:
            run_inverse(frame, write)

    return run


def _either(test: Getter, main: Op, inverse: Op) -> Op:
    def run(frame: Frame, write: Write) -> None:
        value = test(frame)
        if value is True or (value is not False and is_true(value)):
            main(frame, write)
        else:
            inverse(frame, write)

    return run


def _when(test: Getter, only: Op | None, *, wanted: bool) -> Op:
    if only is None:
        return lambda frame, write: None

    def run_if_true(frame: Frame, write: Write) -> None:
        value = test(frame)
        if value is True or (value is not False and is_true(value)):
            only(frame, write)

    def run_unless_true(frame: Frame, write: Write) -> None:
        if not is_true(test(frame)):
            only(frame, write)

    return run_if_true if wanted else run_unless_true


def repeat(program: CompiledProgram, place: Place) -> Loop:
    """A loop over a list or dict that is not empty. The whole loop is paid for before it starts."""

    def loop(frame: Frame, write: Write, items: Any) -> None:
        run = frame.run
        run.spend(len(items) * program.weight, place)
        pairs = items.items() if type(items) is dict else enumerate(items)
        if program.uses_data and frame.data is not None:
            _loop_with_data(program, frame, frame.data.child(), write, pairs, len(items))
        else:
            _loop_plainly(program, frame, write, pairs)
        run.check_output()

    return loop


def _items_between_checks(program: CompiledProgram) -> int:
    return max(1, limits.OUTPUT_CHECK_STEPS // program.weight)


def _loop_plainly(program: CompiledProgram, frame: Frame, write: Write, pairs: Any) -> None:
    """One frame serves all items: what outlives an item copies it."""
    body, scopes, params, run = program.run, frame.scopes, frame.params, frame.run
    inner = Frame(None, scopes, frame.data, params, frame.partials, run)
    uses_scopes, has_params = program.uses_scopes, bool(program.params)
    every = countdown = _items_between_checks(program)
    for key, value in pairs:
        inner.context = value
        if uses_scopes:
            inner.scopes = (value, scopes) if pushes(value, scopes) else scopes
        if has_params:
            inner.params = ((value, key), params)
        body(inner, write)
        countdown -= 1
        if not countdown:
            countdown = every
            run.check_output()


def _loop_with_data(  # noqa: PLR0917
    program: CompiledProgram, frame: Frame, data: Data, write: Write, pairs: Any, count: int
) -> None:
    """As the plain loop, with `@key`, `@index`, `@first` and `@last`."""
    body, scopes, params, run = program.run, frame.scopes, frame.params, frame.run
    inner = Frame(None, scopes, data, params, frame.partials, run)
    uses_scopes, has_params = program.uses_scopes, bool(program.params)
    last, every = count - 1, _items_between_checks(program)
    for index, (key, value) in enumerate(pairs):
        data["key"], data["index"], data["first"], data["last"] = key, index, index == 0, index == last
        inner.context = value
        if uses_scopes:
            inner.scopes = (value, scopes) if pushes(value, scopes) else scopes
        if has_params:
            inner.params = ((value, key), params)
        body(inner, write)
        if index % every == 0:
            run.check_output()


def section_op(get: Getter, main: CompiledProgram | None, inverse: CompiledProgram | None, place: Place) -> Op:
    """What a block without a helper does with its value."""
    loop = repeat(main, place) if main else None
    otherwise = in_place_if_any(inverse)

    def run(frame: Frame, write: Write) -> None:
        value = get(frame)
        if value is None or value is UNDEFINED or value is False or (type(value) in (list, tuple) and not value):
            if otherwise is not None:
                otherwise(frame, write)
        elif main is None or loop is None:
            return
        elif type(value) in (list, tuple):
            loop(frame, write, value)
        else:
            main.run(main.enter(frame, frame.context if value is True else value), write)

    return run
