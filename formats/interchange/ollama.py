"""Ollama Modelfiles in: the template is tried on conversations, and the frames that it writes become a format."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from formats.interchange.go_template import GoError, GoTemplate
from formats.interchange.reading import Document, Loss, Reader, heading, is_object, stem
from formats.interchange.wording import CONTENT, framed, stops_of, tokens_in
from formats.prompt import InstructFormat, Message, render
from formats.prompt.errors import TEMPLATE_SYNTAX, Fault, FormatError

KIND: Final = "instruct-format"
MODELFILE: Final = "$modelfile"
_DIRECTIVE: Final = re.compile(
    r"^[ \t]*(?P<word>[A-Za-z]+)[ \t]+(?:(?P<key>\w+)[ \t]+)?"
    r'(?:"""(?P<long>.*?)"""|"(?P<short>(?:[^"\\]|\\.)*)"[ \t]*$|(?P<bare>[^\n]*))',
    re.MULTILINE | re.DOTALL,
)
_KNOWN: Final = frozenset({"FROM", "TEMPLATE", "SYSTEM", "PARAMETER", "ADAPTER", "LICENSE", "MESSAGE", "REQUIRES"})
_S, _U, _A, _V = "\ue011", "\ue012", "\ue013", "\ue014"
_SHAPES: Final = ("u", "su", "uau", "suau", "suauau", "auau")


class _Line(NamedTuple):
    word: str
    key: str
    text: str
    line: int


def read_modelfile(text: str) -> list[Any] | None:
    """Return a Modelfile as a document that its reader knows, None for another text."""
    if not re.search(r"^[ \t]*FROM[ \t]+\S", text, re.MULTILINE | re.IGNORECASE):
        return None
    return [{MODELFILE: text}] if re.search(r"^[ \t]*TEMPLATE[ \t]", text, re.MULTILINE | re.IGNORECASE) else None


def is_modelfile(document: Any) -> bool:
    """Return whether `document` is a Modelfile."""
    return is_object(document, MODELFILE) and isinstance(document[MODELFILE], str)


def read_model(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return the format that a Modelfile's template writes. Raises FormatError, located, where it can not be tried."""
    losses: list[Loss] = []
    found: dict[str, Any] = {"stops": [], "template": None, "system": "", "model": ""}
    for line in _lines(document[MODELFILE]):
        _take(line, found, losses)
    made = heading(KIND, 2, stem(name) if name not in ("", "body") else found["model"], "Ollama model")
    template = found["template"]
    if template is None:
        raise FormatError(Fault("TEMPLATE", "the Modelfile has none"))
    try:
        chat = _Chat(GoTemplate(template.text), template.text)
        frames = _frames(chat.render)
        made |= frames
        if found["system"]:
            made["defaultSystem"] = found["system"]
        if chat.doubles:
            losses.append(Loss("TEMPLATE", "prints a system text twice: here it stands once"))
        losses += _differences(made, chat, ".Tools" in template.text or ".ToolCalls" in template.text)
    except GoError as error:
        place = template.line + error.line - 1
        raise FormatError(Fault("TEMPLATE", f"is not read here: {error.message}", TEMPLATE_SYNTAX, place)) from None
    made |= {"stopStrings": stops_of(found["stops"]), "specialTokens": tokens_in([template.text]), "names": "none"}
    made |= {"alternation": "merge"}
    return made, losses


def _lines(text: str) -> Iterable[_Line]:
    at = 0
    for match in _DIRECTIVE.finditer(text):
        if match.start() < at or match["word"].upper() not in _KNOWN:
            continue
        at = match.end()
        word = match["word"].upper()
        value = match["long"] if match["long"] is not None else match["short"]
        if value is None:
            value = (match["bare"] or "").strip()
        elif match["short"] is not None:
            value = value.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")
        key = match["key"] or ""
        if word not in ("PARAMETER", "MESSAGE") and key:
            value = f"{key} {value}".strip()
        yield _Line(word, key, value, text.count("\n", 0, match.start()) + 1)


def _take(line: _Line, found: dict[str, Any], losses: list[Loss]) -> None:
    if line.word == "TEMPLATE":
        found["template"] = line
    elif line.word == "SYSTEM":
        found["system"] = line.text
    elif line.word == "FROM":
        found["model"] = line.text.rsplit("/", 1)[-1].split(":")[0]
    elif line.word == "PARAMETER" and line.key == "stop":
        found["stops"].append(line.text)
    else:
        path = f"{line.word} {line.key}".strip() if line.word == "PARAMETER" else line.word
        losses.append(Loss(path, "is no part of a layout"))


class _Chat:
    """A template as Ollama runs it: once for all messages, or once for each pair where it knows only `.Prompt`."""

    def __init__(self, template: GoTemplate, source: str) -> None:
        self._template = template
        self._is_legacy = ".Messages" not in source
        self._has_response = ".Response" in source
        # A template that prints `.System` and the system message too says it twice: it is read as saying it once.
        self._twice = False
        self._twice = not self._is_legacy and self.render([("system", _S), ("user", _U)]).count(_S) > 1

    @property
    def doubles(self) -> bool:
        """Whether the template prints a system text twice."""
        return self._twice

    def render(self, turns: Sequence[tuple[str, str]]) -> str:
        """Return the prompt of roles and texts, a reply asked for."""
        system = "\n\n".join(text for role, text in turns if role == "system")
        if not self._is_legacy:
            messages = [{"Role": role, "Content": text} for role, text in turns if not self._twice or role != "system"]
            return self._template.render({"Messages": messages, "System": system, "Tools": None, "Response": ""})
        return "".join(self._pairs(turns))

    def _pairs(self, turns: Sequence[tuple[str, str]]) -> Iterable[str]:
        held = {"System": "", "Prompt": "", "Response": ""}
        names = {"system": "System", "user": "Prompt", "assistant": "Response"}
        for role, text in turns:
            is_full = (role == "system" and (held["Prompt"] or held["Response"])) or (
                role == "user" and held["Response"]
            )
            if is_full:
                yield self._one(held)
                held = dict.fromkeys(held, "")
            held[names[role]] = text
        last = self._one({**held, "Response": held["Response"] or _A})
        yield last.partition(held["Response"] or _A)[0]

    def _one(self, values: Mapping[str, str]) -> str:
        return self._template.render(values) + ("" if self._has_response else values["Response"])


def _frames(draw: Callable[[Sequence[tuple[str, str]]], str]) -> Document:
    """The frames that explain what the template prints; which side of a joint a text belongs to is our choice."""
    user, reply, again = ("user", _U), ("assistant", _A), ("user", _V)
    text = draw([user, reply, again])
    if any(text.count(mark) != 1 for mark in (_U, _A, _V)):
        raise GoError("a conversation does not stand in it once", 1)
    first, rest = text.split(_U)
    to_reply, rest = rest.split(_A)
    to_user, suffix = rest.split(_V)
    open_user = _common_end(first, to_user)
    bos, close_reply = first[: len(first) - len(open_user)], to_user[: len(to_user) - len(open_user)]
    opened = draw([reply, again]).partition(_A)[0].removeprefix(bos)
    ends_alike = close_reply and to_reply.startswith(close_reply) and suffix.startswith(close_reply)
    if opened and to_reply.endswith(opened):
        open_reply = opened
    else:
        open_reply = to_reply.removeprefix(close_reply) if ends_alike else _common_end(to_reply, suffix) or suffix
    close_user = to_reply.removesuffix(open_reply) if to_reply.endswith(open_reply) else ""
    made: Document = {
        "bos": bos,
        "user": framed(open_user, close_user),
        "assistant": framed(to_reply.removeprefix(close_user), close_reply),
        "promptSuffix": suffix.removeprefix(close_user),
    }
    if not suffix.startswith(close_user) and suffix.endswith(open_reply):
        made["variants"] = {"lastUser": framed(open_user, suffix.removesuffix(open_reply))}
        made["promptSuffix"] = open_reply
    return made | _system(draw, bos, open_user) | {"tool": made["user"]}


def _system(draw: Callable[[Sequence[tuple[str, str]]], str], bos: str, open_user: str) -> Document:
    """The system frame, or the user's turn that a system text goes into."""
    led = draw([("system", _S), ("user", _U)])
    before, _, after = led.partition(_S)
    between = after.partition(_U)[0]
    if before == bos + open_user:
        return {"system": CONTENT, "systemPolicy": {"first": "fold_first_user"}, "mergeSeparator": between}
    if _S not in led or not before.startswith(bos):
        return {"system": CONTENT}
    return {"system": framed(before.removeprefix(bos), between.removesuffix(open_user))}


def _common_end(left: str, right: str) -> str:
    count = 0
    while count < min(len(left), len(right)) and left[-1 - count] == right[-1 - count]:
        count += 1
    return left[len(left) - count :] if count else ""


def _differences(made: Document, chat: _Chat, has_tools: bool) -> list[Loss]:
    """What the frames do not explain."""
    plain = {key: value for key, value in made.items() if key != "defaultSystem"}
    fmt = InstructFormat.model_validate(plain)
    roles = {"s": "system", "u": "user", "a": "assistant"}
    losses = [Loss("TEMPLATE", "what it does with tools is not read")] if has_tools else []
    for shape in _SHAPES:
        turns = [(roles[letter], f"text {at}.") for at, letter in enumerate(shape)]
        own = render(fmt, [Message(role, text) for role, text in turns]).text
        if own != chat.render(turns):
            losses.append(Loss("TEMPLATE", f"prints a chat of {', '.join(role for role, _ in turns)} otherwise"))
            break
    return losses


READERS: Final = (Reader(KIND, "Ollama Modelfile", "ollama", is_modelfile, read_model),)
