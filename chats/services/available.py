"""Fields whose stage is not built yet: any value that would change the prompt is refused by name, never ignored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic.alias_generators import to_camel

from chats.services.request import RenderRequest
from neotavern.ground.errors import AppError, Detail, ErrorCode

HARMLESS: Final[Mapping[str, tuple[Any, ...]]] = {
    "infill": (None,),
}
"""Field → the values that ask for nothing."""

_NAMES: Final = frozenset(HARMLESS)


def check_available(request: RenderRequest) -> None:
    """Raise VALIDATION naming every field that asks for what this server can not do yet."""
    given = _NAMES & request.model_fields_set
    if not given:
        return
    refused = [name for name in sorted(given) if getattr(request, name) not in HARMLESS[name]]
    if refused:
        details = [Detail(path=to_camel(name), message="This is not available on this server yet.") for name in refused]
        message = f"{', '.join(detail.path for detail in details)}: not available on this server yet. Leave it out."
        raise AppError(ErrorCode.VALIDATION, message, details=details)
