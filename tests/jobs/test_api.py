"""/jobs by Alice (owner), Bob (viewer), Charlie (another team), nobody."""

from __future__ import annotations

from typing import Any

from neotavern.accounts.models import AuditEntry
from neotavern.jobs.models import Job, State
from tests.jobs.test_running import JobsTestCase

URL = "/api/v1/jobs"


class JobsApi(JobsTestCase):
    def shown(self, job: Job) -> dict[str, Any]:
        answer = self.get(self.bob, f"{URL}/{job.pk}")
        assert answer.status_code == 200
        body: dict[str, Any] = answer.json()
        return body

    def test_a_job_as_it_is_told_of(self) -> None:
        job = self.after(self.ask(subject="lorebook/house"))
        assert {key: value for key, value in self.shown(job).items() if not key.endswith("At")} == {
            "id": job.pk, "kind": "counting", "subject": "lorebook/house", "state": "done", "done": 3, "total": 3,
            "result": {"counted": 3}, "error": "", "attempts": 1, "madeBy": "",
        }  # fmt: skip

    def test_the_list_is_newest_first_in_pages(self) -> None:
        jobs = [self.ask(subject=str(at)) for at in range(3)]
        first = self.get(self.bob, f"{URL}?limit=2").json()
        rest = self.get(self.bob, f"{URL}?limit=2&cursor={first['nextCursor']}").json()
        assert [one["id"] for one in [*first["items"], *rest["items"]]] == [job.pk for job in jobs[::-1]]
        assert rest["nextCursor"] is None

    def test_filters(self) -> None:
        done, waits = self.after(self.ask(subject="a")), self.ask(subject="b")
        for query, expected in (("open=true", waits), ("open=false", done), ("subject=a", done)):
            assert [one["id"] for one in self.get(self.bob, f"{URL}?{query}").json()["items"]] == [expected.pk]
        assert self.get(self.bob, f"{URL}?kind=other").json()["items"] == []

    def test_another_team_sees_nothing(self) -> None:
        job = self.ask()
        assert self.get(self.charlie, URL).json() == {"items": [], "nextCursor": None}
        for method, path in (("get", ""), ("post", "/cancel"), ("post", "/retry")):
            self.assert_error(self.call(method, self.charlie, f"{URL}/{job.pk}{path}"), 404, "NOT_FOUND")

    def test_nobody(self) -> None:
        self.assert_error(self.get(None, URL), 401, "UNAUTHENTICATED")

    def test_a_viewer_looks_and_touches_nothing(self) -> None:
        job = self.ask()
        for path in ("cancel", "retry"):
            self.assert_error(self.post(self.bob, f"{URL}/{job.pk}/{path}"), 403, "FORBIDDEN")

    def test_calling_off_and_trying_again(self) -> None:
        job = self.ask()
        assert self.post(self.alice, f"{URL}/{job.pk}/cancel").json()["state"] == "cancelled"
        assert self.after(job).state == "cancelled"
        assert self.post(self.alice, f"{URL}/{job.pk}/retry").json()["state"] == "waiting"
        assert self.after(job).state == "done"
        assert list(AuditEntry.objects.filter(item_kind="job").order_by("id").values_list("action", "after")) == [
            ("job.cancel", f"counting {job.pk}"), ("job.retry", f"counting {job.pk}"),
        ]  # fmt: skip

    def test_what_has_ended_is_not_called_off(self) -> None:
        job = self.after(self.ask())
        for path in ("cancel", "retry"):
            answer = self.post(self.alice, f"{URL}/{job.pk}/{path}")
            self.assert_error(answer, 409, "CONFLICT", {"state": "done"})

    def test_one_that_a_twin_waits_for_is_not_tried_again(self) -> None:
        job = self.ask(subject="a")
        Job.objects.update(state=State.FAILED)
        self.ask(subject="a")
        self.assert_error(self.post(self.alice, f"{URL}/{job.pk}/retry"), 409, "CONFLICT", {"state": "failed"})

    def test_an_unknown_job(self) -> None:
        self.assert_error(self.get(self.alice, f"{URL}/{2**70}"), 404, "NOT_FOUND")
