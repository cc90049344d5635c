"""What every step of the writing knows: the format, its templates in Jinja, and what could not be said."""

from __future__ import annotations

import re

from formats.handlebars import TemplateError
from formats.interchange.jinja_out.handlebars import Scope, to_jinja
from formats.interchange.jinja_out.source import CannotSay, put
from formats.interchange.reading import Loss
from formats.prompt import InstructFormat

ROLES = ("system", "user", "assistant", "tool")


class Writing:
    """One format on its way to Jinja."""

    def __init__(self, fmt: InstructFormat) -> None:
        self.format = fmt
        self.compiled = fmt.compiled
        self.losses: list[Loss] = []
        self.macros: dict[str, None] = {}
        self.variants = [path for path in self.compiled.frames if path.startswith("variants.")]
        turns = [path for path in (*ROLES, *self.variants, "tools.userWith") if path in self.compiled.frames]
        self.asked = frozenset().union(*(self.compiled.frames[path].template.roots for path in turns))
        self.named = fmt.names != "none" and "name" in self.asked
        self.thinks = fmt.reasoning is not None and self.compiled.places_reasoning
        self.calls = bool(self.asked & {"toolCalls", "answered"})

    def uses(self, path: str, *names: str) -> bool:
        """Return whether the template at `path` asks for one of `names`."""
        return any(self.compiled.frame(path).uses(name) for name in names)

    def template(self, path: str, scope: Scope) -> str:
        """Return Jinja that prints the template at `path`; where it can not be said, its content alone, and a loss."""
        try:
            body, macros = to_jinja(self.compiled.frame(path).template.source, scope, re.sub(r"\W", "_", path))
        except (CannotSay, TemplateError) as error:
            self.losses.append(Loss(path, f"has no counterpart in Jinja: {error}"))
            return ""
        self.macros.update(dict.fromkeys(macros))
        return body

    def turn(self, role: str, content: str, *, given: str = "true", name: str = "''", more: str = "") -> str:
        """Return a turn as a Jinja object, with the fields that templates ask for."""
        fields = f"'role': {role}, 'content': {content}"
        if self.named:
            fields += f", 'name': {name}"
        if self.calls:
            fields += ", 'calls': []" if "'calls'" not in more else ""
        if self.thinks:
            fields += ", 'reasoning': ''" if "'reasoning'" not in more else ""
        return "{" + fields + more + (f", 'given': {given}" if "given" in self.asked else "") + "}"


def push(turn: str) -> str:
    """Return what adds a turn to the list."""
    return put("ns.turns", f"ns.turns + [{turn}]")
