"""Who may do what: one table."""

from __future__ import annotations

import pytest

from neotavern.accounts.actor import ROLE_SCOPES
from neotavern.accounts.permissions import NEEDS, scopes_allow

ALLOWED = {
    "owner": {"read", "render", "write", "move_label", "delete", "administer"},
    "admin": {"read", "render", "write", "move_label", "delete", "administer"},
    "editor": {"read", "render", "write", "move_label"},
    "viewer": {"read", "render"},
}


@pytest.mark.parametrize("role", sorted(ALLOWED))
def test_each_role_may_do_this_and_no_more(role: str) -> None:
    assert {action for action in NEEDS if scopes_allow(ROLE_SCOPES[role], action)} == ALLOWED[role]


@pytest.mark.parametrize(
    ("scope", "actions"),
    [
        ("read", {"read"}),
        ("render", {"render"}),
        ("write", {"read", "write", "move_label"}),
        ("admin", set(NEEDS)),
        ("unknown", set()),
    ],
)
def test_each_scope_of_a_key_may_do_this_and_no_more(scope: str, actions: set[str]) -> None:
    assert {action for action in NEEDS if scopes_allow(frozenset({scope}), action)} == actions
