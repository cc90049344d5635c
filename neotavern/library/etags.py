"""ETags: opaque, equal exactly when the item and the revision shown are the same."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from neotavern.accounts.conditional import matches
from neotavern.library.models import Item

if TYPE_CHECKING:
    from neotavern.library.listing import Listed

__all__ = ["etag", "matches"]


def etag(item: Item | Listed, number: int, *variant: str) -> str:
    """Return the quoted ETag of revision `number` of `item`; `variant` tells exports of it apart."""
    identity = ":".join([str(item.pk), str(item.row_version), str(number), *variant])
    return f'"{hashlib.sha256(identity.encode()).hexdigest()[:20]}"'
