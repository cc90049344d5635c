"""One render: preview, /render, /apply-template, batch and `manage.py render` give the same bytes."""

from __future__ import annotations

import json
import sys
from html.parser import HTMLParser
from typing import Any
from unittest import mock

import orjson
from django.core.management import call_command
from django.urls import reverse

from chats.samples import NAMES, sample
from formats.builtin import builtin_document
from tests.chats.base import RenderTestCase
from tests.chats.test_render_command import Output, Stdin

# Layouts of every kind: with and without hot path, policies, facts, dates, reasoning, pictures.
SLUGS = [
    *("alpaca", "chatml", "command-r", "llama3", "mistral", "mistral-v3", "mistral-v3-tekken"),
    *("gemma3", "glm-4.5", "kimi-k2", "llama3.2", "qwen3"),
]


class OneRenderTests(RenderTestCase):
    def test_every_sample_in_every_builtin(self) -> None:
        for slug in SLUGS:
            for name in NAMES:
                with self.subTest(format=slug, sample=name):
                    self.compare(slug, sample(name), name)

    def compare(self, slug: str, request: dict[str, Any], name: str) -> None:
        body = {**request, "format": slug, "macros": False}
        response = self.post(self.alice, "/api/v1/render", body)
        legs = {
            "/apply-template": self.apply_template(slug, request),
            "batch": self.batch(body),
            "manage.py render": self.command(slug, body),
            "preview": self.preview(slug, name),
        }
        expected = response.json().get("prompt") if response.status_code == 200 else response.json()["error"]["code"]
        self.assertEqual(legs, dict.fromkeys(legs, expected))

    def apply_template(self, slug: str, request: dict[str, Any]) -> str:
        body = self.post(self.alice, "/apply-template", {**request, "format": slug}).json()
        return str(body.get("prompt", body.get("error", {}).get("code")))

    def batch(self, body: dict[str, Any]) -> str:
        headers = {"Authorization": f"Bearer {self.alice.key}"}
        response: Any = self.client.post(
            "/api/v1/render/batch", orjson.dumps(body), content_type="application/x-ndjson", headers=headers
        )
        line = orjson.loads(b"".join(response.streaming_content))
        return str(line.get("prompt", line.get("error", {}).get("code")))

    def command(self, slug: str, body: dict[str, Any]) -> str:
        output = Output()
        with mock.patch.object(sys, "stdin", Stdin(json.dumps(body))):
            call_command("render", "--format", slug, stdout=output)
        return output.bytes.decode()

    def preview(self, slug: str, name: str) -> str:
        """Read the prompt back out of the page, as a person who copies it does."""
        self.client.force_login(self.alice.user)
        form = {"base": json.dumps(builtin_document(slug)), "o.mode": "prompt", "o.generation": "on", "o.tools": "on"}
        form["o.sample"] = name
        headers = {"HX-Request": "true", "HX-Target": "prompt-output"}
        response = self.client.post(reverse("render-preview", args=["tavern"]), form, headers=headers)
        errors = json.loads(response["HX-Trigger"])["preview-report"]["errors"]
        return "RENDER_REFUSED" if errors else shown_prompt(response.content.decode())


class Reader(HTMLParser):
    """Collects the text of the element that shows the prompt."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.depth or "data-prompt" in dict(attrs):
            self.depth += 1

    def handle_endtag(self, tag: str) -> None:
        self.depth -= 1 if self.depth else 0

    def handle_data(self, data: str) -> None:
        self.text += data if self.depth else ""


def shown_prompt(page: str) -> str:
    reader = Reader()
    reader.feed(page)
    return reader.text
