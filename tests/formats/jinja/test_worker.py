"""The worker process: started when needed, gone when killed, one for each process."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from formats.jinja import JinjaLimitError
from formats.jinja.worker import Worker


@pytest.fixture
def worker():
    made = Worker()
    yield made
    made.close()


def text(worker: Worker, source: str, variables: str = "{}") -> str:
    return worker.render(source, source, [variables.encode()], None)[1][0]


def test_starts_with_the_first_request_and_stays(worker: Worker) -> None:
    assert worker._process is None
    assert text(worker, "{{ 1 }}") == "1"
    first = worker._process.pid
    assert text(worker, "{{ 2 }}") == "2"
    assert worker._process.pid == first


def test_a_worker_that_was_killed_is_replaced(worker: Worker) -> None:
    text(worker, "{{ 1 }}")
    os.kill(worker._process.pid, signal.SIGKILL)
    worker._process.wait()
    assert text(worker, "{{ 1 }}") == "1"


def test_a_template_that_ends_its_worker_is_a_limit_error(worker: Worker) -> None:
    source = "{% if x %}{% set n = namespace() %}{% set n.x = n %}{{ n }}{% endif %}ok"
    _, (first, second, third) = worker.render("k", source, [b'{"x": 0}', b'{"x": 1}', b'{"x": 0}'], None)
    assert (first, str(second)) == ("ok", "the template took more memory or time, or nested deeper, than it may")
    assert isinstance(second, JinjaLimitError)
    assert third is second
    assert text(worker, "{{ 1 }}") == "1"


def test_templates_that_the_worker_forgot_are_sent_again(worker: Worker) -> None:
    assert text(worker, "{{ 0 }}") == "0"
    for at in range(70):
        text(worker, f"{{{{ {at} }}}}!")
    assert text(worker, "{{ 0 }}") == "0"


def test_threads_share_it(worker: Worker) -> None:
    found: dict[int, str] = {}

    def ask(at: int) -> None:
        found[at] = text(worker, "{{ x * 2 }}", f'{{"x": {at}}}')

    threads = [threading.Thread(target=ask, args=(at,)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {at: str(at * 2) for at in range(8)}


def test_large_requests_and_answers(worker: Worker) -> None:
    long = "x" * 3_000_000
    assert text(worker, "{{ x }}", f'{{"x": "{long}"}}') == long


def test_worker_has_no_environment(worker: Worker) -> None:
    text(worker, "{{ 1 }}")
    with open(f"/proc/{worker._process.pid}/environ", "rb") as file:
        assert b"PATH=" not in file.read()
