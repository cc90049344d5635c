"""Expansion: one walk over the tree, from the inside out. What a macro gives is text and is never read again."""

from __future__ import annotations

import re
from dataclasses import dataclass

from chats.macros.call import Call, Macro, Piece, Source, cut, joined
from chats.macros.parser import Parser, node_of
from chats.macros.registry import BUILTIN, SYNTAX
from chats.macros.remarks import Remarks
from chats.macros.scope import MacroScope
from chats.macros.tree import Block, Escape, Node, Part, TooDeep
from chats.macros.trimming import Fragment, Mark, assembled, tidied
from chats.macros.truth import FALSE, TRUE, is_true
from formats.prompt.findings import Finding

NOT = re.compile(r"[!\s]*")
WORD = re.compile(r"[^\W\d][\w.-]*")
LOOKS_LIKE_A_MACRO = re.compile(r"\s*[\w/#.$]")
MARKS = {"trim": Mark.TRIM, "noop": Mark.NOOP}


@dataclass(frozen=True, slots=True)
class Expansion:
    """The text with its macros replaced, and what there is to say about them."""

    text: str
    findings: tuple[Finding, ...] = ()


def expand(text: str, scope: MacroScope, *, path: str = "") -> Expansion:
    """Return `text` expanded once. Never raises, and takes time that grows with the text and no faster.

    Unknown macros stay as typed, known ones inside them are replaced. `path` is that of the findings.
    """
    if "{" not in text and "<" not in text:
        return Expansion(text)
    parts = Parser(text).parse()
    if all(isinstance(part, str) for part in parts):
        return Expansion(text)
    expander = _Expander(text, scope, Remarks(path))
    return Expansion(expander.text(parts), expander.remarks.all())


class _Expander:
    def __init__(self, text: str, scope: MacroScope, remarks: Remarks) -> None:
        self._source = Source(text, scope)
        self._scope = scope
        self.remarks = remarks
        self._steady: dict[str, str] = {}
        self._unresolved = 0

    def text(self, parts: list[Part]) -> str:
        return assembled([self._fragment(part) for part in parts])

    def _fragment(self, part: Part) -> Fragment:
        if isinstance(part, str):
            return part
        if isinstance(part, Node):
            return self._node(part)
        if isinstance(part, Block):
            return self._block(part)
        if isinstance(part, Escape):
            return part.shown
        return self._too_deep(part)

    def _value(self, part: Part) -> str:
        fragment = self._fragment(part)
        return fragment if isinstance(fragment, str) else ""

    # one macro

    def _node(self, node: Node) -> Fragment:
        if not node.has_arguments:
            if node.name in MARKS:
                return MARKS[node.name]
            steady = self._steady.get(node.name)
            if steady is not None and self._scope.store.spend(len(steady)):
                return steady
        elif node.name == "if" and node.separators:
            return self._inline_if(node)
        macro = BUILTIN.get(node.name)
        if macro and not node.has_arguments and (value := self._called(macro, node, None)[0]) is not None:
            return value
        values = [] if macro and macro.blind else [self._value(part) for part in node.parts]
        value = self._replaced(node, values)
        return self._as_typed(node, values) if value is None else value

    def _replaced(self, node: Node, values: list[str]) -> str | None:
        """Return what stands for a macro: a built-in's value, else a custom variable's; None: as typed."""
        macro = BUILTIN.get(node.name)
        code = ""
        if macro is not None:
            value, code = self._called(macro, node, _arguments(node, values))
            if value is not None:
                return value
        if _may_be_custom(node, code) and isinstance(whole := node.parts[0], str):
            custom = self._scope.variable(whole)
            if custom is not None and self._scope.store.spend(len(custom)):
                return custom
            code = code if custom is None else "MACRO_LIMIT"
        if code or (code := _code_of_unknown(node)):
            self.remarks.add(code, self._raw(node), node.start)
        return None

    def _called(self, macro: Macro, node: Node, pieces: list[Piece] | None) -> tuple[str | None, str]:
        """Return a built-in's value, or None and the code that says why not."""
        arguments = () if pieces is None else tuple(joined(group) for group in cut(pieces, "::"))
        if not macro.takes(len(arguments)) and not macro.blind:
            return None, "MACRO_ARGUMENTS"
        value = macro.run(Call(self._source, node.start, arguments, pieces or []))
        if value is None:
            return None, "MACRO_ARGUMENTS" if arguments else "MACRO_WITHOUT_VALUE"
        if not self._scope.store.spend(len(value)):
            return None, "MACRO_LIMIT"
        if macro.steady and not arguments:
            self._steady[node.name] = value
        return value, ""

    def _as_typed(self, node: Node, values: list[str]) -> str:
        self._unresolved += 1
        typed = (
            part.raw if isinstance(part, Escape) else value for part, value in zip(node.parts, values, strict=True)
        )
        return "{{" + "".join(typed) + "}}"

    def _too_deep(self, part: TooDeep) -> str:
        self._unresolved += 1
        text = self._source.text[part.start : part.end]
        self.remarks.add("MACRO_TOO_DEEP", text, part.start)
        return text

    def _raw(self, node: Node) -> str:
        return self._source.text[node.start : node.end]

    # blocks and conditions

    def _block(self, block: Block) -> str:
        opener = block.opener
        if opener.name == "if":
            then, otherwise = _branches(block.body)
            chosen = then if self._condition(_after_name(opener)) else otherwise
            return self.text(tidied(chosen))
        macro = BUILTIN.get(opener.name)
        if macro and macro.blind:
            return ""
        values = [self._value(part) for part in opener.parts]
        if macro is None:
            self.remarks.add("UNKNOWN_MACRO", self._raw(opener), opener.start)
            body = self.text(block.body)
        else:
            body = self.text(tidied(block.body))
            before = _arguments(opener, values)
            pieces = [*before, Piece("::"), Piece(body, literal=False)] if before else [Piece(body, literal=False)]
            value, code = self._called(macro, opener, pieces)
            if value is not None:
                return value
            self.remarks.add(code, self._raw(opener), opener.start)
        return self._as_typed(opener, values) + body + self._raw(block.closer)

    def _inline_if(self, node: Node) -> str:
        """`{{if condition::text}}` and `{{if condition::text::other}}`; only the one that counts is expanded."""
        condition, then, *otherwise = _cut_parts(_after_name(node))
        if len(otherwise) > 1:
            self.remarks.add("MACRO_ARGUMENTS", self._raw(node), node.start)
            return self._as_typed(node, [self._value(part) for part in node.parts])
        if self._condition(condition):
            return self.text(then)
        return self.text(otherwise[0]) if otherwise else ""

    def _condition(self, parts: list[Part]) -> bool:
        negations = 0
        if parts and isinstance(first := parts[0], str) and (match := NOT.match(first)):
            negations = match.group().count("!")
            parts = [first[match.end() :], *parts[1:]]
        if all(isinstance(part, str) for part in parts):
            holds = self._word_holds("".join(part for part in parts if isinstance(part, str)).strip())
        else:
            before = self._unresolved
            holds = is_true(self.text(parts)) and self._unresolved == before
        return holds != bool(negations % 2)

    def _word_holds(self, word: str) -> bool:
        """Return whether a condition without braces holds: the name of a macro or variable, else text."""
        node = node_of(0, 0, [word])
        macro = BUILTIN.get(node.name)
        if macro is not None and (not node.has_arguments or node.name in {".", "$"}):
            value = self._called(macro, node, _arguments(node, [word]))[0]
            return is_true(value if value is not None else self._scope.variable(word) or "")
        custom = self._scope.variable(word)
        if custom is not None:
            return is_true(custom)
        if WORD.fullmatch(word) and word.casefold() not in TRUE | FALSE:
            self.remarks.add("MACRO_CONDITION", word, 0)
        return is_true(word)


def _may_be_custom(node: Node, code: str) -> bool:
    """Return whether a variable may stand in: its name is all there is and is no built-in's, or that has no value."""
    if node.name in SYNTAX or (code == "MACRO_ARGUMENTS" and not node.has_arguments):
        return False
    return len(node.parts) == 1


def _code_of_unknown(node: Node) -> str:
    """Return the finding's code for a name that is no built-in; none for what only happens to have two braces."""
    if node.name in SYNTAX or node.name == "///":
        return "MACRO_UNMATCHED"
    if node.name[:1] == "/" and (node.name[1:] in SYNTAX or node.name[1:] in BUILTIN):
        return "MACRO_UNMATCHED"
    first = node.parts[0] if node.parts else ""
    return "UNKNOWN_MACRO" if isinstance(first, str) and LOOKS_LIKE_A_MACRO.match(first) else ""


def _arguments(node: Node, values: list[str]) -> list[Piece] | None:
    """Return what stands behind the name; None when nothing does. After a mere space the end is trimmed."""
    if not node.has_arguments:
        return None
    if not values:
        return []
    pieces = [Piece(value, literal=isinstance(part, str)) for part, value in zip(node.parts, values, strict=True)]
    spaced = values[0][: node.rest][-1:] != ":"
    pieces[0] = Piece(values[0][node.rest :])
    if spaced and pieces[-1].literal:
        pieces[-1] = Piece(pieces[-1].text.rstrip())
    return pieces


def _after_name(node: Node) -> list[Part]:
    first = node.parts[0]
    return [first[node.rest :], *node.parts[1:]] if isinstance(first, str) else node.parts


def _cut_parts(parts: list[Part]) -> list[list[Part]]:
    """Cut at every `::` of this level, before anything is expanded."""
    groups: list[list[Part]] = [[]]
    for part in parts:
        if isinstance(part, str):
            head, *tail = part.split("::")
            groups[-1].append(head)
            groups.extend([text] for text in tail)
        else:
            groups[-1].append(part)
    return groups


def _branches(body: list[Part]) -> tuple[list[Part], list[Part]]:
    """Return what stands before and after the first `{{else}}`."""
    for place, part in enumerate(body):
        if isinstance(part, Node) and part.name == "else" and not part.has_arguments:
            return body[:place], body[place + 1 :]
    return body, []
