"""The conversations that every format is tried on: what real chats do, and what templates most often forget."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from formats.handlebars import TemplateError
from formats.lint.rule import Probe
from formats.prompt import InstructFormat, Message, PromptError, render

# name → roles, and arguments of render. Every content is unlike any other, so a lost or doubled one shows.
_CHATS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "one user": ("u", {}),
    "system and user": ("su", {}),
    "many turns": ("suauau", {}),
    "closed": ("suaua", {"add_generation_prompt": False}),
    "continued": ("uaua", {"continue_final_message": True}),
    "greeting first": ("saua", {}),
    "system text inside": ("suasu", {}),
    "two users in a row": ("uu", {}),
    "a tool's result": ("uatau", {}),
}
_ROLES: Final = {"s": "system", "u": "user", "a": "assistant", "t": "tool"}


def probes(fmt: InstructFormat) -> Iterator[Probe]:
    """Every probe conversation in `fmt`."""
    for name, (roles, arguments) in _CHATS.items():
        messages = tuple(Message(_ROLES[role], f"probe {_ROLES[role]} {at}") for at, role in enumerate(roles))
        try:
            yield Probe(fmt, name, messages, render(fmt, messages, **arguments))
        except (PromptError, TemplateError) as error:
            yield Probe(fmt, name, messages, None, error)
