"""Who asks for a render: a key that nobody has checked yet, a member or key that was checked, or nobody's built-ins."""

from __future__ import annotations

from typing import NamedTuple

from neotavern.accounts.actor import Actor


class TokenCaller(NamedTuple):
    """A program: its key is checked by the same query that finds what it names."""

    token: str


class ActorCaller(NamedTuple):
    """A caller whom the operation, page or command has identified."""

    actor: Actor


class BuiltinCaller(NamedTuple):
    """A command without a database: only built-ins and inline documents exist."""


Caller = TokenCaller | ActorCaller | BuiltinCaller
