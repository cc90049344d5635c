"""Templates that ask for facts, on the hot path: what stands before and after a content, told from the neighbours.

A template is tried with every neighbour before and behind it, and with every value of the facts that neighbours do not
settle. What then still depends on something else takes the careful path.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from formats.handlebars import TemplateError
from formats.prompt.frames import Frame
from formats.prompt.message_input import ROLES

START: Final = ""
GENERATE: Final = "generate"
CLOSED: Final = "closed"
ENDS: Final = (GENERATE, CLOSED)
# Stands for a content; what a helper does to one shows.
_MARK: Final = "\n \ue000aB \n"
_BOTH: Final = (False, True)
# A turn's opening is settled before anybody knows what follows it: the opening for what usually does.
_USUAL: Final[Mapping[str, Sequence[str]]] = {
    "system": ("user",), "user": ("assistant", GENERATE), "assistant": ("user",), "tool": ("assistant", GENERATE),
}  # fmt: skip
_NOTHING: Final = {"tools": "", "skills": "", "toolCalls": "", "reasoning": "", "thinking": None, "date": ""}
_FIXED: Final = {"hasTools": False, "hasSkills": False, "hasMedia": False, "given": True}

Texts = tuple[str, ...]  # pieces of markup, as the careful path labels them
Pair = tuple[Texts, Texts]


@dataclass(slots=True)
class Around:
    """Of one role: the text before a content by the role before, after it by the role behind or the ending."""

    openings: dict[str, Texts] = field(default_factory=dict)
    closings: dict[str, Texts] = field(default_factory=dict)
    needs_text: bool = False  # the template asks whether there is a content

    @classmethod
    def constant(cls, pair: tuple[str, str]) -> Around:
        """The same whatever the neighbours are."""
        return cls(dict.fromkeys((START, *ROLES), (pair[0],)), dict.fromkeys((*ROLES, *ENDS), (pair[1],)))


def around_by_neighbours(frame: Frame, role: str) -> Around | None:
    """The texts around the content of a plain turn; None when they depend on more than its neighbours."""
    try:
        table = {
            before: {behind: _settled(frame, role, before, behind) for behind in (*ROLES, *ENDS)}
            for before in (START, *ROLES)
        }
        needs_text = not _is_blind(frame, role)
    except TemplateError:
        return None
    openings = {before: opening for before, row in table.items() if (opening := _usual(role, row)) is not None}
    closings: dict[str, Texts] = {}
    for behind in (*ROLES, *ENDS):
        found = {table[before][behind] for before in openings}
        texts = {pair[1] for pair in found if pair is not None}
        fits = all((pair := table[before][behind]) is not None and pair[0] == openings[before] for before in openings)
        if fits and len(texts) == 1:
            closings[behind] = texts.pop()
    return Around(openings, closings, needs_text) if openings and closings else None


def _usual(role: str, row: Mapping[str, Pair | None]) -> Texts | None:
    return next((pair[0] for behind in _USUAL[role] if (pair := row[behind]) is not None), None)


def _settled(frame: Frame, role: str, before: str, behind: str) -> Pair | None:
    """The one pair that all contexts give; None when they do not agree, or the content is not printed as it is."""
    pairs = {_split(frame, context) for context in _contexts(frame, role, before, behind)}
    return pairs.pop() if len(pairs) == 1 else None


def _split(frame: Frame, context: Mapping[str, Any]) -> Pair | None:
    pieces = frame.template.pieces({**context, "content": _MARK})
    places = [at for at, (text, _) in enumerate(pieces) if "\ue000" in text]
    if len(places) != 1 or pieces[places[0]] != (_MARK, "content"):
        return None
    at = places[0]
    if any(variable not in (None, "role") and text for text, variable in (*pieces[:at], *pieces[at + 1 :])):
        return None
    return tuple(text for text, _ in pieces[:at] if text), tuple(text for text, _ in pieces[at + 1 :] if text)


def _is_blind(frame: Frame, role: str) -> bool:
    """True when an empty content and a blank one change nothing around them."""
    for before, behind in product((START, *ROLES), (*ROLES, *ENDS)):
        for context in _contexts(frame, role, before, behind):
            pair = _split(frame, context)
            for content in ("", " "):
                text = "".join([text for text, _ in frame.template.pieces({**context, "content": content})])
                if pair is not None and text != "".join((*pair[0], content, *pair[1])):
                    return False
    return True


def _contexts(frame: Frame, role: str, before: str, behind: str) -> Iterator[dict[str, Any]]:
    """Every context that a plain turn between these neighbours can have."""
    is_last = behind in ENDS
    unsettled: dict[str, Sequence[Any]] = {
        "afterLastUser": _after_last_user(role, behind),
        "answered": (True,) if "assistant" in (role, behind) else (False,) if is_last else _BOTH,
        "generate": (behind == GENERATE,) if is_last else _BOTH,
        "hasSystem": (True,) if "system" in (role, before, behind) else _BOTH,
        "index": (-1 if role == "system" else 0,) if before == START else (0, 1, 2, 5),
        "name": (None, "Ann"),
    }
    # What the template does not ask for need not be tried.
    choices = [values if frame.uses(name) else values[:1] for name, values in unsettled.items()]
    for values in product(*choices):
        yield {
            **_NOTHING, **_FIXED, "role": role, "first": before == START, "last": is_last, "previous": before,
            "next": "" if is_last else behind, **dict(zip(unsettled, values, strict=True)),
        }  # fmt: skip


def _after_last_user(role: str, behind: str) -> Sequence[bool]:
    if "user" in (role, behind):
        return (False,)
    return (True,) if behind in ENDS else _BOTH
