"""Reading a format: its page, and an old revision."""

from __future__ import annotations

import orjson
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from formats.stored.instruct_format import NAME
from formats.web.page import Bench, answer
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.library import selectors
from neotavern.library.kinds import Finding
from neotavern.library.models import Revision
from neotavern.library.web.addresses import number_of


@require_safe
@team_page("read")
def page(request: PageRequest, team: str, slug: str) -> HttpResponse:
    """Show a format: to edit for who may, to read otherwise; `?revision=3` shows an old one."""
    item = selectors.get_item(request.actor, kind=NAME, slug=slug, archived=True)
    revision = selectors.revision(item, number=number_of(request.GET.get("revision", "")))
    bench = Bench(selectors.document(item, revision), item, revision, stored_findings(revision))
    return answer(request, bench)


def stored_findings(revision: Revision) -> list[Finding]:
    """Return what the checks said when the revision was saved."""
    return [Finding(**finding) for finding in orjson.loads(revision.findings)]
