"""Stored characters, books and chats over HTTP, by Alice (owner), Bob (viewer), Charlie (another team), nobody."""

from __future__ import annotations

from typing import Any

from tests.teams import Person, TeamTestCase

API = "/api/v1"


class StoriesTestCase(TeamTestCase):
    """With an editor, Edith, and short ways to make things."""

    def setUp(self) -> None:
        super().setUp()
        self.edith = Person("edith", self.team, "editor")

    def make(self, path: str, who: Person | None = None, **document: Any) -> dict[str, Any]:
        answer = self.post(who or self.alice, f"{API}/{path}", {"document": document})
        assert answer.status_code == 201, answer.content
        body: dict[str, Any] = answer.json()
        return body

    def assert_who(self, method: str, url: str, body: Any = None, *, viewer: int = 403) -> None:
        """Nobody 401, another team 404, a viewer `viewer`."""
        self.assert_error(self.call(method, None, url, body), 401, "UNAUTHENTICATED")
        self.assert_error(self.call(method, self.charlie, url, body), 404, "NOT_FOUND")
        assert self.call(method, self.bob, url, body).status_code == viewer
