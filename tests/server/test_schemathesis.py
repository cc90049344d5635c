"""The OpenAPI document against a running server: no undeclared status, no 500, no wrong shape."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.chats.base import tiny_format
from tests.server.running import KEY, Running, server

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
EXAMPLES = os.environ.get("SCHEMATHESIS_EXAMPLES", "5")
"""Requests generated for each operation, beside those that walk through its parameters one by one."""

LONGEST_SECONDS = 900
RUN = """
import sys
import schemathesis
from schemathesis.cli import schemathesis as main
schemathesis.serializer.alias("application/x-ndjson", "text/plain")
sys.argv[0] = "schemathesis"
main()
"""

KEYS = "/keys/"
"""Revoking keys comes last: the tool finds the key that it uses in the list, and the rest would be 401."""


def schemathesis(running: Running, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    address = f"http://127.0.0.1:{running.port}/api/v1/openapi.json"
    header = f"Authorization: Bearer {KEY}"
    fixed = ["--checks", CHECKS, "--max-examples", EXAMPLES, "--seed", "7", "--no-shrink", "--continue-on-failure"]
    fixed += ["--phases", "examples,coverage,fuzzing", "--suppress-health-check", "all", "--request-timeout", "60"]
    command = [sys.executable, "-c", RUN, "run", address, "-H", header, *fixed, *options]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=folder, timeout=LONGEST_SECONDS, check=False, env=plain_terminal()
    )


def plain_terminal() -> dict[str, Any]:
    return {**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1"}


def test_every_operation(tmp_path: Path) -> None:
    with server(tmp_path, workers=2) as running:
        assert running.post("/api/v1/formats", {"document": tiny_format("0")})[0] == 201
        assert running.request("GET", "/api/v1/openapi.json", timeout=60)[0] == 200
        runs = [schemathesis(running, tmp_path, f"--{which}-path-regex", KEYS) for which in ("exclude", "include")]
    for done in runs:
        if done.returncode:
            pytest.fail(f"{done.stdout[-20_000:]}\n{done.stderr[-2_000:]}")
    assert "401 Unauthorized" not in runs[0].stdout, "the requests were refused before anything was tried"
