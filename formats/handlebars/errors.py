"""Errors of the template engine: every one says where it is and, where it can, what was expected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import pybars

EXCERPT_WIDTH = 80


class Place(NamedTuple):
    """A position in a named template source; turned into line and column only when an error is raised."""

    source: str
    name: str
    offset: int

    def line_and_column(self) -> tuple[int, int]:
        """Line and column of the offset, both from 1."""
        line_start = self.source.rfind("\n", 0, self.offset) + 1
        return self.source.count("\n", 0, self.offset) + 1, self.offset - line_start + 1

    def excerpt(self) -> str:
        """The line of the offset, cut to a window around it, with a caret below the place."""
        start = self.source.rfind("\n", 0, self.offset) + 1
        end = self.source.find("\n", self.offset)
        end = len(self.source) if end < 0 else end
        left = max(start, self.offset - EXCERPT_WIDTH // 2)
        shown = self.source[left : min(end, left + EXCERPT_WIDTH)].rstrip("\r")
        padding = "".join("\t" if char == "\t" else " " for char in self.source[left : self.offset])
        return f"{shown}\n{padding}^"


class TemplateError(pybars.PybarsError):  # type: ignore[misc]  # pybars is untyped
    """A template can not be compiled or rendered."""

    def __init__(self, message: str, place: Place) -> None:
        self.message = message
        self.name = place.name
        self.line, self.column = place.line_and_column()
        self.excerpt = place.excerpt()
        super().__init__(message)

    def __str__(self) -> str:
        return f"{self.name}: line {self.line}, column {self.column}: {self.message}\n{self.excerpt}"


class TemplateSyntaxError(TemplateError):
    """The source is not a template, or asks for something a template may not do."""


class TemplateLimitError(TemplateError):
    """The source or its output is larger, deeper or slower than a template may be."""


@dataclass(frozen=True, slots=True)
class TemplateWarning:
    """Something that is probably a mistake, but does not stop the template from rendering."""

    message: str
    line: int
    column: int
    name_hint: str | None
