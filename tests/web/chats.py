"""Chats for tests of their pages: small stories of Alice's, and what her browser sends."""

from __future__ import annotations

from typing import Any

import orjson

from chats import selectors as rows
from chats.models import ChatMessage
from neotavern.library import selectors, services
from neotavern.library.models import Item
from tests.web.case import PageCase

HTMX = {"HX-Request": "true"}
CHAT = {"kind": "chat", "version": 1}


class ChatCase(PageCase):
    """A chat `night` of Alice's, shared with the team, with the messages `One`, `Two` and `Three`."""

    def setUp(self) -> None:
        super().setUp()
        self.chat = self.chat_of("night", name="Night", shared=True)
        self.say(self.chat, ("user", "One"), ("assistant", "Two"), ("user", "Three"))

    def store(self, kind: str, slug: str, **document: Any) -> Item:
        """Store an object of Alice's."""
        made = {"kind": kind, "version": 1, "id": slug, "name": slug.title()} | document
        return services.create(self.alice.actor, kind=kind, document=made).item

    def chat_of(self, slug: str, **settings: Any) -> Item:
        """Store a chat of Alice's."""
        return self.store("chat", slug, **settings)

    def say(self, chat: Item, *turns: tuple[str, str], **more: Any) -> list[str]:
        """Add messages, and return their ids."""
        from chats.services.messages import add_messages

        messages = [{"role": role, "content": text, **more} for role, text in turns]
        return [str(row.pk) for row in add_messages(self.alice.actor, chat=chat, messages=messages)]

    def ids(self, chat: Item | None = None) -> list[str]:
        """The ids of a chat's messages in order."""
        return [str(one.id) for one in rows.stored_messages((chat or self.chat).pk)]

    def texts(self, chat: Item | None = None) -> list[Any]:
        """What a chat's messages say, in order."""
        return [orjson.loads(one.body).get("content") for one in rows.stored_messages((chat or self.chat).pk)]

    def body(self, number: str) -> dict[str, Any]:
        """One message as it is stored."""
        found: dict[str, Any] = orjson.loads(ChatMessage.objects.get(pk=int(number)).body)
        return found

    def settings(self, slug: str = "night") -> dict[str, Any]:
        """The newest settings of a chat."""
        item = selectors.get_item(self.alice.actor, kind="chat", slug=slug, archived=True)
        return selectors.document(item, selectors.revision(item))

    def form(self, slug: str = "night", **typed: str) -> dict[str, str]:
        """What the settings' form sends: only what was typed differs from what is stored."""
        document = self.settings(slug)
        item = selectors.get_item(self.alice.actor, kind="chat", slug=slug)
        base = {"base": orjson.dumps(document).decode(), "baseRevision": str(item.last_number), "d.all": "1"}
        return base | {"d.name": str(document["name"])} | typed
