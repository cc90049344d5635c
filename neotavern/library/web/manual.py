"""The documents of docs/ as pages, so that what explains a page is one click away from it."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.markdown import title_of, to_html

FIRST = "pages"


def names() -> list[str]:
    """Return the names of the documents, sorted."""
    return sorted(path.stem for path in _folder().glob("*.md"))


def _folder() -> Path:
    return Path(settings.BASE_DIR) / "docs"


@require_safe
@team_page("read")
def page(request: PageRequest, team: str, name: str = FIRST) -> HttpResponse:
    """Show a document; 404 for a name that none has."""
    known = names()
    if name not in known:
        raise Http404
    text = (_folder() / f"{name}.md").read_text("utf-8")

    def address(where: str) -> str | None:
        """Return the page of a document that another one names, and addresses elsewhere as they are."""
        if where.startswith(("https://", "#")):
            return where
        target, _, place = where.partition("#")
        if not target.endswith(".md") or target[:-3] not in known:
            return None
        return reverse("manual", args=[team, target[:-3]]) + (f"#{place}" if place else "")

    titles = [(one, title_of((_folder() / f"{one}.md").read_text("utf-8")) or one) for one in known]
    context = {
        "section": "manual",
        "name": name,
        "heading": title_of(text) or name,
        "body": mark_safe(to_html(text, address)),  # noqa: S308 - to_html escapes every text of the file
        "titles": titles,
    }
    return render(request, "library/manual.html", context)
