"""Page access: /t/<team>/… opens for members of that team only, and for others the team does not exist."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, cast

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from neotavern.accounts import permissions, selectors
from neotavern.accounts.actor import Actor
from neotavern.accounts.auth import SESSION_TEAM
from neotavern.accounts.models import User


class PageRequest(HttpRequest):
    """A request under /t/<team>/… after `team_page`."""

    actor: Actor
    request_id: str
    htmx: Any


View = Callable[..., HttpResponseBase]


def team_page(action: permissions.Action = "read") -> Callable[[View], View]:
    """Decorate a page view: `request.actor` is the member of the `team` in the address, allowed to do `action`.

    Not logged in: the log-in page. Not a member, or no such team: 404. A member without the right: 403, with the names
    of whom to ask.
    """

    def decorate(view: View) -> View:
        @functools.wraps(view)
        def guarded(request: HttpRequest, team: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
            user = request.user
            if not isinstance(user, User):
                return _to_login(request)
            actor = selectors.member_actor(user, team, request_id=getattr(request, "request_id", ""))
            if actor is None:
                raise Http404
            if not permissions.may(actor, action):
                return _refused(request, actor)
            if request.session.get(SESSION_TEAM) != team:
                request.session[SESSION_TEAM] = team
            page = cast(PageRequest, request)
            page.actor = actor
            return view(page, team, *args, **kwargs)

        return guarded

    return decorate


def account_page(view: View) -> View:
    """Decorate a page of the person: logged in first if need be; the frame shows the team that was worked in last."""

    @functools.wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not isinstance(request.user, User):
            return _to_login(request)
        frame(request, request.user)
        return view(request, *args, **kwargs)

    return guarded


def frame(request: HttpRequest, user: User) -> None:
    """Leave the actor of the team that `user` worked in last in the request, for the top bar; none without a team."""
    team = request.session.get(SESSION_TEAM)
    request_id = getattr(request, "request_id", "")
    actor = selectors.member_actor(user, team, request_id=request_id)
    if actor is None and team is not None:
        actor = selectors.member_actor(user, None, request_id=request_id)
    if actor is not None:
        cast(PageRequest, request).actor = actor


def _refused(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Say whom to ask; what was typed is still in the browser, one step back."""
    cast(PageRequest, request).actor = actor
    context = {"administrators": selectors.administrators(actor.team_slug), "role": actor.role}
    return render(request, "team/forbidden.html", context, status=403)


def _to_login(request: HttpRequest) -> HttpResponse:
    """Redirect to the log-in page; an htmx request is told to leave the page instead of swapping a form into it."""
    response = redirect_to_login(request.get_full_path())
    if request.headers.get("HX-Request"):
        answer = HttpResponse(status=204)
        answer["HX-Redirect"] = response["Location"]
        return answer
    return response
