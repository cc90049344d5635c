"""Conditional requests: whether the caller has a state already, and the 304 that says so."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def matches(header: str, tag: str) -> bool:
    """Return whether an If-Match or If-None-Match header names `tag` (or is `*`); a proxy's weak mark is ignored."""
    names = {part.strip().removeprefix("W/") for part in header.split(",")}
    return "*" in names or tag in names


def unchanged(request: HttpRequest, response: HttpResponse, tag: str) -> HttpResponse | None:
    """Put `tag` on the answer; return a 304 when the caller has that state already."""
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    known = request.headers.get("If-None-Match")
    if known is None or not matches(known, tag):
        return None
    answer = HttpResponse(status=304)
    answer["ETag"] = tag
    answer["Cache-Control"] = "private, no-cache"
    return answer
