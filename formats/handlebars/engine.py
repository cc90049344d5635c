"""Compiled templates: what `compile_template` returns, and pybars3's calling convention over it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pybars

from formats.handlebars.blocks import BlockCompiler
from formats.handlebars.errors import Place, TemplateLimitError, TemplateWarning
from formats.handlebars.expressions import Findings
from formats.handlebars.folding import Render, Var, can_amplify, fold, folded_render
from formats.handlebars.helpers import DEFAULT_HELPERS, HelperSet
from formats.handlebars.inlines import inline_names
from formats.handlebars.options import Options
from formats.handlebars.origins import ENTRY, Scope
from formats.handlebars.parser import ParseBudget, parse
from formats.handlebars.partials import NamedPartial, PartialCompiler
from formats.handlebars.regions import Piece, Region, Tracer
from formats.handlebars.runtime import CompiledProgram, Data, Frame, Run, Write
from formats.handlebars.tree import Program
from formats.handlebars.values import Value


@dataclass(frozen=True, slots=True)
class Source:
    """A source with its tree."""

    text: str
    name: str
    tree: Program


class Unit:
    """A template and its named partials, parsed; compiled to closures once for plain and once for traced renders."""

    compiler: type[PartialCompiler] = PartialCompiler

    def __init__(
        self, source: str, name: str, partials: Mapping[str, str], helpers: HelperSet, options: Options
    ) -> None:
        budget = ParseBudget()
        keeps_lines = options.ignore_standalone
        self.main = Source(source, name, parse(source, name, budget, keep_standalone=keeps_lines))
        self.partials = {
            key: Source(text, key, parse(text, key, budget, keep_standalone=keeps_lines))
            for key, text in partials.items()
        }
        self.helpers, self.options = helpers, options
        self.inline_names = inline_names([self.main.tree, *[partial.tree for partial in self.partials.values()]])

    def compile(self, *, traced: bool = False) -> tuple[CompiledProgram, dict[str, NamedPartial], Findings]:
        """The template's program, its named partials, and what was found out about them."""
        findings = Findings()
        named = {key: NamedPartial() for key in self.partials}
        for key, partial in named.items():
            compiler = self._compiler(self.partials[key], named, findings, traced)
            partial.program = compiler.program(self.partials[key].tree, Scope((ENTRY,)))
            partial.weight, partial.keeps_scopes = partial.program.weight, self.options.compat
        program = self._compiler(self.main, named, findings, traced).program(self.main.tree, Scope())
        return program, named, findings

    def _compiler(
        self, source: Source, named: dict[str, NamedPartial], findings: Findings, traced: bool
    ) -> BlockCompiler:
        compiler = self.compiler(source.text, source.name, self.helpers, self.options, findings)
        compiler.named, compiler.inline_names, compiler.traced = named, self.inline_names, traced
        return compiler


class Template:
    """A compiled template: immutable, and safe to share between threads."""

    __slots__ = (
        "_can_amplify",
        "_lock",
        "_named",
        "_place",
        "_program",
        "_traced",
        "_unit",
        "folded",
        "render",
        "roots",
        "warnings",
    )

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._place = Place(unit.main.text, unit.main.name, 0)
        self._lock = threading.Lock()
        self._traced: tuple[CompiledProgram, dict[str, NamedPartial]] | None = None
        try:
            self._program, self._named, findings = unit.compile()
        except RecursionError:
            raise TemplateLimitError("the template is nested too deeply", self._place) from None
        self.roots: frozenset[str] = frozenset(findings.roots)
        self.warnings: tuple[TemplateWarning, ...] = tuple(findings.warnings)
        self.folded: tuple[str | Var, ...] | None = fold(unit.main.tree, unit.helpers, unit.options)
        self._can_amplify = can_amplify(self.folded)
        # The text for a context of JSON values. An attribute, not a method: calling it costs nothing more.
        self.render: Render = self._render if self.folded is None else folded_render(self.folded, self._render)

    @property
    def name(self) -> str:
        """The name errors give it."""
        return self._unit.main.name

    @property
    def source(self) -> str:
        """The source it was compiled from."""
        return self._unit.main.text

    def _render(self, context: Value) -> str:
        texts: list[str] = []
        self._run(self._program, self._named, context, Run(texts, self._place), texts.append)
        return "".join(texts)

    def pieces(self, context: Value) -> list[Piece]:
        """The texts of `render` in order, each with the root variable it came from."""
        return self._trace(context).pieces()

    def regions(self, context: Value) -> list[Region]:
        """The output as a flat list of regions: one for each role block, one of kind None for what is between."""
        return self._trace(context).finished_regions()

    def _trace(self, context: Value) -> Tracer:
        tracer = Tracer()
        program, named = self._traced_program()
        self._run(program, named, context, Run(tracer.texts, self._place, tracer), tracer.write)
        return tracer

    def _traced_program(self) -> tuple[CompiledProgram, dict[str, NamedPartial]]:
        if self._traced is None:
            with self._lock:
                if self._traced is None:
                    program, named, _ = self._unit.compile(traced=True)
                    self._traced = program, named
        return self._traced

    def _run(
        self, program: CompiledProgram, named: dict[str, NamedPartial], context: Value, run: Run, write: Write
    ) -> None:
        frame = Frame(context, (context, None), Data({"root": context}), None, named, run)  # type: ignore[arg-type]
        try:
            program.run(frame, write)
            if self._can_amplify:
                run.check_output()
        except RecursionError:
            raise TemplateLimitError("the template is nested too deeply to render", run.place) from None


class Compiler(pybars.Compiler):  # type: ignore[misc]  # pybars is untyped
    """pybars3's interface over this engine: `Compiler().compile(source)(context)`.

    pybars3's own compiler, which turns templates into Python source and executes it, never runs.
    """

    def __init__(self, helpers: HelperSet = DEFAULT_HELPERS, options: Options | None = None) -> None:
        self.helpers, self.options = helpers, options or Options()

    def compile(self, source: str, path: str | None = None) -> Callable[..., str]:
        """A function of a context, and optionally of `partials`, that renders `source`."""
        unit = Unit(source, path or "template", {}, self.helpers, self.options)
        return Template(unit).render

    def template(self, source: str, name: str, partials: Mapping[str, str]) -> Template:
        """The compiled template."""
        return Template(Unit(source, name, partials, self.helpers, self.options))

    def precompile(self, *arguments: Any, **keywords: Any) -> Any:
        """Refused: no source is ever generated from a template."""
        raise NotImplementedError("templates are not compiled to source")

    _generate_code = clean_whitespace = precompile
