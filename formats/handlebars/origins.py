"""Where a value comes from, told from the template alone: the root variable that a piece of output belongs to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from formats.handlebars.tree import Path


class Kind(Enum):
    """What an origin is."""

    TEMPLATE = 1  # written in the template, or made by the engine
    ROOT = 2  # the whole of what the template was given
    VARIABLE = 3  # a root variable, or something inside it
    ENTRY = 4  # a partial's context, known only while it renders; with a name, that member of it


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a value."""

    kind: Kind
    name: str | None = None

    def member(self, keys: tuple[str, ...]) -> Origin:
        """The origin of what `keys` lead to from here."""
        if not keys or self.kind in {Kind.TEMPLATE, Kind.VARIABLE} or self.name is not None:
            return self
        return Origin(Kind.VARIABLE if self.kind is Kind.ROOT else Kind.ENTRY, keys[0])


TEMPLATE: Final = Origin(Kind.TEMPLATE)
ROOT: Final = Origin(Kind.ROOT)
ENTRY: Final = Origin(Kind.ENTRY)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a running partial was given: the origin of its context, and those of its keyword arguments."""

    context: Origin = ROOT
    keywords: tuple[tuple[str, Origin], ...] = ()

    def resolve(self, origin: Origin) -> Origin:
        """An origin that needs no entry any more."""
        if origin.kind is not Kind.ENTRY:
            return origin
        for name, given in self.keywords:
            if name == origin.name:
                return given
        return self.context if origin.name is None else self.context.member((origin.name,))


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean at one place of a template, innermost first."""

    contexts: tuple[Origin, ...] = (ROOT,)
    params: tuple[tuple[str, ...], ...] = ()
    param_origins: tuple[tuple[Origin, ...], ...] = ()
    keys: Origin = TEMPLATE  # of `@key` and of a second block parameter
    is_uncertain: bool = False  # inside a section, whose context stays the same where its value is `true`

    def inside(self, context: Origin | None) -> Scope:
        """The scope of a block that makes `context` the current one; None leaves it."""
        return self if context is None else replace(self, contexts=(context, *self.contexts))

    def with_params(self, names: tuple[str, ...], origins: tuple[Origin, ...]) -> Scope:
        """The scope of a program that declares block parameters."""
        if not names:
            return self
        return replace(self, params=(names, *self.params), param_origins=(origins, *self.param_origins))

    def param(self, path: Path) -> tuple[int, int] | None:
        """Level and index of the block parameter that a path begins with."""
        if path.is_data or path.is_scoped or path.depth or not path.parts:
            return None
        for level, names in enumerate(self.params):
            if path.parts[0] in names:
                return level, names.index(path.parts[0])
        return None

    def path_origin(self, path: Path) -> Origin:
        """Where the value of a path comes from."""
        found = self.param(path)
        if found is not None:
            origins = self.param_origins[found[0]]
            return (origins[found[1]] if found[1] < len(origins) else TEMPLATE).member(path.parts[1:])
        if path.is_data:
            return self._data_origin(path.parts)
        return self.contexts[path.depth].member(path.parts) if path.depth < len(self.contexts) else TEMPLATE

    def _data_origin(self, parts: tuple[str, ...]) -> Origin:
        if parts[:1] == ("root",):
            return ROOT.member(parts[1:])
        return self.keys if parts[:1] == ("key",) else TEMPLATE
