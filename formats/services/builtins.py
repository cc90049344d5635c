"""Brings the built-ins of this release into the library: formats, context templates, prompt configs."""

from __future__ import annotations

from django.utils import timezone

from formats.builtin import builtin_document, builtin_slugs
from formats.context.catalogue import built_in
from formats.stored import context_template, instruct_format, prompt_config
from neotavern.library.services.builtins import Loaded, load


def load_builtins() -> Loaded:
    """Load every built-in; nothing happens for one that is there already."""
    now = timezone.now()
    shelves = (
        load(instruct_format.NAME, [builtin_document(slug) for slug in builtin_slugs()], now=now),
        load(context_template.NAME, built_in("context_templates"), now=now),
        load(prompt_config.NAME, built_in("prompt_configs"), now=now),
    )
    return Loaded(
        created=[slug for one in shelves for slug in one.created],
        changed=[slug for one in shelves for slug in one.changed],
        archived=[slug for one in shelves for slug in one.archived],
    )
