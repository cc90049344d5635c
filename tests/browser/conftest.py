"""Pages in a real browser: Debian's Chromium driven by Playwright against a live server."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.management import call_command
from django.test import Client

from tests.teams import Person, make_team

# the test itself runs no event loop of its own; Playwright's makes Django think so
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
AXE = Path(settings.BASE_DIR) / "node_modules" / "axe-core" / "axe.min.js"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything here; without Chromium it is skipped, and pytest's summary says so in one line."""
    for item in items:
        if "tests/browser" in str(item.fspath):
            item.add_marker(pytest.mark.browser)
            if not CHROMIUM:
                item.add_marker(
                    pytest.mark.skip(reason="no Chromium here: `apt-get install chromium` runs these tests")
                )


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One Chromium for all tests."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


@dataclass
class Site:
    """A served team `tavern` with the built-ins, and pages opened as its people."""

    url: str
    browser: Any
    alice: Person
    bob: Person
    contexts: list[Any] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str, who: Person | None = None, *, width: int = 1440, **options: Any) -> Any:
        """Open a page as Alice (or `who`) in a window of its own; console errors are collected."""
        context = self.browser.new_context(viewport={"width": width, "height": 900}, **options)
        context.add_cookies([{"name": "sessionid", "value": self._session(who or self.alice), "url": self.url}])
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=self.url)
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.goto(self.url + path)
        return page

    def _session(self, who: Person) -> str:
        client = Client()
        client.force_login(who.user)
        return client.cookies["sessionid"].value

    def _listen(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")


@pytest.fixture(scope="session", autouse=True)
def _one_request_at_a_time() -> Iterator[None]:
    """All threads share the one connection of the database in memory: two requests would share a transaction."""
    lock, original = threading.Lock(), WSGIHandler.__call__

    def call(self: WSGIHandler, *arguments: Any) -> Any:
        with lock:
            return original(self, *arguments)

    WSGIHandler.__call__ = call  # type: ignore[method-assign]
    yield
    WSGIHandler.__call__ = original  # type: ignore[method-assign]


@pytest.fixture
def site(live_server: Any, browser: Any) -> Iterator[Site]:
    """A fresh site; at the end no page may have complained, policy violations included."""
    call_command("load_builtins", verbosity=0)
    team = make_team("tavern")
    made = Site(live_server.url, browser, Person("alice", team, "owner"), Person("bob", team, "viewer"))
    yield made
    for context in made.contexts:
        context.close()
    assert made.complaints == []


def until(page: Any, expression: str, seconds: float = 30.0) -> None:
    """Wait until an expression holds; Playwright's own waiting evaluates strings, which the content policy forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(f"Boolean({expression})"):
        assert time.monotonic() < end, f"never true: {expression}"
        page.wait_for_timeout(20)
