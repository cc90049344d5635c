"""What a chat remembers of its lore. A render never writes it: whoever sent the prompt says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from chats.documents import LoreEntry
from chats.entry_reading import current_entry, shown
from chats.models import LoreStateRow
from chats.selectors import message_count
from chats.stored.names import LOREBOOK
from neotavern.accounts import audit
from neotavern.accounts.actor import Actor
from neotavern.library import selectors
from neotavern.library.models import Item
from neotavern.library.services import saving, store


class Sent(NamedTuple):
    """An entry that stood in a prompt: the slug of its book, and its uid."""

    book: str
    uid: str


@transaction.atomic
def remember(actor: Actor, *, chat: Item, sent: Sequence[Sent]) -> None:
    """Begin sticky and cooldown of entries that stood in the prompt of this moment, and forget what is over.

    An entry that is remembered already goes on as it is, so telling twice changes nothing. Raises NOT_FOUND for an
    entry or a book that is not there.
    """
    saving.may_change(actor, chat)
    held = store.lock(chat)
    store.refuse_archived(held)
    now = message_count(held.pk)
    over = Q(sticky_until__lte=now, cooldown_until__lte=now)
    LoreStateRow.objects.filter(over, chat=held).delete()
    live = set(LoreStateRow.objects.filter(chat=held).values_list("book", "entry_uid"))
    rows = []
    for one in dict.fromkeys(sent):
        sticky, cooldown = _times(actor, one)
        if (one.book, one.uid) not in live and (sticky or cooldown):
            until = now + sticky
            rows.append(
                LoreStateRow(
                    chat=held, book=one.book, entry_uid=one.uid, sticky_until=until, cooldown_until=until + cooldown
                )
            )
    LoreStateRow.objects.bulk_create(rows)
    _changed(actor, held, "lore.remember", len(rows))


@transaction.atomic
def forget(actor: Actor, *, chat: Item) -> None:
    """Let a chat forget everything of its lore."""
    saving.may_change(actor, chat)
    held = store.lock(chat)
    store.refuse_archived(held)
    gone, _ = LoreStateRow.objects.filter(chat=held).delete()
    _changed(actor, held, "lore.forget", gone)


def _times(actor: Actor, one: Sent) -> tuple[int, int]:
    book = selectors.get_item(actor, kind=LOREBOOK, slug=one.book)
    entry = LoreEntry.model_validate(shown(current_entry(book, one.uid)))
    return entry.sticky or 0, entry.cooldown or 0


def _changed(actor: Actor, chat: Item, action: str, count: int) -> None:
    store.bump(actor, chat)
    audit.record(actor, action, item_kind=chat.kind, item_slug=chat.slug, after=str(count))
