"""SillyTavern's sequences as templates of ours: macros, the newline of `wrap`, stop strings.

Source of the rules: SillyTavern's `instruct-mode.js`, versions 1.9 to 1.13, as its own tests and presets show them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from formats.interchange.wording import CONTENT, literal, opens_with_token, stops_of

_MACRO: Final = re.compile(r"\{\{\s*(?P<name>[^{}]*?)\s*\}\}")
# Macros that are plain text wherever they stand.
_TEXTS: Final = {"newline": "\n", "space": " ", "noop": "", "trim": ""}
# Who speaks in a turn of this role: `{{user}}` before the user's text is the speaker's name.
_SPEAKERS: Final = {"user": frozenset({"name", "user"}), "assistant": frozenset({"name", "char"})}


class Sequence(NamedTuple):
    """A sequence as source of a template, as plain text without its macros, and the macros that neither has."""

    source: str
    text: str
    lost: tuple[str, ...]
    names: bool


def read_sequence(text: str, role: str, *, macro: bool) -> Sequence:
    """Return `text` with the macros of a role's frame; without `macro` braces are only braces."""
    if not macro:
        return Sequence(literal(text, before=True, after=True), text, (), names=False)
    sources: list[str] = []
    texts: list[str] = []
    lost: list[str] = []
    at, names = 0, False
    for match in _MACRO.finditer(text):
        _add(text[at : match.start()], sources, texts)
        at, name = match.end(), match["name"].casefold()
        if name in _TEXTS:
            _add(_TEXTS[name], sources, texts)
        elif name in _SPEAKERS.get(role, {"name"}):
            sources.append("{{name}}" if role in _SPEAKERS else '{{default name "System"}}')
            names = True
        else:
            lost.append(match[0])
    _add(text[at:], sources, texts)
    return Sequence("".join(sources), "".join(texts), tuple(lost), names)


def _add(text: str, sources: list[str], texts: list[str]) -> None:
    if text:
        sources.append(literal(text, before=True, after=True))
        texts.append(text)


class Wrap(NamedTuple):
    """What `wrap` and `macro` say for every sequence of a file."""

    wrap: bool
    macro: bool

    @property
    def joint(self) -> str:
        """What stands between a sequence and the text."""
        return "\n" if self.wrap else ""

    def sequence(self, text: str, role: str) -> Sequence:
        """Return a sequence of a role."""
        return read_sequence(text, role, macro=self.macro)

    def template(self, before: str, after: str, role: str) -> str:
        """Return a turn: sequence, newline of `wrap`, content, suffix; an empty suffix is that newline too."""
        opening = self.sequence(before, role).source + (self.joint if before else "")
        return opening + CONTENT + self.sequence(after or self.joint, role).source


def suffix_of(sequence: str, user_suffix: str, *, wrap: bool, with_name: bool) -> str:
    """Return what asks for a reply, behind a user's turn.

    With `wrap` the newline before the sequence takes the place of the one that ends the turn before it, and white
    space at the end becomes one newline.
    """
    if not wrap:
        return sequence
    line = f"\n{sequence}"
    line = f"{line}\n" if with_name else line.rstrip() + "\n"
    ends_in_newline = (user_suffix or "\n").endswith("\n")
    return line.removeprefix("\n") if ends_in_newline else line


def filler(output: str, last_output: str) -> str:
    """Return the blank that output has before a name and last output has not (Mistral's `[/INST] Name:`)."""
    if last_output and output[-1:].isspace() and not last_output[-1:].isspace():
        return output[-1]
    return ""


def stop_strings(stop: str, sequences: Iterable[str], shape: Wrap) -> list[str]:
    """Return the lines of the stop sequence and of what opens a turn.

    SillyTavern puts a newline before each when it wraps; a model that ends a turn with a token writes none, so a token
    stands alone, and words stand with and without it.
    """
    found = [line for line in stop.split("\n") if line.strip()]
    for sequence in sequences:
        for line in sequence.split("\n"):
            text = _MACRO.split(line)[0] if shape.macro else line
            if not text.strip():
                continue
            found += [text] if opens_with_token(text) or not shape.wrap else [f"\n{text}", text]
    return stops_of(found)
