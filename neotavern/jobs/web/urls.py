"""Page addresses of jobs, below /t/<team>/."""

from __future__ import annotations

from django.urls import path

from neotavern.jobs.web import pages

urlpatterns = [
    path("jobs/", pages.jobs, name="jobs"),
    path("jobs/<int:job_id>/cancel/", pages.cancel, name="job-cancel"),
    path("jobs/<int:job_id>/retry/", pages.retry, name="job-retry"),
]
