"""Tags that a person puts on an item. They stand beside those of its document and make no revision."""

from __future__ import annotations

from django.db import transaction

from neotavern.accounts import audit
from neotavern.accounts.actor import Actor
from neotavern.ground.errors import conflict, invalid
from neotavern.library.models import Item
from neotavern.library.services import saving, store

MAX_TAG_CHARACTERS = 64
MAX_TAGS = 200


def checked_tag(tag: str) -> str:
    """Return `tag` without space around it. Raises VALIDATION when it can not be one."""
    text = tag.strip()
    if not text or len(text) > MAX_TAG_CHARACTERS or not text.isprintable():
        raise invalid("tag", f"A tag is 1 to {MAX_TAG_CHARACTERS} printable characters.")
    return text


@transaction.atomic
def add_tag(actor: Actor, *, item: Item, tag: str) -> bool:
    """Put a tag on an item; False when it had it already. It stays until a person takes it off, through every save."""
    saving.may_change(actor, item)
    text = checked_tag(tag)
    held = store.lock(item)
    tags = store.tags_of(held)
    if text in tags:
        return False
    if len(tags) >= MAX_TAGS:
        raise invalid("tag", f"An object has at most {MAX_TAGS} tags.")
    _change(actor, held, [*tags, text])
    audit.record(actor, "tag.add", item_kind=held.kind, item_slug=held.slug, after=text)
    return True


@transaction.atomic
def remove_tag(actor: Actor, *, item: Item, tag: str) -> bool:
    """Take a tag off an item; False when it had none. Raises CONFLICT for a tag that the document itself has."""
    saving.may_change(actor, item)
    text = checked_tag(tag)
    held = store.lock(item)
    tags = store.tags_of(held)
    if text not in tags:
        return False
    if text in store.document_tags(held):
        raise conflict(f"The document of {held.slug!r} has the tag {text!r}: save it without.", slug=held.slug)
    _change(actor, held, [one for one in tags if one != text])
    audit.record(actor, "tag.remove", item_kind=held.kind, item_slug=held.slug, before=text)
    return True


def _change(actor: Actor, item: Item, tags: list[str]) -> None:
    item.search_text = store.with_tags(item.search_text, store.set_tags(item, tags))
    store.bump(actor, item)
