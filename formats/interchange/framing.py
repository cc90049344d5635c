"""The frames of a format as text around their values, for programs that know no templates: found by trying.

A template is rendered once with marks in the place of its values. That is exact for literals around a content; a
template that decides anything is written as an ordinary turn in the middle of a chat has it, and told as a loss.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from formats.handlebars import Var
from formats.interchange.reading import Loss
from formats.prompt import InstructFormat
from formats.prompt.document import InstructFormat as _Model
from formats.prompt.facts import FACTS
from formats.prompt.plain import EMPTY_IN_PLAIN, plain_parts

# Private-use characters, which nobody types.
CONTENT: Final = "\ue001"
NAME: Final = "\ue002"
VALUE: Final = "\ue003"
_MIDDLE: Final[dict[str, Any]] = {
    **dict.fromkeys(FACTS, False), "index": 1, "previous": "user", "next": "assistant", "given": True, "date": "",
    "generate": True, "thinking": None, "hasSystem": True,
}  # fmt: skip
_ABOUT_THE_DOCUMENT: Final = frozenset({"kind", "version", "id", "name"})


class Frame(NamedTuple):
    """Text before and after a content, with `NAME` where the speaker's name stands; `exact`: nothing else is there."""

    before: str
    after: str
    exact: bool


class Place(NamedTuple):
    """A value's place in a frame: the offset in the text before the content, or behind it; and the text around it."""

    offset: int
    is_behind: bool
    before: str
    after: str


def frame_of(fmt: InstructFormat, path: str, role: str) -> Frame:
    """Return the frame of the template at `path`, for a turn of `role`."""
    template = fmt.compiled.frame(path).template
    text = _tried(fmt, path, role)
    before, mark, after = text.partition(CONTENT)
    parts = plain_parts(template)
    names = [part.name for part in parts or () if isinstance(part, Var)]
    is_plain = parts is not None and names.count("content") == 1 and set(names) <= {"content", "name", "role"}
    return Frame(before, after if mark else "", is_plain and bool(mark))


def place_of(fmt: InstructFormat, path: str, role: str, variable: str) -> Place | None:
    """Return where a frame prints `tools`, `skills` or `toolCalls`, and what stands around it only when it is there."""
    if not fmt.compiled.frame(path).uses(variable):
        return None
    plain, filled = _tried(fmt, path, role), _tried(fmt, path, role, **{variable: VALUE})
    if filled.count(VALUE) != 1:
        return None
    start = _common(plain, filled.partition(VALUE)[0])
    end = len(plain) - _common(plain[start:][::-1], filled.partition(VALUE)[2][::-1])
    if end != start:
        return None
    before, _, after = filled[start : len(filled) - len(plain) + end].partition(VALUE)
    behind = CONTENT in plain[:start]
    return Place(start - len(plain.partition(CONTENT)[0]) - len(CONTENT) if behind else start, behind, before, after)


def item_frame(fmt: InstructFormat, path: str, variable: str) -> Frame:
    """Return what stands around `variable` in the template of a section or an item."""
    template = fmt.compiled.frame(path).template
    names = [part.name for part in plain_parts(template) or () if isinstance(part, Var)]
    text = template.render({**_MIDDLE, variable: VALUE})
    before, mark, after = text.partition(VALUE)
    own = names == [variable] or (not names and variable in EMPTY_IN_PLAIN and template.roots == {variable})
    return Frame(before, after, own and bool(mark) and VALUE not in after)


def unsaid(fmt: InstructFormat, said: Iterable[str], reason: str) -> list[Loss]:
    """Return a loss for every field of `fmt` that says something and is not among `said`."""
    kept = {*said, *_ABOUT_THE_DOCUMENT}
    losses = []
    for name, field in _Model.model_fields.items():
        alias = field.alias or name
        if alias not in kept and getattr(fmt, name) != field.get_default(call_default_factory=True):
            losses.append(Loss(alias, reason))
    return losses


def _tried(fmt: InstructFormat, path: str, role: str, **values: str) -> str:
    empty = dict.fromkeys(EMPTY_IN_PLAIN, "")
    context = {
        **_MIDDLE,
        **empty,
        "content": CONTENT,
        "role": role,
        "name": NAME if fmt.names != "none" else "",
        **values,
    }
    if "tools" in values:
        context["hasTools"] = True
    return fmt.compiled.frame(path).template.render(context)


def _common(left: str, right: str) -> int:
    """How many characters the two begin with alike."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(left), len(right)))
