"""Is the process alive, and is it ready to serve."""

from __future__ import annotations

import secrets

from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest
from ninja import Router
from pydantic import BaseModel

from neotavern.ground.errors import AppError, ErrorCode
from neotavern.ground.http import ERRORS

router = Router(tags=["Health"])


class HealthOut(BaseModel):
    """Alive."""

    status: str


class ReadyOut(BaseModel):
    """Ready, with what was checked."""

    status: str
    checks: dict[str, str]


@router.get("/health", response={200: HealthOut, **ERRORS()}, auth=None)
def health(request: HttpRequest) -> HealthOut:
    """Answer that the process serves; touches nothing else."""
    return HealthOut(status="ok")


@router.get("/ready", response={200: ReadyOut, **ERRORS(503)}, auth=None)
def ready(request: HttpRequest) -> ReadyOut:
    """Check database, migrations and cache. 503 names what is missing."""
    checks = {"database": _database(), "migrations": "", "cache": _cache()}
    checks["migrations"] = _migrations() if checks["database"] == "ok" else "not checked"
    if set(checks.values()) != {"ok"}:
        raise AppError(ErrorCode.NOT_READY, "Not ready to serve.", params=checks)
    return ReadyOut(status="ready", checks=checks)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Exception as error:
        return type(error).__name__
    return "ok"


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(plan)} to apply" if plan else "ok"


def _cache() -> str:
    token = secrets.token_hex(8)
    try:
        cache.set("ready", token, timeout=10)
        cache.get("ready")
    except Exception as error:
        return type(error).__name__
    return "ok"
