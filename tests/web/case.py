"""Pages as Alice (owner), Bob (viewer), Charlie (another team) and nobody see them."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from django.core.management import call_command
from django.http import HttpResponse

from formats.web.form import ALL, newlines
from formats.web.shown import Notes, ShownField, ShownGroup, show
from neotavern.library import selectors, services
from neotavern.library.models import Item
from tests.teams import Person, TeamTestCase

KIND = "instruct-format"


def document(slug: str = "house", **changes: Any) -> dict[str, Any]:
    """A small valid format."""
    return {
        "kind": KIND,
        "version": 2,
        "id": slug,
        "name": "House style",
        "system": "<s>{{{content}}}</s>\n",
        "user": "<u>{{{content}}}</u>\n",
        "assistant": "<a>{{{content}}}</a>\n",
        "tool": "<t>{{{content}}}</t>\n",
        "promptSuffix": "<a>",
        "stopStrings": ["</a>"],
        "specialTokens": ["<u>", "</u>"],
    } | changes


def form_of(doc: dict[str, Any]) -> dict[str, str]:
    """What a browser sends for the page of `doc` when nothing was typed."""
    post = {ALL: "1"}
    for section in show(doc, Notes()):
        for item in section.items:
            post |= _group(item) if isinstance(item, ShownGroup) else _field(item)
    return post


def _group(group: ShownGroup) -> dict[str, str]:
    post = {group.name: "on"} if group.is_on else {}
    for field in group.fields:
        post |= _field(field)
    return post


def _field(field: ShownField) -> dict[str, str]:
    if field.field.widget == "flag":
        return {field.name: "on"} if field.is_on else {}
    return {field.name: newlines(field.text).replace("\n", "\r\n")}


class PageCase(TeamTestCase):
    """Logs people in and asks for pages of the team `tavern`."""

    base = "/t/tavern"

    def load_builtins(self) -> None:
        """Load the built-in formats."""
        call_command("load_builtins", verbosity=0)

    def make(self, slug: str = "house", **changes: Any) -> Item:
        """Store a format of Alice's team."""
        return services.create(self.alice.actor, kind=KIND, document=document(slug, **changes)).item

    def stored(self, slug: str = "house") -> dict[str, Any]:
        """Read the newest document."""
        item = selectors.get_item(self.alice.actor, kind=KIND, slug=slug, archived=True)
        return selectors.document(item, selectors.revision(item))

    def page(self, who: Person | None, path: str, **extra: Any) -> HttpResponse:
        """Get a page as `who`."""
        self._be(who)
        return self.client.get(self.base + path, **extra)

    def send(self, who: Person | None, path: str, form: dict[str, Any] | None = None, **extra: Any) -> HttpResponse:
        """Post a form as `who`."""
        self._be(who)
        return self.client.post(self.base + path, form or {}, **extra)

    def _be(self, who: Person | None) -> None:
        self.client.logout()
        if who is not None:
            self.client.force_login(who.user)

    def assert_is(self, response: HttpResponse, status: int) -> str:
        """Assert the status and return the text of the page."""
        text = response.content.decode()
        assert response.status_code == status, (response.status_code, text[:2000])
        return text

    def assert_to_login(self, response: HttpResponse) -> None:
        """Assert that the person is sent to log in."""
        assert (response.status_code, response["Location"].split("?")[0]) == (302, "/login/")


class Text(HTMLParser):
    """The text inside the element with an attribute, as a browser's textContent has it."""

    def __init__(self, attribute: str) -> None:
        super().__init__(convert_charrefs=True)
        self.attribute, self.depth, self.found = attribute, 0, ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.depth or any(name == self.attribute for name, _ in attrs):
            self.depth += 1

    def handle_endtag(self, tag: str) -> None:
        self.depth -= self.depth > 0

    def handle_data(self, data: str) -> None:
        if self.depth:
            self.found += data


def text_of(html: str, attribute: str = "data-prompt") -> str:
    """Return the text content of the element that has `attribute`."""
    parser = Text(attribute)
    parser.feed(html)
    return parser.found
