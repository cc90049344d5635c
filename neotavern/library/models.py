"""Tables of stored documents: items, their revisions, labels, tags and references. Fields and constraints only.

Documents are TEXT: PostgreSQL's jsonb reorders keys and rewrites numbers, so the two databases would export different
bytes.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from neotavern.accounts.models import ApiKey, Team
from neotavern.ground.limits import MAX_NOTE_CHARACTERS, MAX_SLUG_CHARACTERS

NAME_CHARACTERS = 255


class Item(models.Model):
    """One stored object: a slug of a kind in a team, or a built-in (no team). Its texts are in its revisions.

    `last_number` is the newest revision, of any colour; `head` is what `latest` means: the newest whose checks are
    green or forced, null when there is none. `row_version` grows with every change, labels and tags included.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, related_name="items", db_index=False)
    kind = models.CharField(max_length=40)
    slug = models.CharField(max_length=MAX_SLUG_CHARACTERS)
    name = models.CharField(max_length=NAME_CHARACTERS)
    description = models.TextField(blank=True)
    search_text = models.TextField(blank=True, help_text="case-folded name, slug, tags, description and templates")
    origin = models.CharField(max_length=200, blank=True, help_text="for imports: family and id of the source")
    is_private = models.BooleanField(default=False, help_text="its author's alone: see privacy.py")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    owner_key = models.ForeignKey(ApiKey, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False)
    head = models.IntegerField(null=True)
    last_number = models.IntegerField(default=0)
    row_version = models.IntegerField(default=0)
    archived_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    updated_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    updated_by_name = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["team", "kind", "slug"], condition=Q(team__isnull=False), name="library_item_team_slug"
            ),
            models.UniqueConstraint(
                fields=["kind", "slug"], condition=Q(team__isnull=True), name="library_item_builtin_slug"
            ),
        ]
        indexes: ClassVar = [
            models.Index(F("team"), F("kind"), F("updated_at").desc(), F("id").desc(), name="library_item_recent"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.slug}"

    @property
    def is_builtin(self) -> bool:
        """True for an object that belongs to nobody and everybody."""
        return self.team_id is None

    @property
    def is_archived(self) -> bool:
        """True for an object in the trash."""
        return self.archived_at is not None


class ItemTag(models.Model):
    """A tag of an item."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="tag_rows", db_index=False)
    tag = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["item", "tag"], name="library_itemtag_once")]
        indexes: ClassVar = [models.Index(fields=["tag"], name="library_itemtag_tag")]

    def __str__(self) -> str:
        return self.tag


class ImportBatch(models.Model):
    """One import: what it was asked to bring and what became of each part."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    made_by_name = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()
    report = models.TextField(default="[]")
    undone_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"import {self.pk}"


class Checks(models.TextChoices):
    """Colour of a revision: forced is a red one that a person published on purpose, with a note."""

    GREEN = "green"
    RED = "red"
    FORCED = "forced"


class Revision(models.Model):
    """One saved text of an item; never changed, and deleted only together with its item."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="revisions", db_index=False)
    number = models.IntegerField()
    document = models.TextField(help_text="JSON as saved, order of keys kept")
    content_hash = models.CharField(max_length=64, help_text="SHA-256 of the canonical form")
    checks = models.CharField(max_length=6, choices=Checks.choices)
    findings = models.TextField(default="[]")
    note = models.CharField(max_length=MAX_NOTE_CHARACTERS, blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    author_name = models.CharField(max_length=200, blank=True)
    batch = models.ForeignKey(ImportBatch, on_delete=models.SET_NULL, null=True, related_name="revisions")
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["item", "number"], name="library_revision_number"),
            models.CheckConstraint(condition=Q(checks__in=Checks.values), name="library_revision_checks"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}@{self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert. Raises TypeError for a stored revision: history is written once."""
        if not self._state.adding:
            raise TypeError("A revision never changes: save a new one.")
        super().save(*args, **kwargs)


class Label(models.Model):
    """A name that a person points at one revision of an item; `latest` moves by itself and is not stored."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="labels", db_index=False)
    name = models.CharField(max_length=64)
    number = models.IntegerField()
    moved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    moved_by_name = models.CharField(max_length=200, blank=True)
    moved_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["item", "name"], name="library_label_once"),
            models.CheckConstraint(condition=~Q(name="latest"), name="library_label_not_latest"),
        ]

    def __str__(self) -> str:
        return f"{self.name} → {self.number}"


class Reference(models.Model):
    """What a revision names at `path`: another object by kind and slug, at `pin` (latest, a label or a number).

    An object is in use when a revision that is some item's head, or labelled, refers to it.
    """

    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="references", db_index=False)
    path = models.CharField(max_length=200)
    target_kind = models.CharField(max_length=40)
    target_slug = models.CharField(max_length=MAX_SLUG_CHARACTERS)
    pin = models.CharField(max_length=64, default="latest")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["revision", "path"], name="library_reference_once")]
        indexes: ClassVar = [models.Index(fields=["target_kind", "target_slug"], name="library_reference_target")]

    def __str__(self) -> str:
        return f"{self.path}: {self.target_kind} {self.target_slug}@{self.pin}"
