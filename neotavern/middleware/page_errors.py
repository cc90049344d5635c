"""Pages: a refusal raised by a service becomes a page that says what happened and what was kept."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string

from neotavern.ground.errors import AppError


class PageErrors:
    """Turns AppError into `error.html` on pages; the API has its own table."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the error page for an AppError, None for everything else."""
        if not isinstance(exception, AppError):
            return None
        page = render_to_string("error.html", {"error": exception, "status": exception.status}, request)
        return HttpResponse(page, status=exception.status)
