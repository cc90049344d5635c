"""Threads of a worker stay on one core, workers are spread over all of them."""

from __future__ import annotations

import os
import threading
from typing import Any
from unittest import mock

import pytest

from neotavern.middleware.one_core import OneCore, bind, core_of_worker

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system binds no threads")


def in_thread(application: OneCore) -> set[int]:
    """Call the application in a thread of its own and return the cores that the thread may use then."""
    seen: list[set[int]] = []

    def work() -> None:
        application({}, lambda *given: None)
        seen.append(os.sched_getaffinity(0))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return seen[0]


def echo(environ: Any, start_response: Any) -> list[bytes]:
    return [b"here"]


def test_a_thread_is_bound_when_it_serves_and_others_stay_free() -> None:
    core = min(os.sched_getaffinity(0))
    assert in_thread(OneCore(echo, core)) == {core}
    assert core in os.sched_getaffinity(0)
    assert len(os.sched_getaffinity(0)) == len(in_thread(OneCore(echo, None)))


def test_a_system_that_refuses_changes_nothing() -> None:
    with mock.patch("os.sched_setaffinity", side_effect=OSError):
        bind(0)


def test_workers_get_one_core_after_the_other() -> None:
    cores = {2, 3, 7}
    got = []
    with mock.patch("os.sched_getaffinity", return_value=cores), mock.patch("os.getppid", return_value=0):
        for name in ("MainProcess", "Process-1", "SpawnProcess-2", "Process-3"):
            with mock.patch("multiprocessing.current_process") as process:
                process.return_value.name = name
                got.append(core_of_worker())
    assert got == [2, 3, 7, 2]


def test_one_core_leaves_no_choice() -> None:
    with mock.patch("os.sched_getaffinity", return_value={5}):
        assert core_of_worker() is None
