"""The public Handlebars suite: every runnable case, with the helper functions of its Python ports."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from formats.handlebars.engine import Unit
from formats.handlebars.errors import Place, TemplateError
from formats.handlebars.options import Options
from formats.handlebars.runtime import Data, Frame, Run
from formats.handlebars.values import UNDEFINED
from tests.formats.handlebars.host import HOLE, LANGUAGE_HELPERS, Function, FunctionPartial, HostCompiler

SUITE = Path(__file__).resolve().parents[3] / ".." / "shared" / "data" / "handlebars"
RUNNABLE = 439

pytestmark = pytest.mark.conformance


def _load_ports() -> Any:
    spec = importlib.util.spec_from_file_location("handlebars_ports", SUITE / "ports.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _cases() -> list[dict[str, Any]]:
    if not (SUITE / "cases.json").exists():
        return []
    return [case for case in json.loads((SUITE / "cases.json").read_text("utf-8")) if not case.get("skip")]


CASES = _cases()
PORTS = _load_ports() if CASES else None


def _to_port(value: Any) -> Any:
    return PORTS.UNDEF if value is UNDEFINED else value


def _from_port(value: Any) -> Any:
    return UNDEFINED if value is PORTS.UNDEF else value


def _function(name: str) -> Function:
    port = PORTS.P[name]

    def function(this: Any, operands: list[Any], call: Any) -> Any:
        call.hash = {key: _to_port(value) for key, value in call.hash.items()}
        return _from_port(port(_to_port(this), [_to_port(operand) for operand in operands], _PortCall(call)))

    return Function(function)


class _PortCall:
    """Turns the ports' undefined into the engine's on the way back in."""

    def __init__(self, call: Any) -> None:
        self._call = call

    def __getattr__(self, name: str) -> Any:
        return getattr(self._call, name)

    def fn(self, *arguments: Any, **keywords: Any) -> str:
        return self._call.fn(*map(_from_port, arguments), **keywords)

    def inverse(self, *arguments: Any, **keywords: Any) -> str:
        return self._call.inverse(*map(_from_port, arguments), **keywords)

    def is_undef(self, value: Any) -> bool:
        return value is None or value is PORTS.UNDEF or value is UNDEFINED


def _data(value: Any) -> Any:
    """Case data: `$fn` names a port, `$sparse` is an array with holes."""
    if isinstance(value, list):
        return [_data(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$fn" in value:
        return _function(value["$fn"])
    if "$sparse" in value:
        items = {int(key): _data(item) for key, item in value["$sparse"].items()}
        return [items.get(index, HOLE) for index in range(max(items) + 1)]
    return {key: _data(item) for key, item in value.items()}


def _options(compile_options: dict[str, Any]) -> Options:
    flags = {
        "strict": "strict",
        "compat": "compat",
        "assumeObjects": "assume_objects",
        "knownHelpersOnly": "known_helpers_only",
        "ignoreStandalone": "ignore_standalone",
        "explicitPartialContext": "explicit_partial_context",
        "preventIndent": "prevent_indent",
    }
    known = frozenset(compile_options.get("knownHelpers", {}))
    chosen = {flags[key]: value for key, value in compile_options.items() if key in flags}
    return Options(escape=True, known_helpers=known, **chosen)


def _render(case: dict[str, Any]) -> str:
    helpers = {name: _function(port) for name, port in case.get("helpers", {}).items()}
    partials = case.get("partials") or {}
    sources = {name: text for name, text in partials.items() if isinstance(text, str)}
    functions = {name: FunctionPartial(PORTS.P[text["$fn"]]) for name, text in partials.items() if name not in sources}
    # A function partial takes the place of an empty one after compiling.
    sources |= dict.fromkeys(functions, "")
    unit_class = type("HostUnit", (Unit,), {"compiler": type("CaseCompiler", (HostCompiler,), {"host": helpers})})
    unit = unit_class(case["template"], case["id"], sources, LANGUAGE_HELPERS, _options(case.get("compile", {})))
    program, named, _ = unit.compile()
    context = _data(case["data"])
    data = _runtime_data(case, context)
    texts: list[str] = []
    frame = Frame(context, (context, None), data, None, {**named, **functions}, Run(texts, Place("", "", 0)))
    program.run(frame, texts.append)
    return "".join(texts)


def _runtime_data(case: dict[str, Any], context: Any) -> Data | None:
    given = case.get("runtime", {}).get("data", {})
    if given is False or (case.get("compile", {}).get("data") is False and not given):
        return None
    data = Data(_data(given))
    data.setdefault("root", context)
    return data


NO_SUITE = "the public suite is not here: ../shared/data/handlebars"


@pytest.mark.skipif(not CASES, reason=NO_SUITE)
def test_the_suite_is_whole() -> None:
    assert len(CASES) == RUNNABLE


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    PORTS.STATE.clear()
    if "throws" in case:
        with pytest.raises(TemplateError):
            _render(case)
    else:
        assert _render(case) == case["expected"]
