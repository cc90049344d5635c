"""Finds `{{if c}}…{{/if}}` and the like among the parts of one level. Each part moves once, so it takes linear time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from chats.macros.limits import MAX_NESTING
from chats.macros.tree import Block, Node, Part, TooDeep, height

SCOPED = {
    "if": 1,
    "setvar": 1,
    "setglobalvar": 1,
    "addvar": 1,
    "addglobalvar": 1,
    "reverse": 0,
    "comment": 0,
    "//": 0,
}
"""Macros whose last argument may stand between tags, with how many stand before it. More arguments: no block."""


@dataclass(slots=True)
class Open:
    """An opener that waits for its closer, with what followed so far."""

    node: Node
    name: str
    children: list[Part] = field(default_factory=list)


def grouped(parts: list[Part]) -> list[Part]:
    """Return the parts with every opener that has a closer as a `Block`; all others stay what they were."""
    if not any(isinstance(part, Node) and part.name[:1] == "/" for part in parts):
        return parts
    return _Grouping().run(parts)


class _Grouping:
    def __init__(self) -> None:
        self._stack: list[Open] = []
        self._out: list[Part] = []
        self._open: Counter[str] = Counter()

    def run(self, parts: list[Part]) -> list[Part]:
        for part in parts:
            self._take(part)
        for waiting in self._stack:
            self._out.append(waiting.node)
            self._out.extend(waiting.children)
        return self._out

    def _take(self, part: Part) -> None:
        name = part.name if isinstance(part, Node) else ""
        if isinstance(part, Node) and _opens(part):
            self._stack.append(Open(part, name.lstrip("#")))
            self._open[name.lstrip("#")] += 1
        elif isinstance(part, Node) and name[:1] == "/" and self._open[name[1:]]:
            block = self._closed(part, name[1:])
            self._top().append(block)
        else:
            self._top().append(part)

    def _top(self) -> list[Part]:
        return self._stack[-1].children if self._stack else self._out

    def _closed(self, closer: Node, name: str) -> Block | TooDeep:
        """Pop the nearest opener of that name; what was opened after it and never closed is part of its body."""
        place = len(self._stack) - 1
        while self._stack[place].name != name:
            place -= 1
        found, *others = self._stack[place:]
        del self._stack[place:]
        self._open.subtract([name, *(other.name for other in others)])
        body = found.children
        for other in others:
            body.append(other.node)
            body.extend(other.children)
        tall = max(found.node.height, height(body) + 1)
        if tall > MAX_NESTING:
            return TooDeep(found.node.start, closer.end, tall)
        return Block(found.node, body, closer, tall)


def _opens(node: Node) -> bool:
    """`{{#name}}` belongs to template languages: it is no macro, but its `{{/name}}` must not close one of ours."""
    if node.name[:1] == "#":
        return True
    arguments = node.separators + 1 if node.has_arguments else 0
    return SCOPED.get(node.name) == arguments
