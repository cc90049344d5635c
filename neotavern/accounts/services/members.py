"""Members of a team: added by an administrator, their roles changed, taken out again."""

from __future__ import annotations

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from neotavern.accounts import audit, permissions
from neotavern.accounts.actor import Actor
from neotavern.accounts.models import Membership, Role, User
from neotavern.ground.errors import conflict, forbidden, invalid, not_found


def checked_role(actor: Actor, value: str) -> str:
    """Return a role that `actor` may hand out: only an owner makes owners."""
    if value not in Role.values:
        raise invalid("role", _("A role is one of %(known)s.") % {"known": ", ".join(Role.values)})
    if value == Role.OWNER and actor.role not in {Role.OWNER, ""}:
        raise forbidden(_("Only an owner makes another owner."))
    return value


@transaction.atomic
def add_member(*, actor: Actor, username: str, role: str, password: str) -> Membership:
    """Make a new user with `password` a member. Raises CONFLICT when the user name is taken."""
    permissions.require(actor, "administer")
    chosen = checked_role(actor, role)
    user = _new_user(username, password)
    membership = Membership.objects.create(team_id=actor.team_id, user=user, role=chosen)
    audit.record(actor, "member.add", item_kind="member", item_slug=user.username, after=chosen)
    return membership


def _new_user(username: str, password: str) -> User:
    user = User(username=username.strip())
    try:
        user.full_clean(exclude=["password"], validate_unique=False)
        validate_password(password, user)
    except ValidationError as error:
        path = "username" if hasattr(error, "message_dict") else "password"
        raise invalid(path, " ".join(error.messages)) from error
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise conflict(_("This user name is taken. Invite its owner by link instead."), username=username) from error
    return user


@transaction.atomic
def set_role(*, actor: Actor, username: str, role: str) -> Membership:
    """Change a member's role. The last owner stays one, and only an owner changes an owner."""
    permissions.require(actor, "administer")
    chosen = checked_role(actor, role)
    membership = _locked(actor, username)
    if membership.role == chosen:
        return membership
    _guard_owner(actor, membership)
    before = membership.role
    Membership.objects.filter(pk=membership.pk).update(role=chosen)
    membership.role = chosen
    audit.record(actor, "member.role", item_kind="member", item_slug=username, before=before, after=chosen)
    return membership


@transaction.atomic
def remove_member(*, actor: Actor, username: str) -> None:
    """Take a member out of the team; the account and what it wrote stay."""
    permissions.require(actor, "administer")
    membership = _locked(actor, username)
    _guard_owner(actor, membership)
    before = membership.role
    membership.delete()
    audit.record(actor, "member.remove", item_kind="member", item_slug=username, before=before)


def _locked(actor: Actor, username: str) -> Membership:
    """Return the membership with all of the team's memberships locked, so that two owners can not both step down."""
    rows = Membership.objects.select_for_update().filter(team_id=actor.team_id).order_by("id")
    for row in rows.select_related("user"):
        if row.user.username == username:
            return row
    raise not_found("This member", username=username)


def _guard_owner(actor: Actor, membership: Membership) -> None:
    if membership.role != Role.OWNER:
        return
    if actor.role not in {Role.OWNER, ""}:
        raise forbidden(_("Only an owner changes an owner."))
    if Membership.objects.filter(team_id=actor.team_id, role=Role.OWNER).count() == 1:
        raise conflict(_("This is the team's last owner: make another one first."), usedBy=["team"])
