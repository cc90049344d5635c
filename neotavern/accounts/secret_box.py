"""Seals what must be read again, but not out of a stolen database: the key comes from SECRET_KEY, kept elsewhere."""

from __future__ import annotations

import base64
import functools
import hashlib

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


def seal(text: str) -> str:
    """Return `text` encrypted and signed."""
    return _box(settings.SECRET_KEY).encrypt(text.encode("utf-8")).decode("ascii")


def unseal(sealed: str) -> str:
    """Return the text of `seal`. Raises ValueError when it was changed, or sealed with another SECRET_KEY."""
    try:
        return _box(settings.SECRET_KEY).decrypt(sealed.encode("utf-8")).decode("utf-8")
    except InvalidToken as error:
        raise ValueError("sealed with another secret key, or changed") from error


@functools.lru_cache(maxsize=4)
def _box(secret: str) -> Fernet:
    # SECRET_KEY is random and long, so one hash with a label of its own is enough to make a key from it
    digest = hashlib.sha256(b"neotavern.accounts.secret_box\0" + secret.encode("utf-8")).digest()
    return Fernet(base64.urlsafe_b64encode(digest))
