"""Which built-in formats print what a chat template prints: both are tried on the same conversations.

A conversation that the template refuses says nothing, nor does one of which the template loses something and the format
nothing; every other one must come out byte for byte the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from formats.builtin import builtin, builtin_slugs
from formats.handlebars import TemplateError
from formats.jinja.probes import PROBES, Probe
from formats.prompt import InstructFormat, Message, PromptError, Rendered
from formats.prompt.importing import import_instruct_format

_ROLE: Final = "{{{content}}}"
BARE: Final = dict.fromkeys(("system", "user", "assistant", "tool"), _ROLE)
"""Role templates of a format that its chat template renders."""

_LOSSES: Final = frozenset({
    "CONTENT_LOST", "TOOLS_NOT_PLACED", "TOOL_CALLS_NOT_PLACED", "PART_DROPPED", "SYSTEM_DROPPED",
})  # fmt: skip
_GARBLED: Final = ("{'type': 'text'", '{"type": "text"', "{'type': 'image", '{"type": "image')
_AROUND: Final = 24
_FIRST: Final = 6


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a format compares with a template: `equal` of `tried` conversations, and the first that is not."""

    slug: str
    equal: int
    tried: int
    differs: str | None

    @property
    def is_same(self) -> bool:
        """True when nothing was found that the two print differently."""
        return self.differs is None and self.equal > 0


@dataclass(frozen=True, slots=True)
class Print:
    """What one conversation came to: its text, None where it was refused, and what was lost: code and place."""

    text: str | None
    losses: frozenset[tuple[str, str]] = frozenset()

    def says_more_than(self, other: Print) -> bool:
        """True when `other` loses or garbles something that this one prints well."""
        if self.text is None or other.text is None:
            return False
        return self.losses < other.losses or _garbles(other.text) > _garbles(self.text)


def carrying(source: str, bos: str, eos: str) -> InstructFormat:
    """A format that renders by this template. Raises FormatError for one that is no Jinja."""
    return import_instruct_format(
        {"kind": "instruct-format", "version": 2, "id": "template", "name": "Template", "bos": bos, "eos": eos}
        | BARE
        | {"chatTemplate": source}
    )


def prints(fmt: InstructFormat, count: int | None = None) -> list[Print]:
    """What the format makes of every probe, or of the first `count`."""
    return [_print(fmt, probe) for probe in PROBES[:count]]


def compare(slug: str, template: Sequence[Print], own: Sequence[Print]) -> Likeness:
    """The template's prints against the format's."""
    equal, tried, differs = 0, 0, None
    for probe, theirs, ours in zip(PROBES, template, own, strict=False):
        if theirs.text is None or ours.says_more_than(theirs):
            continue
        tried += 1
        if theirs.text == ours.text:
            equal += 1
        elif differs is None:
            differs = _difference(probe, theirs.text, ours.text)
    if differs is not None:
        differs += f" ({tried - equal} of {tried} conversations differ)"
    return Likeness(slug, equal, tried, differs)


def likenesses(source: str, slugs: Sequence[str] | None = None) -> list[Likeness]:
    """Every built-in (or those of `slugs`) against the template, the most alike first.

    The template is tried with each format's own BOS and EOS; all of the conversations only with formats that print one
    of the first few alike. Raises FormatError for one that is no Jinja.
    """
    asks = "bos_token" in source or "eos_token" in source
    tried: dict[tuple[str, str], tuple[InstructFormat, list[Print]]] = {}

    def of(slug: str) -> Likeness:
        tokens = tokens_of(builtin(slug)) if asks else ("", "")
        if tokens not in tried:
            fmt = carrying(source, *tokens)
            tried[tokens] = fmt, prints(fmt, _FIRST)
        fmt, first = tried[tokens]
        likeness = compare(slug, first, _first_of(slug))
        if likeness.equal == 0:
            return likeness
        if len(first) < len(PROBES):
            tried[tokens] = fmt, prints(fmt)
        return compare(slug, tried[tokens][1], _all_of(slug))

    found = [of(slug) for slug in (builtin_slugs() if slugs is None else slugs)]
    return sorted(found, key=lambda one: (not one.is_same, -one.equal, one.slug))


def tokens_of(fmt: InstructFormat) -> tuple[str, str]:
    """BOS and EOS of a format, wherever its document names them."""
    named = {token.meaning: token.token for token in fmt.special_tokens if not isinstance(token, str)}
    return fmt.bos or named.get("bos", ""), fmt.eos or named.get("eos", "")


@lru_cache(maxsize=512)
def _first_of(slug: str) -> list[Print]:
    return prints(builtin(slug), _FIRST)


@lru_cache(maxsize=512)
def _all_of(slug: str) -> list[Print]:
    return prints(builtin(slug))


def _print(fmt: InstructFormat, probe: Probe) -> Print:
    try:
        rendered = fmt.compiled.render(
            Message.read_all(list(probe.messages)),
            tools=probe.tools,
            add_generation_prompt=probe.generate,
            options=dict(_options(probe)),
        )
    except (PromptError, TemplateError):
        return Print(None)
    return Print(rendered.text, _losses(rendered))


def _options(probe: Probe) -> Iterator[tuple[str, Any]]:
    if probe.thinking is not None:
        yield "thinking", probe.thinking
    if probe.now is not None:
        yield "now", probe.now


def _losses(rendered: Rendered) -> frozenset[tuple[str, str]]:
    return frozenset((finding.code, finding.path) for finding in rendered.findings if finding.code in _LOSSES)


def _garbles(text: str) -> int:
    """How often a list of parts stands in the text as Python or JSON writes it."""
    return sum(map(text.count, _GARBLED))


def _difference(probe: Probe, theirs: str, ours: str | None) -> str:
    if ours is None:
        return f"“{probe.name}”: the format refuses it"
    pairs = zip(theirs, ours, strict=False)
    at = next((at for at, (left, right) in enumerate(pairs) if left != right), min(len(theirs), len(ours)))
    start = max(at - _AROUND, 0)
    left, right = theirs[start : at + _AROUND], ours[start : at + _AROUND]
    return f"“{probe.name}”, character {at}: the template prints {left!r}, the format {right!r}"
