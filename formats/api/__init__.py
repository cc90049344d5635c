"""Operations of this floor beyond the standard verbs of its kinds."""

from __future__ import annotations

from ninja import Router

from formats.api import find, settings, settings_history

router = Router()
router.add_router("/formats", find.router)
router.add_router("/settings", settings.router)
router.add_router("/settings", settings_history.router)
