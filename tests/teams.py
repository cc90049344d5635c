"""Alice owns the team, Bob may only look, Charlie belongs to another team: every operation is tried by all three."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.test import TestCase
from django.utils import timezone

from neotavern.accounts import selectors
from neotavern.accounts.actor import SCOPES, Actor
from neotavern.accounts.models import Membership, Team, User
from neotavern.accounts.services import keys

PASSWORD = "correct horse battery"


class Person:
    """A member with an API key of the same rights."""

    def __init__(self, name: str, team: Team, role: str) -> None:
        self.user = User(username=name)
        self.user.set_unusable_password()
        self.user.save()
        self.name = name
        self.team = team
        Membership.objects.create(user=self.user, team=team, role=role)
        self.key = _key(team, name, role)

    @property
    def actor(self) -> Actor:
        """The person as services see them."""
        actor = selectors.member_actor(self.user, self.team.slug)
        assert actor is not None
        return actor


def _key(team: Team, name: str, role: str) -> str:
    scopes = {"owner": SCOPES, "editor": ("read", "render", "write"), "viewer": ("read", "render")}[role]
    return keys.make_key(actor=selectors.command_actor(team), name=name, scopes=scopes).key


def make_team(slug: str) -> Team:
    """Make a team."""
    return Team.objects.create(slug=slug, name=slug.title())


class TeamMixin:
    """Alice, Bob and Charlie, and short ways to call the API as one of them."""

    alice: Person
    bob: Person
    charlie: Person
    client: Any

    def make_people(self) -> None:
        """Make the two teams and their people."""
        self.team = make_team("tavern")
        self.other_team = make_team("harbour")
        self.alice = Person("alice", self.team, "owner")
        self.bob = Person("bob", self.team, "viewer")
        self.charlie = Person("charlie", self.other_team, "owner")
        self.now = timezone.now()

    def call(self, method: str, who: Person | None, url: str, body: Any = None, **headers: str) -> HttpResponse:
        """Call the API with the key of `who` (None: without one)."""
        extra: dict[str, Any] = {"headers": dict(headers)}
        if who is not None:
            extra["headers"]["Authorization"] = f"Bearer {who.key}"
        if body is not None:
            extra |= {"data": body, "content_type": "application/json"}
        response: HttpResponse = getattr(self.client, method)(url, **extra)
        return response

    def get(self, who: Person | None, url: str, **headers: str) -> HttpResponse:
        return self.call("get", who, url, **headers)

    def post(self, who: Person | None, url: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.call("post", who, url, {} if body is None else body, **headers)

    def put(self, who: Person | None, url: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.call("put", who, url, {} if body is None else body, **headers)

    def patch(self, who: Person | None, url: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.call("patch", who, url, {} if body is None else body, **headers)

    def delete(self, who: Person | None, url: str, **headers: str) -> HttpResponse:
        return self.call("delete", who, url, **headers)

    def assert_error(
        self, response: HttpResponse, status: int, code: str, params: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Assert status, code and (when given) params; return the error's body for more."""
        body = response.json()  # type: ignore[attr-defined]
        assert (response.status_code, body["error"]["code"]) == (status, code), body
        if params is not None:
            assert body["error"]["params"] == params, body
        error: dict[str, Any] = body["error"]
        return error


class TeamTestCase(TeamMixin, TestCase):
    """A test with the three people in a transaction that is rolled back."""

    def setUp(self) -> None:
        super().setUp()
        self.make_people()
