"""Tags of the page frame: the teams of the person, the theme that the browser asked for, what the person may do."""

from __future__ import annotations

from typing import Any, cast

from django import template

from neotavern.accounts import permissions, selectors
from neotavern.accounts.models import Role, User

register = template.Library()

THEMES = ("light", "dark")


@register.simple_tag(takes_context=True)
def theme(context: dict[str, Any]) -> str:
    """Return `light`, `dark` or `system`; the cookie is the browser's, so nothing else of it reaches the page."""
    request = context.get("request")
    asked = request.COOKIES.get("theme", "") if request else ""
    return asked if asked in THEMES else "system"


@register.simple_tag(takes_context=True)
def my_teams(context: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the teams of the logged-in person: slug, name and role in words."""
    user = context["request"].user
    if not isinstance(user, User):
        return []
    return [
        {"slug": team.slug, "name": team.name, "role_name": Role(team.role).label} for team in selectors.teams_of(user)
    ]


@register.simple_tag(takes_context=True)
def may(context: dict[str, Any], action: str) -> bool:
    """Return whether the person may do `action` in this team."""
    actor = getattr(context.get("request"), "actor", None)
    return actor is not None and permissions.may(actor, cast(permissions.Action, action))
