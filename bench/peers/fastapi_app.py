"""The same render by FastAPI: key and stored format by one query, templates cut once at their content."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from typing import Any

from fastapi import FastAPI, Header, HTTPException
from pydantic import BaseModel

QUERY = """
SELECT r.content_hash, r.id FROM accounts_apikey k
JOIN library_item i ON i.team_id = k.team_id AND i.kind = 'instruct-format' AND i.slug = ?
JOIN library_revision r ON r.item_id = i.id AND r.number = i.head
WHERE k.digest = ? AND k.revoked_at IS NULL
"""
database = sqlite3.connect(os.environ["BENCH_DATABASE"], check_same_thread=False)
ready: dict[str, Any] = {}
app = FastAPI()


class Message(BaseModel):
    """A turn."""

    role: str
    content: str


class Body(BaseModel):
    """A conversation."""

    format: str
    messages: list[Message]


def cut(document: dict[str, Any]) -> dict[str, Any]:
    """Return the texts around the content, by role."""
    around = {role: document[role].split("{{{content}}}") for role in ("system", "user", "assistant", "tool")}
    return {"around": around, "suffix": document["promptSuffix"], "stop": document["stopStrings"]}


def stored(revision: int) -> dict[str, Any]:
    """Return the document of a revision."""
    row = database.execute("SELECT document FROM library_revision WHERE id = ?", (revision,)).fetchone()
    document: dict[str, Any] = json.loads(row[0])
    return document


@app.post("/render")
async def render(body: Body, authorization: str = Header()) -> dict[str, Any]:
    """Return the prompt and its stops."""
    digest = hashlib.sha256(authorization.removeprefix("Bearer ").encode()).hexdigest()
    row = database.execute(QUERY, (body.format, digest)).fetchone()
    if row is None:
        raise HTTPException(401)
    form = ready.get(row[0])
    if form is None:
        form = ready[row[0]] = cut(stored(row[1]))
    around = form["around"]
    parts: list[str] = []
    for message in body.messages:
        before, after = around[message.role]
        parts += (before, message.content, after)
    parts.append(form["suffix"])
    return {"prompt": "".join(parts), "stop": form["stop"]}
