"""Chats and personas are their author's until shared: for other people, for keys, in lists, searches and renders."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from neotavern.accounts import selectors as accounts
from neotavern.accounts.models import ApiKey
from neotavern.library import finding, resolve, selectors, services
from neotavern.library.models import Item
from neotavern.library.resolve import KeyCaller, MemberCaller, Ref, TeamCaller
from tests.chats.stored.base import API, StoriesTestCase
from tests.teams import Person


class PrivacyTests(StoriesTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.carol = Person("carol", self.team, "editor")

    def private(self, kind: str = "chat", slug: str = "night", **fields: Any) -> Item:
        document = {"id": slug, "name": "Night", **fields}
        return services.create(self.edith.actor, kind=kind, document=document).item

    def found(self, caller: resolve.Caller) -> bool:
        return resolve.resolve(caller, [Ref("chat", "night")], now=timezone.now()).found[0] is not None

    def test_a_private_chat_exists_for_its_author_alone(self) -> None:
        self.private()
        assert selectors.get_item(self.edith.actor, kind="chat", slug="night").slug == "night"
        for other in (self.alice, self.bob, self.carol, self.charlie):
            assert selectors.list_items(other.actor, kind="chat").items == []
            assert finding.find(other.actor, "night") == []
            self.assert_error(self.get(other, f"{API}/chats/night"), 404, "NOT_FOUND", {"slug": "night"})
        assert [one["slug"] for one in selectors.list_items(self.edith.actor, kind="chat").items] == ["night"]
        assert [one["slug"] for one in finding.find(self.edith.actor, "night")] == ["night"]

    def test_a_render_finds_it_for_its_author_alone(self) -> None:
        self.private()
        assert self.found(TeamCaller.of(self.edith.actor))
        assert self.found(MemberCaller(self.edith.user.pk, self.team.pk))
        assert not self.found(TeamCaller.of(self.alice.actor))
        assert not self.found(MemberCaller(self.alice.user.pk, self.team.pk))
        assert not self.found(TeamCaller(self.team.pk))
        assert not self.found(KeyCaller(self.edith.key))
        key_actor = accounts.key_actor(self.edith.key)
        assert key_actor is not None
        assert not self.found(TeamCaller.of(key_actor))

    def test_a_key_sees_what_it_made_and_its_maker_sees_that_too(self) -> None:
        ApiKey.objects.filter(name="edith").update(made_by=self.edith.user)
        self.make("chats", self.edith, id="night", name="Night")
        assert self.found(KeyCaller(self.edith.key))
        assert not self.found(KeyCaller(self.alice.key))
        assert self.get(self.edith, f"{API}/chats/night").status_code == 200
        self.assert_error(self.get(self.carol, f"{API}/chats/night"), 404, "NOT_FOUND")
        assert selectors.get_item(self.edith.actor, kind="chat", slug="night").is_private

    def test_sharing_shows_it_and_only_the_author_takes_that_back(self) -> None:
        self.make("personas", self.edith, id="bob", name="Bob")
        url = f"{API}/personas/bob"
        shared = {"id": "bob", "name": "Bob", "shared": True}
        assert self.put(self.edith, url, {"document": shared, "baseRevision": 1}).status_code == 200
        assert self.get(self.bob, url).json()["document"]["shared"] is True
        mine = {"document": {"id": "bob", "name": "Robert"}, "baseRevision": 2}
        self.assert_error(self.put(self.carol, url, mine), 403, "FORBIDDEN")
        assert self.put(self.carol, url, {"document": {**shared, "title": "T"}, "baseRevision": 2}).status_code == 200
        assert self.put(self.edith, url, mine | {"baseRevision": 3}).status_code == 200
        self.assert_error(self.get(self.carol, url), 404, "NOT_FOUND")
        assert self.get(self.edith, url).status_code == 200

    def test_a_private_slug_is_taken_and_nothing_more_is_said(self) -> None:
        self.private()
        taken = self.post(self.carol, f"{API}/chats", {"document": {"id": "night", "name": "Mine"}})
        self.assert_error(taken, 409, "CONFLICT", {"slug": "night"})
        other = self.post(self.carol, f"{API}/import", {"kind": "chat", "id": "night", "name": "Mine"})
        assert other.json()["items"][0]["slug"] == "night-2"

    def test_others_can_not_name_it_and_a_shared_chat_does_not(self) -> None:
        self.private("persona", "bob", shared=False)
        named = {"document": {"id": "day", "name": "Day", "persona": "bob"}}
        error = self.assert_error(self.post(self.carol, f"{API}/chats", named), 422, "VALIDATION")
        assert error["details"][0]["path"] == "persona"
        mine = services.create(self.edith.actor, kind="chat", document=named["document"])
        assert mine.revision.number == 1
        document = {**named["document"], "shared": True}
        refused = None
        try:
            services.save(self.edith.actor, item=mine.item, document=document, base_revision=1)
        except Exception as error:  # noqa: BLE001 - looked at below
            refused = str(error)
        assert refused is not None
        assert "private" in refused

    def test_what_it_uses_says_only_that_something_private_does(self) -> None:
        self.make("characters", id="keeper", name="Keeper")
        self.private(character="keeper")
        error = self.assert_error(self.delete(self.alice, f"{API}/characters/keeper"), 409, "CONFLICT")
        assert error["params"]["usedBy"] == [{"kind": "chat", "slug": "private", "path": "character"}]

    def test_a_command_sees_everything(self) -> None:
        self.private()
        actor = accounts.command_actor(self.team)
        assert [one["slug"] for one in selectors.list_items(actor, kind="chat").items] == ["night"]
