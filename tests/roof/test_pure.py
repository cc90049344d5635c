"""PURE packages can be used as a library: importing one loads no Django."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PURE = [
    "formats.handlebars",
    "formats.jinja",
    "formats.prompt",
    "formats.tokens",
    "formats.lint",
    "formats.builtin",
    "formats.catalogue",
    "formats.context",
    "formats.bricks",
    "formats.interchange",
    "chats.pipeline",
    "chats.providers",
    "chats.documents",
    "chats.interchange",
    "chats.lore",
    "chats.infill",
    "chats.macros",
]


@pytest.mark.parametrize("package", PURE)
def test_a_pure_package_loads_no_django(package: str) -> None:
    code = (
        "import importlib, pkgutil, sys\n"
        f"package = importlib.import_module({package!r})\n"
        "for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "    importlib.import_module(module.name)\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in {'django', 'ninja', 'neotavern'}))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (run.stdout.strip(), run.stderr) == ("[]", "")
