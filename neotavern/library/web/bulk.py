"""One action on the ticked rows of a list, with what became of each; works as a plain form."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.http import FileResponse, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from neotavern.accounts import permissions
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import invalid
from neotavern.library import services
from neotavern.library.bundles import bundle
from neotavern.library.kinds import Kind
from neotavern.library.services.bulk import Action
from neotavern.library.web.addresses import way_back
from neotavern.library.web.collections import frame

ACTIONS = ("archive", "unarchive", "tag", "untag", "delete")


@require_POST
@team_page("read")
def act(request: PageRequest, team: str, kind: Kind) -> HttpResponseBase:
    """Do the action of the pressed button. Deleting for good asks first; an export answers a file."""
    slugs, action = request.POST.getlist("slug"), request.POST.get("action", "")
    back = way_back(request, reverse("kind-list", args=[team, kind]))
    if not slugs:
        messages.warning(request, _("Nothing was ticked: tick rows first."))
        return redirect(back)
    if action == "export":
        file = bundle(request.actor, kind, slugs, style="neotavern", version=None)
        return FileResponse(
            file, as_attachment=True, filename=f"{kind.plural_path}.zip", content_type="application/zip"
        )
    if action not in ACTIONS:
        raise invalid("action", _("This list knows no such action."))
    if action == "delete" and request.POST.get("confirmed") != "1":
        return _ask(request, kind, slugs, back)
    return _done(request, kind, action, slugs, back)


def _ask(request: PageRequest, kind: Kind, slugs: list[str], back: str) -> HttpResponse:
    permissions.require(request.actor, "delete")
    return render(request, "library/delete.html", frame(kind, slugs=slugs, back=back))


def _done(request: PageRequest, kind: Kind, action: str, slugs: list[str], back: str) -> HttpResponse:
    tag = request.POST.get("tag", "").strip()
    outcomes = services.act_on_many(
        request.actor, kind=kind.name, action=cast(Action, action), slugs=slugs, tag=tag or None
    )
    done = sum(outcome.result == "done" for outcome in outcomes)
    if done == len(outcomes):
        messages.success(request, _sentence(action, done, tag))
        return redirect(back)
    context: dict[str, Any] = frame(kind, outcomes=outcomes, action=action, back=back)
    return render(request, "library/bulk.html", context)


def _sentence(action: str, count: int, tag: str) -> str:
    words = {
        "archive": ngettext("%(n)d object is archived.", "%(n)d objects are archived.", count),
        "unarchive": ngettext("%(n)d object is back.", "%(n)d objects are back.", count),
        "tag": ngettext("%(n)d object has the tag “%(tag)s”.", "%(n)d objects have the tag “%(tag)s”.", count),
        "untag": ngettext(
            "%(n)d object has lost the tag “%(tag)s”.", "%(n)d objects have lost the tag “%(tag)s”.", count
        ),
        "delete": ngettext("%(n)d object is deleted for good.", "%(n)d objects are deleted for good.", count),
    }
    return words[action] % {"n": count, "tag": tag}
