"""Brings the built-ins of this release into the library: formats, context templates, prompt configs."""

from __future__ import annotations

from typing import Final

from django.utils import timezone

from formats.builtin import builtin_document, builtin_slugs
from formats.context.catalogue import built_in
from formats.stored import context_template, instruct_format, prompt_config
from neotavern.library.services.builtins import Loaded, load

FIRST: Final = ("chatml", "llama3", "mistral-v3-tekken", "mistral-v3", "mistral", "command-r", "alpaca")
"""The layouts most people look for; lists show them first, the other families by name behind."""


def load_builtins() -> Loaded:
    """Load every built-in; nothing happens for one that is there already."""
    now = timezone.now()
    shelves = (
        load(instruct_format.NAME, [builtin_document(slug) for slug in _oldest_first()], now=now),
        load(context_template.NAME, built_in("context_templates"), now=now),
        load(prompt_config.NAME, built_in("prompt_configs"), now=now),
    )
    return Loaded(
        created=[slug for one in shelves for slug in one.created],
        changed=[slug for one in shelves for slug in one.changed],
        archived=[slug for one in shelves for slug in one.archived],
    )


def _oldest_first() -> list[str]:
    """Return the slugs in the order to store them: lists show what was stored last first."""
    others = [slug for slug in builtin_slugs() if slug not in FIRST]
    return [*FIRST, *others][::-1]
