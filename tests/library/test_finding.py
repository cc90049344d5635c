"""GET /search: across kinds, best first, of the own team and the built-ins alone."""

from __future__ import annotations

from formats.services.builtins import load_builtins
from neotavern.library import services
from tests.library.samples import instruct_format, preset
from tests.teams import TeamTestCase

SEARCH = "/api/v1/search"


class SearchTests(TeamTestCase):
    def setUp(self) -> None:
        super().setUp()
        for document in (
            instruct_format("house", name="Blue house"),
            instruct_format("shed", "blue paint "),
            preset("blue-ink", name="Ink"),
            preset("gone", name="Blue gone"),
        ):
            services.create(self.alice.actor, kind=document["kind"], document=document)
        services.create(self.charlie.actor, kind="preset", document=preset("theirs", name="Blue too"))
        self.delete(self.alice, "/api/v1/presets/gone")

    def slugs(self, who: object, query: str) -> list[str]:
        return [item["slug"] for item in self.get(who, f"{SEARCH}?{query}").json()["items"]]  # type: ignore[arg-type]

    def test_names_come_first_then_slugs_then_the_rest(self) -> None:
        self.assertEqual(self.slugs(self.bob, "q=BLUE"), ["house", "blue-ink", "shed"])
        self.assertEqual(self.slugs(self.bob, "q=blue&limit=1"), ["house"])
        self.assertEqual(self.slugs(self.bob, "q=paint+blue"), ["shed"])
        self.assertEqual(self.slugs(self.charlie, "q=blue"), ["theirs"])

    def test_a_hit_says_where_it_is(self) -> None:
        hit = {
            "kind": "preset",
            "collection": "presets",
            "slug": "blue-ink",
            "name": "Ink",
            "description": "",
            "builtin": False,
        }
        self.assertEqual(self.get(self.bob, f"{SEARCH}?q=ink").json(), {"items": [hit]})

    def test_no_text_gives_the_newest_and_never_settings(self) -> None:
        self.patch(self.alice, "/api/v1/settings", {"infill": "auto"})
        self.assertEqual(self.slugs(self.bob, ""), ["blue-ink", "shed", "house"])

    def test_built_ins_are_found_unless_the_team_has_its_own(self) -> None:
        load_builtins()
        self.assertIn("chatml", self.slugs(self.bob, "q=chatml"))
        services.create(self.alice.actor, kind="instruct-format", document=instruct_format("chatml"))
        hits = self.get(self.bob, f"{SEARCH}?q=chatml").json()["items"]
        self.assertEqual([hit["builtin"] for hit in hits if hit["slug"] == "chatml"], [False])

    def test_wild_cards_and_odd_characters_are_only_text(self) -> None:
        for query in ("q=%25", "q=_", "q=%00", "q=%1F", "q=%5C"):
            self.assertEqual(self.get(self.bob, f"{SEARCH}?{query}").status_code, 200, query)
        self.assertEqual(self.slugs(self.bob, "q=%25"), [])

    def test_who_may(self) -> None:
        self.assert_error(self.get(None, SEARCH), 401, "UNAUTHENTICATED")
        self.assert_error(self.get(self.bob, f"{SEARCH}?limit=0"), 422, "VALIDATION")
