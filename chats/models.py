"""Tables of what a chat and a lorebook keep beside their documents. Fields and constraints only."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from neotavern.accounts.models import Team
from neotavern.library.models import Item

GAP = 1_024
"""Between the positions of neighbours, so that one can be moved between them without touching the others."""


class ChatMessage(models.Model):
    """One message of a chat. `body` is its JSON without an id, `counts` its tokens (`message_rows.counts_of`)."""

    chat = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="messages", db_index=False)
    position = models.BigIntegerField()
    role = models.CharField(max_length=16)
    body = models.TextField()
    counts = models.TextField(default="{}")
    edited_at = models.DateTimeField()

    class Meta:
        db_table = "chats_message"
        indexes: ClassVar = [
            models.Index(F("chat"), F("position").desc(), F("id").desc(), name="chats_message_order"),
        ]

    def __str__(self) -> str:
        return f"{self.chat_id}:{self.position}"


class LoreEntryRow(models.Model):
    """One state of an entry: book revision n has the rows with since <= n and (until is null or until > n)."""

    book = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="lore_entries", db_index=False)
    uid = models.CharField(max_length=500)
    position = models.BigIntegerField()
    body = models.TextField()
    content_hash = models.CharField(max_length=64)
    since = models.IntegerField()
    until = models.IntegerField(null=True)

    class Meta:
        db_table = "chats_loreentry"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["book", "uid"], condition=Q(until__isnull=True), name="chats_loreentry_now"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["book", "since", "until"], name="chats_loreentry_revision")]

    def __str__(self) -> str:
        return f"{self.book_id}:{self.uid}"


class VectorRow(models.Model):
    """What a text means to a model: `data` are `dim` little-endian float32; `content_hash` is the SHA-256 of the text.

    A text that changes has another hash, so no row is ever out of date.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+", db_index=False)
    model = models.CharField(max_length=200)
    content_hash = models.CharField(max_length=64)
    dim = models.IntegerField()
    data = models.BinaryField()

    class Meta:
        db_table = "chats_vector"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["team", "model", "content_hash"], name="chats_vector_once"),
        ]

    def __str__(self) -> str:
        return f"{self.model}: {self.content_hash[:12]}"


class LoreStateRow(models.Model):
    """What a chat remembers of an entry, in numbers of messages; `book` is the slug that the entry was called from."""

    chat = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="lore_states", db_index=False)
    book = models.CharField(max_length=128)
    entry_uid = models.CharField(max_length=500)
    sticky_until = models.IntegerField()
    cooldown_until = models.IntegerField()

    class Meta:
        db_table = "chats_lorestate"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chat", "book", "entry_uid"], name="chats_lorestate_once"),
        ]

    def __str__(self) -> str:
        return f"{self.chat_id}:{self.book}/{self.entry_uid}"
