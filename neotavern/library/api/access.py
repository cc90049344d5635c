"""Who may call an operation, asked before the body is read, and the headers that go with an object."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from neotavern.accounts import permissions
from neotavern.accounts.auth import KeyOrSession
from neotavern.accounts.conditional import unchanged

__all__ = ["ADMINISTER", "MOVE_LABEL", "READ", "WRITE", "Allowed", "unchanged"]


class Allowed(KeyOrSession):
    """A caller with the right to do `action`; without it 403, whatever the body is."""

    def __init__(self, action: permissions.Action) -> None:
        super().__init__()
        self._action = action

    def __call__(self, request: HttpRequest) -> Any:
        """Return the actor, who may do the action."""
        actor = super().__call__(request)
        permissions.require(actor, self._action)
        return actor


READ = Allowed("read")
WRITE = Allowed("write")
MOVE_LABEL = Allowed("move_label")
ADMINISTER = Allowed("administer")
