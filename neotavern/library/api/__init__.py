"""Operations of the library: /import, /search, and the standard verbs of every registered kind that has a path."""

from __future__ import annotations

from ninja import Router

from neotavern.library import kinds
from neotavern.library.api import imports, searching, uploads
from neotavern.library.api.kind_router import kind_router


def make_router() -> Router:
    """Return one router with all of them; kinds are registered by then, since apps are ready before addresses are."""
    router = Router()
    for part in (uploads, imports, searching):
        router.add_router("", part.router)
    for kind in kinds.kinds():
        if kind.plural_path:
            router.add_router(f"/{kind.plural_path}", kind_router(kind))
    return router


router = make_router()
