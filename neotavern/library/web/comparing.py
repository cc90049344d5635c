"""The page that compares two revisions: text by field, the document as a unified diff, the prompts they render."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from neotavern.accounts import permissions
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError
from neotavern.library import selectors
from neotavern.library.comparing import compare_prompts
from neotavern.library.kinds import Kind
from neotavern.library.models import Item, Revision
from neotavern.library.rendering import renderer_of
from neotavern.library.web import comparison, conversations
from neotavern.library.web.addresses import number_of, with_query
from neotavern.library.web.collections import frame
from neotavern.library.web.marks import side_by_side

FIELDS, DOCUMENT, PROMPT = "fields", "document", "prompt"


@require_safe
@team_page("read")
def page(request: PageRequest, team: str, kind: Kind, slug: str) -> HttpResponse:
    """Compare `?from=3&to=7`, each a number or a label; by default the newest with the one before it."""
    item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
    newer = _revision(item, request.GET.get("to", "")) or selectors.revision(item)
    older = _revision(item, request.GET.get("from", "")) or selectors.revision(item, number=max(1, newer.number - 1))
    choices, _following = selectors.list_revisions(item)
    may_render = renderer_of(kind.name) is not None and permissions.may(request.actor, "render")
    samples = conversations.samples() if may_render else None
    tabs = {FIELDS: _("Text by field"), DOCUMENT: _("Document")}
    if samples is not None:
        tabs[PROMPT] = _("Rendered prompt")
    tab = request.GET.get("tab", "")
    tab = tab if tab in tabs else FIELDS
    context = frame(
        kind,
        item=item,
        older=older,
        newer=newer,
        choices=choices,
        tabs=[(name, words, with_query(request, tab=name)) for name, words in tabs.items()],
        tab=tab,
        swapped=with_query(request, **{"from": str(newer.number), "to": str(older.number)}),
        may_restore=permissions.may(request.actor, "write") and not (item.is_builtin or item.is_archived),
        **_body(request, item, older, newer, tab),
    )
    return render(request, "library/diff.html", context)


def _revision(item: Item, name: str) -> Revision | None:
    if not name:
        return None
    number = number_of(name)
    return selectors.revision(item, number=number) if number is not None else selectors.revision(item, label=name)


def _body(request: PageRequest, item: Item, older: Revision, newer: Revision, tab: str) -> dict[str, Any]:
    if tab == PROMPT:
        return _prompts(request, item, older, newer)
    changes = comparison.changes_of(item, older, newer)
    left = max(0, len(changes) - comparison.MOST_CHANGES)
    if tab == DOCUMENT:
        return {"unified": comparison.unified(changes, str(older.number), str(newer.number)), "left": left}
    return {"changes": comparison.shown(changes), "left": left}


def _prompts(request: PageRequest, item: Item, older: Revision, newer: Revision) -> dict[str, Any]:
    """Return what both revisions render on the chosen conversation, or why one of them can not."""
    samples = conversations.samples()
    if samples is None:
        return {}
    titles = list(samples.titles())
    chosen = request.GET.get("sample", "")
    chosen = chosen if chosen in dict(titles) else titles[0][0]
    found: dict[str, Any] = {"samples": titles, "sample": chosen}
    try:
        made = compare_prompts(request.actor, item, {"from": older.number, "to": newer.number}, samples.load(chosen))
    except AppError as error:
        return found | {"refusal": error}
    if made["before"] == made["after"]:
        return found | {"is_same": True, "prompt": side_by_side(made["before"], made["after"])}
    return found | {"prompt": side_by_side(made["before"], made["after"])}
