"""Variables that texts set and read within one render. `…globalvar` has names of its own; both end with the render."""

from __future__ import annotations

from collections.abc import Callable

from chats.macros.call import Call, Macro, Run
from chats.macros.numbers import added

Values = dict[str, str]
Change = Callable[[Values, str, str, Call], "str | None"]


def store(call: Call, *, everywhere: bool) -> Values:
    """Return the values that a macro works on."""
    return call.scope.store.everywhere if everywhere else call.scope.store.local


def put(values: Values, name: str, value: str | None, call: Call) -> bool:
    """Set a variable; False when there is no value or the render has made too much text."""
    if value is None or not call.scope.store.spend(len(value)):
        return False
    values[name] = value
    return True


def _get(values: Values, name: str, _: str, __: Call) -> str:
    return values.get(name, "")


def _set(values: Values, name: str, value: str, call: Call) -> str | None:
    return "" if put(values, name, value, call) else None


def _add(values: Values, name: str, value: str, call: Call) -> str | None:
    return "" if put(values, name, added(values.get(name, ""), value), call) else None


def _increase(values: Values, name: str, _: str, call: Call) -> str | None:
    return values[name] if put(values, name, added(values.get(name) or "0", "1"), call) else None


def _decrease(values: Values, name: str, _: str, call: Call) -> str | None:
    return values[name] if put(values, name, added(values.get(name) or "0", "-1"), call) else None


def _has(values: Values, name: str, _: str, __: Call) -> str:
    return "true" if name in values else "false"


def _delete(values: Values, name: str, _: str, __: Call) -> str:
    values.pop(name, None)
    return ""


def _run(change: Change, *, everywhere: bool) -> Run:
    def run(call: Call) -> str | None:
        name = call.arguments[0].strip()
        return change(store(call, everywhere=everywhere), name, "::".join(call.arguments[1:]), call) if name else None

    return run


def _macros(kind: str, *, everywhere: bool) -> dict[str, Macro]:
    one = {
        f"get{kind}": _get,
        f"inc{kind}": _increase,
        f"dec{kind}": _decrease,
        f"has{kind}": _has,
        f"{kind}exists": _has,
        f"delete{kind}": _delete,
        f"flush{kind}": _delete,
    }
    two = {f"set{kind}": _set, f"add{kind}": _add}
    return {name: Macro(_run(change, everywhere=everywhere), 1, 1) for name, change in one.items()} | {
        name: Macro(_run(change, everywhere=everywhere), 2, None) for name, change in two.items()
    }


MACROS = _macros("var", everywhere=False) | _macros("globalvar", everywhere=True)
