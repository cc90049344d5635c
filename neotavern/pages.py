"""Pages that belong to no room: the way home, and errors that Django meets before a view does."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from neotavern.accounts import selectors
from neotavern.accounts.auth import SESSION_TEAM
from neotavern.accounts.models import User
from neotavern.ground.errors import AppError, ErrorCode, not_found
from neotavern.middleware.answers import error_response


def is_api(request: HttpRequest) -> bool:
    """Return whether the caller expects JSON."""
    return request.path.startswith("/api/") or request.path == "/apply-template"


@login_required
def home(request: HttpRequest) -> HttpResponseBase:
    """Go to the formats of the team that the person worked in last."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - login_required has seen to it; this is for the type checker
    actor = selectors.member_actor(user, request.session.get(SESSION_TEAM)) or selectors.member_actor(user, None)
    if actor is None:
        return render(request, "no_team.html", status=403)
    return redirect("library-list", team=actor.team_slug)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that the form is out of date; the browser's back button still has what was typed."""
    return render(request, "403_csrf.html", {"reason": reason}, status=403)


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer 404 in the caller's language: JSON under /api/, a page elsewhere."""
    if is_api(request):
        return error_response(not_found("This address"))
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500 with the id under which the log has the error."""
    trace_id = getattr(request, "request_id", "")
    if is_api(request):
        error = AppError(ErrorCode.INTERNAL, "Something went wrong here. The log has it under this traceId.")
        return error_response(error, trace_id=trace_id)
    return render(request, "500.html", {"trace_id": trace_id}, status=500)
