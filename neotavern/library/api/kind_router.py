"""The standard verbs of a stored kind as one router: a later kind gets all of them by its registration."""

from __future__ import annotations

from ninja import Router

from neotavern.library.api.bulk import add_bulk
from neotavern.library.api.copies import add_copies, add_labels
from neotavern.library.api.diffs import add_diffs
from neotavern.library.api.files import add_files
from neotavern.library.api.reading import add_reading
from neotavern.library.api.tags import add_tags
from neotavern.library.api.writing import add_writing
from neotavern.library.kinds import Kind


def kind_router(kind: Kind) -> Router:
    """Return a router with every verb of `kind`; mount it under its plural path."""
    router = Router(tags=[f"{kind.title.capitalize()}s"])
    add_files(router, kind)  # before reading: `validate` and `bulk` are no slugs
    add_bulk(router, kind)
    add_reading(router, kind)
    add_writing(router, kind)
    add_copies(router, kind)
    add_diffs(router, kind)
    add_labels(router, kind)
    add_tags(router, kind)
    return router
