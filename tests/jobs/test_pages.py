"""The page of jobs as Alice (owner), Bob (viewer), Charlie (another team) and nobody see it."""

from __future__ import annotations

from neotavern.jobs.models import Job, State
from tests.jobs.test_running import JobsTestCase
from tests.web.case import PageCase

URL = "/t/tavern/jobs/"


class JobsPage(PageCase, JobsTestCase):
    def page(self, name: str) -> str:
        self.client.force_login(getattr(self, name).user)
        answer = self.client.get(URL)
        assert answer.status_code == 200
        return answer.content.decode()

    def test_a_running_job_has_a_bar_and_the_page_looks_again(self) -> None:
        self.ask(subject="lorebook/house")
        Job.objects.update(state=State.RUNNING, done=1, total=4)
        shown = self.page("bob")
        assert '<progress max="100" value="25" aria-label="Counting lorebook/house">' in shown
        assert 'hx-trigger="every 3s"' in shown

    def test_once_all_are_done_it_looks_no_more(self) -> None:
        self.after(self.ask())
        assert "every 3s" not in self.page("bob")

    def test_only_editors_have_buttons(self) -> None:
        self.ask()
        assert ("/cancel/" in self.page("alice"), "/cancel/" in self.page("bob")) == (True, False)

    def test_calling_off_and_trying_again(self) -> None:
        job = self.ask()
        self.client.force_login(self.alice.user)
        for action, state in (("cancel", "cancelled"), ("retry", "waiting")):
            self.assertRedirects(self.client.post(f"{URL}{job.pk}/{action}/"), URL)
            job.refresh_from_db()
            assert job.state == state

    def test_what_has_ended_meanwhile_is_said(self) -> None:
        job = self.after(self.ask())
        self.client.force_login(self.alice.user)
        answer = self.client.post(f"{URL}{job.pk}/cancel/", follow=True)
        assert "It has ended already." in answer.content.decode()

    def test_a_viewer_may_not(self) -> None:
        job = self.ask()
        self.client.force_login(self.bob.user)
        assert self.client.post(f"{URL}{job.pk}/cancel/").status_code == 403

    def test_for_another_team_there_is_nothing(self) -> None:
        job = self.ask()
        self.client.force_login(self.charlie.user)
        assert self.client.get(URL).status_code == 404
        assert self.client.post(f"/t/harbour/jobs/{job.pk}/cancel/").status_code == 404

    def test_nobody_is_sent_to_log_in(self) -> None:
        assert self.client.get(URL)["Location"] == f"/login/?next={URL}"

    def test_without_jobs_it_says_what_would_be_here(self) -> None:
        assert "No jobs" in self.page("bob")
