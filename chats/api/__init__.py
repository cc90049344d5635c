"""The API of this floor, renders and rows: `router` is mounted under /api/v1, `root_router` at the root."""

from __future__ import annotations

from ninja import Router

from chats.api import apply_template, batch, entries, lore_state, messages, render, tokenize, vectors

router = Router()
for part in (render, batch, apply_template, tokenize, messages, entries, lore_state, vectors):
    router.add_router("", part.router)

root_router = Router()
root_router.add_router("", apply_template.router)
