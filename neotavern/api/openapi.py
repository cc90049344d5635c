"""The OpenAPI document, made once a process: with every kind's verbs it takes seconds to make, and never changes."""

from __future__ import annotations

import copy
import threading
from typing import Any

from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema


class _Schema(OpenAPISchema):
    """Makes the schema of an answer that many operations share once: every operation has the same errors."""

    def _create_schema_from_model(self, model: Any, *args: Any, **named: Any) -> Any:
        answer = getattr(model, "__annotations__", {}).get("response")
        if answer is None:
            return super()._create_schema_from_model(model, *args, **named)
        known = self.__dict__.setdefault("_answers", [])
        key = (args, sorted(named.items()))
        for shape, options, made in known:
            if shape is answer and options == key:
                return copy.deepcopy(made)
        made = super()._create_schema_from_model(model, *args, **named)
        known.append((answer, key, copy.deepcopy(made)))
        return made


class Api(NinjaAPI):
    """A NinjaAPI that remembers its OpenAPI document."""

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: dict[str, Any] | None = None
    ) -> OpenAPISchema:
        """Return the document for addresses below `path_prefix`."""
        prefix = self.get_root_path(path_params or {}) if path_prefix is None else path_prefix
        lock: threading.Lock = self.__dict__.setdefault("_schema_lock", threading.Lock())
        made: dict[str, OpenAPISchema] = self.__dict__.setdefault("_schemas", {})
        with lock:
            if prefix not in made:
                made[prefix] = _Schema(self, prefix)
        return made[prefix]
