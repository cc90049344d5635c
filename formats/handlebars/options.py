"""How a template is compiled."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """The choices of a caller. Those from `compat` on are for the public suite alone; nobody else sets them."""

    escape: bool = False
    strict: bool = False
    variables: frozenset[str] | None = None
    unknown_variables_are_errors: bool = True

    compat: bool = False
    assume_objects: bool = False
    known_helpers_only: bool = False
    known_helpers: frozenset[str] = frozenset()
    ignore_standalone: bool = False
    explicit_partial_context: bool = False
    prevent_indent: bool = False
