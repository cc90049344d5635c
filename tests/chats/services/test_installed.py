"""Interceptors of installed packages: found by the name of their entry point, and given only so much time."""

from __future__ import annotations

import threading
from typing import Any
from unittest import mock

import pytest

from chats.pipeline.interceptors import InterceptorError
from chats.services.installed import Timed, installed
from tests.chats.base import RenderTestCase


class Shout:
    def intercept(self, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "content": one["content"].upper()} for one in messages]


class Entry:
    def __init__(self, name: str, made: Any) -> None:
        self.name, self.made = name, made

    def load(self) -> Any:
        if isinstance(self.made, Exception):
            raise self.made
        return self.made


@pytest.fixture(autouse=True)
def _forget() -> Any:
    installed.cache_clear()
    yield
    installed.cache_clear()


def test_packages_bring_them_and_a_broken_one_is_left_out() -> None:
    entries = [Entry("shout", Shout()), Entry("broken", ImportError("no"))]
    with mock.patch("chats.services.installed.entry_points", return_value=entries):
        assert list(installed()) == ["shout"]


def test_one_that_takes_too_long_is_given_up() -> None:
    gate = threading.Event()

    class Slow:
        def intercept(self, messages: Any) -> Any:
            gate.wait(5)
            return messages

    with pytest.raises(InterceptorError, match="longer than"):
        Timed("slow", 100, Slow(), timeout=0.01).intercept([])
    gate.set()


class ChatTests(RenderTestCase):
    def test_a_stored_interceptor_names_one(self) -> None:
        document = {"id": "loud", "name": "Loud", "extensions": {"package": "shout"}}
        for path, made in (("interceptors", document), ("chats", {"id": "n", "name": "N", "interceptors": ["loud"]})):
            response = self.post(self.alice, f"/api/v1/{path}", {"document": made})
            self.assertEqual(response.status_code, 201, response.content)
        with mock.patch("chats.services.installed.entry_points", return_value=[Entry("shout", Shout())]):
            self.assertEqual(self.render(chat="n", format=None)["messages"][0]["content"], "HI")
        installed.cache_clear()
        answer = self.render(chat="n", format=None)
        self.assertEqual(answer["messages"][0]["content"], "Hi")
        self.assertEqual([one["code"] for one in answer["findings"]], ["INTERCEPTOR_SKIPPED"])
