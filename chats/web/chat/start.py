"""A new chat: with whom, as whom, and a slug that is free."""

from __future__ import annotations

from itertools import count

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from chats.stored import chat as chat_kind
from chats.stored.names import CHARACTER, CHAT, PERSONA
from chats.web.chat.choices import Choices, choices_of
from chats.web.chat.settings import start
from neotavern.accounts.actor import Actor
from neotavern.accounts.web_access import PageRequest, team_page
from neotavern.ground.errors import AppError
from neotavern.library import services
from neotavern.library.kinds import Kind
from neotavern.library.models import Item
from neotavern.library.web.collections import frame

LONGEST = 60
FIELDS = ("name", "character", "persona", "slug")


@require_http_methods(["GET", "HEAD", "POST"])
@team_page("write")
def new(request: PageRequest, team: str) -> HttpResponse:
    """Ask with whom to begin (`?character=` has an answer already), or begin."""
    choices = choices_of(request.actor, (CHARACTER, PERSONA))
    given = request.POST if request.method == "POST" else request.GET
    form = {name: given.get(name, "").strip() for name in FIELDS}
    if request.method != "POST":
        form["name"] = form["name"] or _proposed_name(form["character"], choices)
        form["slug"] = form["slug"] or free_slug(request.actor, form["name"])
        return _page(request, form, choices)
    form["name"] = form["name"] or _proposed_name(form["character"], choices) or _("New chat")
    document = start(form["character"], form["name"]) | {"id": form["slug"] or free_slug(request.actor, form["name"])}
    if form["persona"]:
        document["persona"] = form["persona"]
    try:
        saved = services.create(request.actor, kind=CHAT, document=document)
    except AppError as error:
        return _page(request, form, choices, error)
    messages.success(request, _("The chat is there, and yours alone until you share it."))
    return redirect("chat-page", team, saved.item.slug)


def _page(request: PageRequest, form: dict[str, str], choices: Choices, error: AppError | None = None) -> HttpResponse:
    context = frame(
        chat_kind.KIND,
        form=form,
        characters=choices.of(CHARACTER, form["character"]),
        personas=choices.of(PERSONA, form["persona"]),
        error=error,
    )
    return render(request, "chats/start.html", context, status=error.status if error else 200)


def _proposed_name(character: str, choices: Choices) -> str:
    return _("Chat with %(name)s") % {"name": choices.name(CHARACTER, character)} if character else ""


def free_slug(actor: Actor, name: str) -> str:
    """Return a slug for a chat of this name that the team does not use; empty for a name without letters."""
    base = slugify(name)[:LONGEST].strip("-")
    if not base:
        return ""
    # what is private to others is taken too, and saying so tells no more than that
    taken = set(
        Item.objects.filter(team_id=actor.team_id, kind=CHAT, slug__startswith=base).values_list("slug", flat=True)
    )
    return base if base not in taken else next(made for n in count(2) if (made := f"{base}-{n}") not in taken)


def extras(actor: Actor, kind: Kind, slug: str) -> dict[str, object]:
    """Let the page of a character begin a chat with it."""
    return {"starts_chat": slug} if kind.name == CHARACTER else {}
