"""Tokenizer profiles: those of this program, those of packages, and files that the operator brought."""

from __future__ import annotations

import functools
import hashlib
import re
import zlib
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from django.db import connection

from formats.models import NAME_CHARACTERS, UploadedTokenizer
from formats.tokens import ALIASES, EXTRAS, PROFILES, Tokenizer, TokenizerError, UnknownProfile, profile
from formats.tokens.huggingface import HuggingFace, load_huggingface
from neotavern.ground.errors import AppError, ErrorCode, invalid, not_found

MAX_BYTES: Final = 64 * 1024 * 1024
KEPT: Final = 4
"""Uploaded tokenizers held ready; each takes several times the size of its file."""
NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]*")

Source = Literal["builtin", "package", "uploaded"]


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """One profile that a request may name."""

    name: str
    source: Source
    approximate: bool


def find_tokenizer(name: str) -> Tokenizer:
    """Return the tokenizer of a profile, an alias or an uploaded file.

    Raises UnknownProfile, and EngineMissing where its package is not installed.
    """
    if name in ALIASES or name in PROFILES or name in EXTRAS:
        return profile(name)
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, digest FROM formats_uploadedtokenizer WHERE name = %s", [name])
        row = cursor.fetchone()
    if row is None:
        raise UnknownProfile(name, [*PROFILES, *EXTRAS, *_uploaded_names()])
    return _ready(name, row[1], row[0])


@functools.lru_cache(maxsize=KEPT)
def _ready(name: str, digest: str, row_id: int) -> HuggingFace:
    """Return an uploaded tokenizer; another file under the name has another digest."""
    packed = UploadedTokenizer.objects.values_list("packed", flat=True).get(pk=row_id)
    return load_huggingface(name, zlib.decompress(bytes(packed)).decode("utf-8"))


def profiles() -> list[ProfileRow]:
    """Return every profile: the program's, those of installed packages, the uploaded ones."""
    own = [ProfileRow(name, "builtin", name == "estimate") for name in PROFILES]
    packaged = [ProfileRow(name, "package", False) for name in EXTRAS if _is_there(name)]
    return own + packaged + [ProfileRow(name, "uploaded", False) for name in _uploaded_names()]


def add_tokenizer(*, name: str, raw: bytes, by: str, now: datetime) -> UploadedTokenizer:
    """Store a `tokenizer.json` under a name; one of that name is replaced. Raises VALIDATION, PAYLOAD_TOO_LARGE."""
    _check_name(name)
    if len(raw) > MAX_BYTES:
        message = f"The file is larger than {MAX_BYTES:,} bytes."
        raise AppError(ErrorCode.PAYLOAD_TOO_LARGE, message, params={"limit": MAX_BYTES})
    try:
        made = load_huggingface(name, raw.decode("utf-8"))
    except (UnicodeDecodeError, TokenizerError) as error:
        raise invalid("file", f"{error}.") from error
    values = {
        "digest": hashlib.sha256(raw).hexdigest(),
        "packed": zlib.compress(raw),
        "size": len(raw),
        "vocabulary": made.vocabulary,
        "uploaded_by": by,
        "uploaded_at": now,
    }
    return UploadedTokenizer.objects.update_or_create(name=name, defaults=values)[0]


def remove_tokenizer(name: str) -> None:
    """Delete an uploaded tokenizer. Raises NOT_FOUND."""
    if not UploadedTokenizer.objects.filter(name=name).delete()[0]:
        raise not_found(f"The uploaded tokenizer {name[:80]!r}")


def _check_name(name: str) -> None:
    if len(name) > NAME_CHARACTERS or not NAME.fullmatch(name):
        raise invalid("name", f"A name has up to {NAME_CHARACTERS} of a-z, 0-9, `.`, `_` and `-`, a letter first.")
    if name in PROFILES or name in EXTRAS or name in ALIASES:
        raise invalid("name", f"{name!r} is a profile of this program: choose another name.")


def _uploaded_names() -> list[str]:
    return list(UploadedTokenizer.objects.order_by("name").values_list("name", flat=True))


def _is_there(name: str) -> bool:
    try:
        profile(name)
    except TokenizerError:
        return False
    return True
