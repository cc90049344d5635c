"""The compiler with what only the public suite needs: helpers of the host, functions in data, missing hooks.

None of it exists in the product: there, data are never called and helpers are the documented ones.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from formats.handlebars.branches import section_op
from formats.handlebars.errors import TemplateError
from formats.handlebars.expressions import as_path
from formats.handlebars.helpers import DEFAULT_HELPERS, HelperSet
from formats.handlebars.partials import PartialCompiler
from formats.handlebars.runtime import NULL_CONTEXT, CompiledProgram, Data
from formats.handlebars.tree import Block, Call
from formats.handlebars.values import UNDEFINED, SafeText, lookup, lookup_computed, text_of

LANGUAGE_HELPERS = HelperSet(
    MappingProxyType({name: DEFAULT_HELPERS.helpers[name] for name in ("if", "unless", "each", "with", "lookup")})
)
KNOWN = frozenset({"helperMissing", "blockHelperMissing", "each", "if", "unless", "with", "log", "lookup"})
HOLE = object()


class Function:
    """A function in data or among the helpers: called with (this, operands, call options)."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function


class FunctionPartial:
    """A partial that is a function of its context."""

    weight = 1

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def run(self, frame, context, data, partials, write) -> None:
        write(text_of(self.function(context, [context], HostCall(frame, None, None, {}, "partial"))))


class HostCall:
    """What a host's function gets besides its operands."""

    is_undef = staticmethod(lambda value: value is UNDEFINED or value is None)
    safe = staticmethod(SafeText)
    lookup = staticmethod(lookup_computed)

    def __init__(self, frame, main, inverse, keywords, name) -> None:
        self.frame_, self.main, self.inverse_ = frame, main, inverse
        self.hash, self.name, self.data = keywords, name, frame.data

    @property
    def nbp(self) -> int:
        return len(self.main.params) if self.main else 0

    def fn(self, context=UNDEFINED, data=None, bp=None) -> str:
        return self._render(self.main, context, data, bp)

    def inverse(self, context=UNDEFINED, data=None, bp=None) -> str:
        return self._render(self.inverse_, context, data, bp)

    def frame(self, data) -> Data:
        return Data(data, data if isinstance(data, Data) else None)

    def _render(self, program, context, data, bp) -> str:
        if program is None:
            return ""
        if data is not None and not isinstance(data, Data):
            data = Data(data)
        texts: list[str] = []
        program.run(program.enter(self.frame_, context, data, bp), texts.append)
        return SafeText("".join(texts))


class HostCompiler(PartialCompiler):
    """Compiles with the host's helpers before the language's."""

    host: dict[str, Function] = {}

    # -- names

    def helper_of(self, call: Call, scope):
        return None if self.host_helper(call, scope) else super().helper_of(call, scope)

    def host_helper(self, call: Call, scope) -> Function | None:
        path = as_path(call.callee)
        name = path.simple_name
        return None if name is None or path.is_data or scope.param(path) is not None else self.host.get(name)

    def is_known(self, name: str | None) -> bool:
        return not self.options.known_helpers_only or name in KNOWN or name in self.options.known_helpers

    def path_base(self, path):
        if self.options.compat and not (path.is_data or path.depth or path.is_scoped) and path.parts:
            return compat_getter(path.parts[0]), path.parts[1:]
        return super().path_base(path)

    # -- calls

    def call(self, call: Call, scope):
        return self.host_call(call, scope, None, None)

    def host_call(self, call: Call, scope, main, inverse, *, is_sub=True):
        """A helper of the host, one of the language, or a function that may be in data."""
        path = as_path(call.callee)
        if not self.is_known(path.simple_name):
            self.fail(f"You specified knownHelpersOnly, but used the unknown helper {path.original}", call.start)
        function = self.host_helper(call, scope)
        if function is None and self.helper_of(call, scope) is not None:
            return super().call(call, scope)
        invoke = self.invoker(call, scope, main, inverse)
        if function is not None:
            return lambda frame: invoke(function, frame, none_as_empty=True)
        get = self.path(path, scope, is_final=True)
        missing = self.host.get("helperMissing")
        place = self.place(call.start)

        def run(frame):
            value = get(frame)
            if isinstance(value, Function):
                return invoke(value, frame)
            if value is not UNDEFINED and value is not None:
                raise TemplateError(f"{path.original} is not a function", place)
            if self.options.strict:
                raise TemplateError(f'"{path.original}" not defined', place)
            if missing is not None:
                return invoke(missing, frame)
            if not call.operands:
                return UNDEFINED
            raise TemplateError(f'Missing helper: "{path.original}"', place)

        return run

    def invoker(self, call: Call, scope, main, inverse):
        self.uses_data = True
        getters = [self.expression(operand, scope) for operand in call.operands]
        keywords = self.keywords(call.keywords, scope)
        name = call.callee.original

        def invoke(function, frame, *, none_as_empty=False):
            this = frame.context
            if none_as_empty and (this is None or this is UNDEFINED):
                this = NULL_CONTEXT
            options = HostCall(frame, main, inverse, keywords(frame) if keywords else {}, name)
            return function.function(this, [getter(frame) for getter in getters], options)

        return invoke

    def value(self, call: Call, scope, main=None, inverse=None):
        """Value of a mustache or section, and whether a section still has to treat it as a value."""
        path = as_path(call.callee)
        if call.operands or call.keywords or (self.host_helper(call, scope) and self.is_known(path.simple_name)):
            is_ambiguous = not (call.operands or call.keywords)
            return self.host_call(call, scope, main, inverse), is_ambiguous
        if self.helper_of(call, scope) is not None:
            return super().call(call, scope), False
        get = self.path(path, scope, is_final=True)
        invoke = self.invoker(call, scope, main, inverse)
        missing = self.host.get("helperMissing") if path.simple_name and scope.param(path) is None else None

        def run(frame):
            value = get(frame)
            if isinstance(value, Function):
                return invoke(value, frame)
            if missing is not None and (value is None or value is UNDEFINED):
                return invoke(missing, frame)
            return value

        return run, True

    def printed_value(self, mustache, scope):
        return self.value(mustache.call, scope)[0], None

    # -- blocks

    def program(self, program, scope, origins=()) -> CompiledProgram:
        compiled = super().program(program, scope, origins)
        run = compiled.run

        def run_unless_hole(frame, write) -> None:
            if frame.context is not HOLE:
                run(frame, write)

        compiled.run = run_unless_hole
        return compiled

    def block_operand(self, block, scope):
        get = super().block_operand(block, scope)
        invoke = self.invoker(block.call, scope, None, None)

        def run(frame):
            value = get(frame)
            return invoke(value, frame) if isinstance(value, Function) else value

        return run

    def section(self, block: Block, scope):
        call = block.call
        main, inverse = self.branches(block, scope, scope.inside(scope.path_origin(as_path(call.callee))))
        get, is_ambiguous = self.value(call, scope, main, inverse)
        hook = self.host.get("blockHelperMissing")
        name = call.callee.original
        is_host = self.host_helper(call, scope) is not None
        place = self.place(block.start)

        def run(frame, write) -> None:
            value = get(frame)
            if is_host or not is_ambiguous:
                write(text_of(value))
            elif hook is not None:
                write(text_of(hook.function(frame.context, [value], HostCall(frame, main, inverse, {}, name))))
            else:
                section_op(lambda _: value, main, inverse, place)(frame, write)

        return run


def compat_getter(name: str):
    """The nearest context that has the key."""

    def get(frame):
        chain = frame.scopes
        while chain is not None:
            value = lookup(chain[0], name) if chain[0] is not None else UNDEFINED
            if value is not UNDEFINED and value is not None:
                return value
            chain = chain[1]
        return UNDEFINED

    return get
