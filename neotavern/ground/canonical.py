"""Reading JSON at the border, and the canonical form that content hashes are taken of."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson

from neotavern.ground.errors import AppError, Detail, ErrorCode


def loads(raw: bytes | str) -> Any:
    """Parse JSON.

    Raises AppError BAD_JSON for text that is not JSON, VALIDATION for NUL characters and lone surrogates: PostgreSQL
    can not store the first and UTF-8 has no form for the second, and SQLite must not answer differently.
    """
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        # orjson refuses lone surrogates itself, as bytes and as escapes
        if "surrogate" in str(error) and _is_text(raw):
            raise _unstorable("a lone surrogate") from error
        raise AppError(
            ErrorCode.BAD_JSON,
            f"The body is not JSON: {error.msg} (line {error.lineno}, column {error.colno}).",
            details=[Detail(message=error.msg, line=error.lineno, column=error.colno)],
        ) from error
    if _has_nul(raw):
        reject_nul(value)
    return value


def _is_text(raw: bytes | str) -> bool:
    """Return whether `raw` is UTF-8 but for surrogates: of other bytes orjson says the same."""
    try:
        return isinstance(raw, str) or bool(raw.decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError:
        return False


def _has_nul(raw: bytes | str) -> bool:
    return "\\u0000" in raw if isinstance(raw, str) else b"\\u0000" in raw


def reject_nul(value: Any, path: str = "") -> None:
    """Raise VALIDATION with the path of the first text in `value` that PostgreSQL and UTF-8 can not hold."""
    stack: list[tuple[Any, str]] = [(value, path)]
    while stack:
        here, at = stack.pop()
        if isinstance(here, str):
            if "\0" in here:
                raise _unstorable("a NUL character", at)
            if any("\ud800" <= character <= "\udfff" for character in here):
                raise _unstorable("a lone surrogate", at)
        elif isinstance(here, dict):
            stack.extend((key, at) for key in here)
            stack.extend((item, f"{at}.{key}" if at else str(key)) for key, item in here.items())
        elif isinstance(here, list):
            stack.extend((item, f"{at}[{index}]") for index, item in enumerate(here))


def _unstorable(what: str, path: str = "") -> AppError:
    message = f"The text contains {what}, which can not be stored."
    return AppError(ErrorCode.VALIDATION, message, details=[Detail(path=path, message=message)])


def canonical(document: Any) -> bytes:
    """Return `document` as JSON with sorted keys and no spaces: equal documents give equal bytes."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)


def content_hash(document: Any) -> str:
    """Return the hexadecimal SHA-256 of the canonical form."""
    return hashlib.sha256(canonical(document)).hexdigest()
