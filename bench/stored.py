"""POST /render of a stored chat of 1,000 long messages in an 8k window: read in part, and read whole."""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

from bench.common import race
from bench.http import KEY, set_up

MESSAGES = 1_000
WORDS = ("lamp", "burns", "over", "harbour", "wind", "stairs", "counted", "again", "nobody", "came", "door", "sea")
LENGTH = 150
"""Words of a message."""


def messages() -> list[dict[str, str]]:
    """Turns of everyday words, none of which repeats another."""
    rng = random.Random(2)
    return [
        {"role": ("user", "assistant")[at % 2], "content": f"{at}: " + " ".join(rng.choices(WORDS, k=LENGTH))}
        for at in range(MESSAGES)
    ]


def store() -> None:
    """Put the chat into the library, as a program does."""
    from django.test import Client

    headers = {"Authorization": f"Bearer {KEY}", "host": "localhost"}
    document = {"id": "long", "name": "Long", "messages": messages()}
    answer = Client().post("/api/v1/chats", {"document": document}, content_type="application/json", headers=headers)
    if answer.status_code != 201:
        raise SystemExit(f"the chat was not stored: {answer.content[:300]!r}")


def render() -> bytes:
    """Return the answer for a new line of the chat."""
    from chats.services.render import RenderRequest, TokenCaller, answer

    body: dict[str, Any] = {"chat": "long", "format": "chatml", "max_context_tokens": 8_000, "random_seed": 1}
    return answer(TokenCaller(KEY), RenderRequest(messages=[{"role": "user", "content": "Hi"}], **body)).body()


def whole() -> bytes:
    """Return the same, every message read."""
    with mock.patch("chats.services.story.newest_messages", return_value=None):
        return render()


def main() -> None:
    """Set up a database of its own, and race."""
    with tempfile.TemporaryDirectory(prefix="bench-stored-") as folder:
        os.environ.update(set_up(Path(folder)), DJANGO_SETTINGS_MODULE="neotavern.settings")
        import django

        django.setup()
        store()
        race(f"a stored chat of {MESSAGES:,} messages, an 8k window", {"in part": render, "whole": whole}, "whole")


if __name__ == "__main__":
    main()
