"""Numbers and addresses that a form or a query names."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

MOST_DIGITS = 9


def number_of(text: str) -> int | None:
    """Return a revision number, None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None


def way_back(request: HttpRequest, usual: str) -> str:
    """Return where a form leads afterwards: its `next` when that is on this host."""
    back = request.POST.get("next", "")
    allowed = url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return back if allowed else usual


def with_query(request: HttpRequest, **changes: str | None) -> str:
    """Return the query of this page with other values; None takes one away."""
    query = request.GET.copy()
    for name, value in changes.items():
        query.pop(name, None)
        if value is not None:
            query[name] = value
    return "?" + query.urlencode()
