"""The committed bundle is what the sources build; a page never waits for node."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
BUILT = ("app.css", "app.js", "workbench.js", "chat.js")
KILOBYTE = 1024


@pytest.mark.skipif(
    not (ROOT / "node_modules" / "esbuild").exists() or shutil.which("node") is None,
    reason="node or its packages are not here: whether static/build is fresh was not checked",
)
def test_the_bundle_is_fresh(tmp_path: Path) -> None:
    environment = os.environ | {"ASSETS_OUT": str(tmp_path)}
    subprocess.run(["node", "static/src/build.mjs"], cwd=ROOT, env=environment, check=True, capture_output=True)
    stale = [name for name in BUILT if (tmp_path / name).read_bytes() != (ROOT / "static/build" / name).read_bytes()]
    assert stale == [], "run `npm run assets`"


def test_the_bundle_stays_lean() -> None:
    sizes = {name: (ROOT / "static/build" / name).stat().st_size // KILOBYTE for name in BUILT}
    assert sizes["app.js"] < 80
    assert sizes["workbench.js"] < 400
    assert sizes["chat.js"] < 12
    assert sizes["app.css"] < 48
