"""The names that chat templates know beside their variables, as transformers gives them.

Source: `transformers/utils/chat_template_utils.py` (Apache-2.0).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any


def tojson(
    value: Any, ensure_ascii: bool = False, indent: Any = None, separators: Any = None, sort_keys: bool = False
) -> str:
    """The filter `tojson`: no HTML escapes, other scripts as they are."""
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def clock(now: str | None) -> dict[str, Callable[[str], str]]:
    """`strftime_now` for the moment that was handed in; no such name without one, so a template's own date serves."""
    return {} if now is None else {"strftime_now": datetime.fromisoformat(now).strftime}
