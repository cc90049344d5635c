"""How far a book is, by API and page, as Alice (owner), Bob (viewer), Charlie (another team) and nobody see it."""

from __future__ import annotations

from neotavern.jobs.models import Job, State
from tests.chats.embedding.base import EmbeddingTestCase
from tests.jobs.base import work_off

URL = "/api/v1/lorebooks/house/vectors"
PAGE = "/t/tavern/lorebooks/house/vectors/"
HTMX = {"HX-Request": "true"}


class VectorsApi(EmbeddingTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.stored = self.book("lamp", "dragon")

    def test_how_far_it_is_before_and_after(self) -> None:
        assert self.get(self.bob, URL).json() == {"model": "ideas", "total": 2, "made": 0, "job": None}
        asked = self.post(self.alice, URL)
        assert (asked.status_code, asked.json()["job"]["state"]) == (202, "waiting")
        work_off()
        body = self.get(self.bob, URL).json()
        assert (body["made"], body["job"]["state"], body["job"]["madeBy"]) == (2, "done", "alice")

    def test_who_may(self) -> None:
        self.assert_who("post", URL)
        self.assert_error(self.get(self.charlie, URL), 404, "NOT_FOUND")
        self.assert_error(self.get(None, URL), 401, "UNAUTHENTICATED")

    def test_a_server_without_a_model(self) -> None:
        self.model = None
        assert self.get(self.bob, URL).json() == {"model": None, "total": 2, "made": 0, "job": None}


class VectorsPart(EmbeddingTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.stored = self.book("lamp", "dragon")

    def part(self, name: str) -> str:
        self.client.force_login(getattr(self, name).user)
        answer = self.client.get(PAGE, headers=HTMX)
        assert answer.status_code == 200
        return answer.content.decode()

    def test_what_is_missing_and_who_may_have_it_made(self) -> None:
        assert "2 texts have no vector yet" in self.part("bob")
        assert ("Make them" in self.part("alice"), "Make them" in self.part("bob")) == (True, False)

    def test_a_bar_while_a_job_runs_and_a_sentence_afterwards(self) -> None:
        self.client.force_login(self.alice.user)
        assert "waits for a worker" in self.client.post(PAGE, headers=HTMX).content.decode()
        Job.objects.update(state=State.RUNNING, done=1, total=2)
        assert '<progress max="100" value="50"' in self.part("bob")
        Job.objects.update(state=State.WAITING)
        work_off()
        assert "Its 2 texts can be found by what they mean" in self.part("bob")

    def test_without_a_model_there_is_nothing(self) -> None:
        self.model = None
        assert self.part("bob").strip() == '<div id="vectors"></div>'

    def test_a_viewer_may_not_ask(self) -> None:
        self.client.force_login(self.bob.user)
        assert self.client.post(PAGE, headers=HTMX).status_code == 403

    def test_for_another_team_there_is_no_book(self) -> None:
        self.client.force_login(self.charlie.user)
        assert self.client.get(PAGE, headers=HTMX).status_code == 404

    def test_the_address_itself_leads_to_the_book(self) -> None:
        self.client.force_login(self.bob.user)
        assert self.client.get(PAGE)["Location"] == "/t/tavern/lorebooks/house/"
