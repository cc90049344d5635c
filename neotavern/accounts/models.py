"""Tables of people: users, teams, memberships, invitations, API keys, audit entries. Fields and constraints only."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person who logs in. The e-mail address is optional: no mail server is needed."""

    email = models.EmailField(_("e-mail address"), blank=True)


class Team(models.Model):
    """The owner of stored objects. Its slug is part of every page's address and never changes."""

    slug = models.SlugField(max_length=64, unique=True)
    name = models.CharField(max_length=200)
    policy = models.TextField(default="{}", help_text="JSON: protected labels and defaults")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.slug


class Role(models.TextChoices):
    """What a member may do; each role includes those below it (see permissions.py)."""

    OWNER = "owner", _("Owner")
    ADMIN = "admin", _("Administrator")
    EDITOR = "editor", _("Editor")
    VIEWER = "viewer", _("Viewer")


class Membership(models.Model):
    """A user's role in a team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=16, choices=Role.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["team", "user"], name="accounts_membership_once"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="accounts_membership_role"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.team_id}: {self.role}"


class Invitation(models.Model):
    """A link that makes its first user a member. Only the digest of the link's secret is stored."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="invitations")
    digest = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=16, choices=Role.choices)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    revoked_at = models.DateTimeField(null=True, blank=True)
    note = models.CharField(max_length=200, blank=True, help_text="for whom it is")

    def __str__(self) -> str:
        return f"invitation {self.pk}"


class ApiKey(models.Model):
    """A program's key. The key itself is shown once and never stored: `digest` is the SHA-256 of it."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=200)
    prefix = models.CharField(max_length=16, help_text="the first characters, to recognise the key by")
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.CharField(max_length=64, help_text="space-separated: read render write admin")
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    made_by_name = models.CharField(max_length=150, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["team", "id"], name="accounts_apikey_team")]

    def __str__(self) -> str:
        return f"{self.prefix}… {self.name}"


class AppendOnlyError(TypeError):
    """The trail was about to be changed: a fault of ours."""

    def __init__(self) -> None:
        super().__init__("audit entries are only added, never changed or deleted")


class AppendOnlyRows(models.QuerySet["AuditEntry"]):
    """Rows that are read and added."""

    def update(self, **kwargs: Any) -> int:
        """Refuse."""
        raise AppendOnlyError

    def delete(self) -> Any:
        """Refuse."""
        raise AppendOnlyError

    def bulk_update(self, *args: Any, **kwargs: Any) -> int:
        """Refuse."""
        raise AppendOnlyError


class AuditEntry(models.Model):
    """Who did what to which object, from which revision to which. Never changed, survives what it speaks of."""

    objects = AppendOnlyRows.as_manager()

    team_id = models.BigIntegerField()
    at = models.DateTimeField()
    actor_kind = models.CharField(max_length=16)
    actor_id = models.BigIntegerField(null=True)
    actor_name = models.CharField(max_length=150, blank=True)
    via = models.CharField(max_length=32)
    action = models.CharField(max_length=64)
    item_kind = models.CharField(max_length=64, blank=True)
    item_slug = models.CharField(max_length=128, blank=True)
    from_number = models.IntegerField(null=True)
    to_number = models.IntegerField(null=True)
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)
    request_id = models.CharField(max_length=64, blank=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(models.F("team_id"), models.F("id").desc(), name="accounts_audit_team"),
            models.Index(
                models.F("team_id"),
                models.F("item_kind"),
                models.F("item_slug"),
                models.F("id").desc(),
                name="accounts_audit_item",
            ),
        ]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Add the entry; refuse to change one that stands."""
        if not self._state.adding:
            raise AppendOnlyError
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse."""
        raise AppendOnlyError

    def __str__(self) -> str:
        return f"{self.at} {self.action} {self.item_kind} {self.item_slug}"
