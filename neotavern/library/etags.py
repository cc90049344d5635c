"""ETags: opaque, equal exactly when the item and the revision shown are the same."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from neotavern.library.models import Item

if TYPE_CHECKING:
    from neotavern.library.listing import Listed


def etag(item: Item | Listed, number: int, *variant: str) -> str:
    """Return the quoted ETag of revision `number` of `item`; `variant` tells exports of it apart."""
    identity = ":".join([str(item.pk), str(item.row_version), str(number), *variant])
    return f'"{hashlib.sha256(identity.encode()).hexdigest()[:20]}"'


def matches(header: str, tag: str) -> bool:
    """Return whether an If-Match or If-None-Match header names `tag` (or is `*`); a proxy's weak mark is ignored."""
    names = {part.strip().removeprefix("W/") for part in header.split(",")}
    return "*" in names or tag in names
