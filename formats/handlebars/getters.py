"""Closures that read values: names, levels, block parameters, and the helpers that need not evaluate everything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from formats.handlebars.errors import Place
from formats.handlebars.runtime import Chain, Data, Frame, Getter
from formats.handlebars.values import UNDEFINED, Value, is_true, lookup

COMPARED_FASTER: Final = 32  # than made


def constant(value: Value) -> Getter:
    """A literal."""
    return lambda frame: value


def current_context(frame: Frame) -> Value:
    """`this`."""
    return frame.context


def follow(base: Getter, keys: tuple[str, ...]) -> Getter:
    """What `keys` lead to from `base`; the short ones, which are nearly all, without a loop."""
    if not keys:
        return base
    if len(keys) == 1:
        return context_key(keys[0]) if base is current_context else _one_key(base, keys[0])

    def get(frame: Frame) -> Value:
        value = base(frame)
        for key in keys:
            if value is None:
                return None
            value = lookup(value, key)
        return value

    return get


def context_key(key: str) -> Getter:
    """`{{key}}`."""

    def get(frame: Frame) -> Value:
        context = frame.context
        if type(context) is dict:
            return context.get(key, UNDEFINED)
        return None if context is None else lookup(context, key)

    return get


def _one_key(base: Getter, key: str) -> Getter:
    def get(frame: Frame) -> Value:
        value = base(frame)
        if type(value) is dict:
            return value.get(key, UNDEFINED)
        return None if value is None else lookup(value, key)

    return get


def follow_param(level: int, index: int, keys: tuple[str, ...]) -> Getter:
    """What `keys` lead to from a block parameter; `item.key` of the innermost, the common one, in a single call."""
    if level or len(keys) != 1:
        return follow(param_getter(level, index), keys)
    key = keys[0]

    def get(frame: Frame) -> Value:
        try:
            value = frame.params[0][index]  # type: ignore[index]
        except (TypeError, IndexError):  # the block gave its program no parameters, or fewer
            return UNDEFINED
        if type(value) is dict:
            return value.get(key, UNDEFINED)
        return None if value is None else lookup(value, key)

    return get


def param_getter(level: int, index: int) -> Getter:
    """A block parameter, `level` programs with parameters further out."""

    def outer(frame: Frame) -> Value:
        chain: Chain = frame.params
        for _ in range(level):
            chain = chain and chain[1]
        return _value_of_param(chain, index)

    def innermost(frame: Frame) -> Value:
        return _value_of_param(frame.params, index)

    return outer if level else innermost


def _value_of_param(chain: Chain, index: int) -> Value:
    values = chain[0] if chain is not None else None
    return values[index] if values is not None and index < len(values) else UNDEFINED


def scope_getter(depth: int) -> Getter:
    """`..`, `../..` and so on."""

    def get(frame: Frame) -> Value:
        chain = frame.scopes
        for _ in range(depth):
            if chain is None:
                return UNDEFINED
            chain = chain[1]
        return chain[0] if chain is not None else UNDEFINED

    return get


def data_getter(depth: int, key: str) -> Getter:
    """`@key`, `@../key` and so on."""

    def outer(frame: Frame) -> Value:
        level: Data | None = frame.data
        for _ in range(depth):
            level = level.parent if level is not None else None
        return UNDEFINED if level is None else level.get(key, UNDEFINED)

    def innermost(frame: Frame) -> Value:
        return UNDEFINED if frame.data is None else frame.data.get(key, UNDEFINED)

    return outer if depth else innermost


def apply_function(function: Callable[..., Value], getters: list[Getter]) -> Getter:
    """The function of the operands' values."""
    if len(getters) == 1:
        (only,) = getters
        return lambda frame: function(only(frame))
    if len(getters) == 2:
        first, second = getters
        return lambda frame: function(first(frame), second(frame))
    return lambda frame: function(*[getter(frame) for getter in getters])


def compare(function: Callable[..., Value], getters: list[Getter], place: Place) -> Getter:
    """A test of two values; comparing long texts is paid for."""
    first, second = getters

    def test(frame: Frame) -> Value:
        one, other = first(frame), second(frame)
        if type(one) is str and type(other) is str:
            frame.run.spend_on_text(min(len(one), len(other)) // COMPARED_FASTER, place)
        return function(one, other)

    return test


def _equals_text(get: Getter, text: str) -> Getter:
    def test(frame: Frame) -> Value:
        value = get(frame)
        return type(value) is str and value == text

    return test


def _differs_from_text(get: Getter, text: str) -> Getter:
    def test(frame: Frame) -> Value:
        value = get(frame)
        return type(value) is not str or value != text

    return test


def _and(getters: list[Getter]) -> Getter:
    *firsts, last = getters

    def get(frame: Frame) -> Value:
        for first in firsts:
            value = first(frame)
            if not is_true(value):
                return value
        return last(frame)

    return get


def _or(getters: list[Getter]) -> Getter:
    *firsts, last = getters

    def get(frame: Frame) -> Value:
        for first in firsts:
            value = first(frame)
            if is_true(value):
                return value
        return last(frame)

    return get


def _is_missing(value: Value) -> bool:
    return value is UNDEFINED or value is None or (type(value) is str and not value)


def _default(getters: list[Getter]) -> Getter:
    value_getter, fallback = getters

    def get(frame: Frame) -> Value:
        value = value_getter(frame)
        return fallback(frame) if _is_missing(value) else value

    return get


def choose_operand(name: str, getters: list[Getter], frame: Frame) -> int:
    """Index of the operand that `and`, `or` or `default` gives; evaluates what they do."""
    if name == "default":
        return int(_is_missing(getters[0](frame)))
    for index, getter in enumerate(getters[:-1]):
        if is_true(getter(frame)) is (name == "or"):
            return index
    return len(getters) - 1


LAZY: Final = {"and": _and, "or": _or, "default": _default}
TEXT_TESTS: Final = {"eq": _equals_text, "ne": _differs_from_text}
