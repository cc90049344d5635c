"""Reading JSON at the border, and the canonical form that content hashes are taken of."""

from __future__ import annotations

import hashlib
import json
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
        if "surrogate" in str(error):
            _find_surrogate(raw)
        raise AppError(
            ErrorCode.BAD_JSON,
            f"The body is not JSON: {error.msg} (line {error.lineno}, column {error.colno}).",
            details=[Detail(message=error.msg, line=error.lineno, column=error.colno)],
        ) from error
    if _has_nul(raw):
        reject_nul(value)
    return value


def _find_surrogate(raw: bytes | str) -> None:
    """Raise VALIDATION with the path of a lone surrogate; return when `raw` has another fault, as bytes or as JSON.

    orjson says the same of bytes that are no UTF-8 and of a lone `\\ud800`; only the second is JSON.
    """
    try:
        value = json.loads(raw if isinstance(raw, str) else raw.decode("utf-8"))
    except (ValueError, RecursionError):
        return
    reject_nul(value)


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
