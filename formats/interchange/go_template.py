"""The part of Go's text/template that Ollama's templates are written in: enough to try one on a conversation.

Blocks `if`, `range`, `with`, `continue`, `break`, variables, and the functions eq ne lt gt le ge and or not len index
slice json. What is not known here is GoError, with its line; so is a template that takes too many steps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

MAX_STEPS: Final = 20_000
_TAG: Final = re.compile(
    r'\{\{(?P<left>- )?(?P<body>(?:"(?:[^"\\]|\\.)*"|`[^`]*`|[^"`])*?)(?P<right> -)?\}\}', re.DOTALL
)
_TOKEN: Final = re.compile(
    r'\s*("(?:[^"\\]|\\.)*"|`[^`]*`|-?\d+(?:\.\d+)?|\$?\.?[A-Za-z_][\w.]*|\$[\w.]*|\.|:=|=|,|\(|\)|\|)'
)


class GoError(ValueError):
    """A template that is not read here, and the line of it."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message, self.line = message, line


class _Node:
    """A text, an action, or a block with its branches."""

    __slots__ = ("body", "kind", "line", "otherwise", "tokens")

    def __init__(self, kind: str, tokens: Sequence[str], line: int) -> None:
        self.kind, self.tokens, self.line = kind, list(tokens), line
        self.body: list[_Node] = []
        self.otherwise: list[_Node] = []


class GoTemplate:
    """A parsed template. Raises GoError."""

    def __init__(self, source: str) -> None:
        self._pieces = _pieces(source)
        self._at = 0
        self._root = self._block({"": None}, 1)[0]

    def render(self, values: Mapping[str, Any]) -> str:
        """Return the text for a context of fields. Raises GoError."""
        return _Run(values).nodes(self._root, values)

    def _block(self, ends: Mapping[str, Any], line: int) -> tuple[list[_Node], str, list[str]]:
        nodes: list[_Node] = []
        while self._at < len(self._pieces):
            kind, text, line = self._pieces[self._at]
            self._at += 1
            if kind == "text":
                nodes.append(_Node("text", [text], line))
                continue
            tokens = _tokens(text, line)
            word = tokens[0] if tokens else ""
            if word in ("end", "else") and word in ends:
                return nodes, word, tokens[1:]
            if word in ("if", "range", "with"):
                nodes.append(self._opened(word, tokens, line))
            else:
                nodes.append(_Node(word if tokens in (["continue"], ["break"]) else "print", tokens, line))
        if "" in ends:
            return nodes, "", []
        raise GoError("a block is not closed", line)

    def _opened(self, word: str, tokens: list[str], line: int) -> _Node:
        node = _Node(word, tokens[1:], line)
        node.body, end, rest = self._block({"end": None, "else": None}, line)
        if end == "else":
            if rest[:1] == ["if"]:
                node.otherwise = [self._opened("if", rest, line)]
            else:
                node.otherwise, end, _ = self._block({"end": None}, line)
        return node


def _pieces(source: str) -> list[tuple[str, str, int]]:
    """Texts and actions, white space beside `{{-` and `-}}` taken off."""
    pieces: list[tuple[str, str, int]] = []
    at, strip = 0, False
    for match in _TAG.finditer(source):
        text = source[at : match.start()]
        text = text.lstrip() if strip else text
        line = source.count("\n", 0, match.start()) + 1
        if match["left"]:
            text = text.rstrip()
        if text:
            pieces.append(("text", text, line))
        body = match["body"].strip()
        if not (body.startswith("/*") and body.endswith("*/")):
            pieces.append(("action", body, line))
        at, strip = match.end(), bool(match["right"])
    rest = source[at:].lstrip() if strip else source[at:]
    return [*pieces, ("text", rest, source.count("\n") + 1)] if rest else pieces


def _tokens(body: str, line: int) -> list[str]:
    tokens, at = [], 0
    while at < len(body.rstrip()):
        match = _TOKEN.match(body, at)
        if match is None:
            raise GoError(f"{body[at : at + 20]!r} is not read here", line)
        tokens.append(match[1])
        at = match.end()
    return tokens


class _Leaves(Exception):
    """`continue` or `break`, with what the round had printed."""

    def __init__(self, is_break: bool) -> None:
        super().__init__()
        self.is_break, self.text = is_break, ""


class _Run:
    def __init__(self, values: Mapping[str, Any]) -> None:
        self._root = values
        self._variables: dict[str, Any] = {}
        self._steps = 0

    def nodes(self, nodes: list[_Node], here: Any) -> str:
        out = ""
        for node in nodes:
            try:
                out += self._node(node, here)
            except _Leaves as leaving:
                leaving.text = out + leaving.text
                raise
        return out

    def _node(self, node: _Node, here: Any) -> str:
        self._steps += 1
        if node.kind in ("continue", "break"):
            raise _Leaves(node.kind == "break")
        if self._steps > MAX_STEPS:
            raise GoError("takes too many steps", node.line)
        if node.kind == "text":
            return node.tokens[0]
        if node.kind == "range":
            return self._range(node, here)
        names, tokens = _assigned(node.tokens)
        value = _Reader(self, tokens, here, node.line).all()
        for name in names:
            self._variables[name] = value
        if node.kind == "print":
            return "" if names else _text(value)
        inner = value if node.kind == "with" else here
        return self.nodes(node.body, inner) if _true(value) else self.nodes(node.otherwise, here)

    def _range(self, node: _Node, here: Any) -> str:
        names, tokens = _assigned(node.tokens)
        items = _Reader(self, tokens, here, node.line).all() or []
        pairs = list(items.items()) if isinstance(items, Mapping) else list(enumerate(items))
        out = ""
        for key, item in pairs:
            for name, value in zip(names[::-1], (item, key), strict=False):
                self._variables[name] = value
            try:
                out += self.nodes(node.body, item)
            except _Leaves as leaving:
                out += leaving.text
                if leaving.is_break:
                    break
        return out if pairs else self.nodes(node.otherwise, here)

    def lookup(self, path: str, here: Any, line: int) -> Any:
        """The value of `.A.B`, `$`, `$.A` or `$name.A`."""
        head, _, rest = path.partition(".")
        value = here if head == "" else self._root if head == "$" else self._variables.get(head)
        for name in rest.split(".") if rest else ():
            value = value.get(name) if isinstance(value, Mapping) else None
        return value


def _assigned(tokens: list[str]) -> tuple[list[str], list[str]]:
    """Names on the left of `:=` or `=`, and the rest."""
    for sign in (":=", "="):
        if sign in tokens:
            at = tokens.index(sign)
            return [word for word in tokens[:at] if word != ","], tokens[at + 1 :]
    return [], tokens


class _Reader:
    """Evaluates one pipeline."""

    def __init__(self, run: _Run, tokens: list[str], here: Any, line: int) -> None:
        self._run, self._tokens, self._here, self._line = run, tokens, here, line
        self._at = 0

    def all(self) -> Any:
        value = self._call()
        while self._peek() == "|":
            self._at += 1
            value = self._call([value])
        if self._peek() is not None:
            raise GoError(f"{self._peek()!r} is not read here", self._line)
        return value

    def _peek(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _call(self, last: Sequence[Any] = ()) -> Any:
        token = self._peek()
        if token is None:
            raise GoError("an empty action", self._line)
        if token in _FUNCTIONS:
            self._at += 1
            operands = []
            while self._peek() not in (None, ")", "|"):
                operands.append(self._operand())
            try:
                return _FUNCTIONS[token](*operands, *last)
            except (TypeError, ValueError, IndexError, KeyError) as error:
                raise GoError(f"{token}: {error}", self._line) from None
        return self._operand()

    def _operand(self) -> Any:
        word = self._tokens[self._at]
        self._at += 1
        if word == "(":
            value = self._call()
            if self._peek() != ")":
                raise GoError("a bracket is not closed", self._line)
            self._at += 1
            return value
        if word[0] in '"`':
            return json.loads(word, strict=False) if word[0] == '"' else word[1:-1]
        if word in ("true", "false"):
            return word == "true"
        if re.fullmatch(r"-?\d+(?:\.\d+)?", word):
            return float(word) if "." in word else int(word)
        if word[0] in ".$":
            return self._run.lookup(word, self._here, self._line)
        raise GoError(f"{word!r} is not known here", self._line)


def _true(value: Any) -> bool:
    return bool(value)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else _compact(value)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _and(*values: Any) -> Any:
    return next((value for value in values if not _true(value)), values[-1])


def _or(*values: Any) -> Any:
    return next((value for value in values if _true(value)), values[-1])


def _slice(value: Any, *bounds: int) -> Any:
    return value[slice(*bounds)] if len(bounds) > 1 else value[bounds[0] if bounds else 0 :]


_FUNCTIONS: Final[Mapping[str, Any]] = {
    "eq": lambda first, *others: any((first or "") == (other or "") for other in others),
    "ne": lambda first, second: (first or "") != (second or ""),
    "lt": lambda first, second: first < second,
    "gt": lambda first, second: first > second,
    "le": lambda first, second: first <= second,
    "ge": lambda first, second: first >= second,
    "and": _and,
    "or": _or,
    "not": lambda value: not _true(value),
    "len": lambda value: len(value or ()),
    "index": lambda value, *keys: value[keys[0]],
    "slice": _slice,
    "json": _compact,
    "currentDate": lambda: "",
    "print": lambda *values: "".join(_text(value) for value in values),
}
