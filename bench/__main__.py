"""`python -m bench [--quick] [NAME ...]`: runs every measurement (or the named ones), each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NOT_MEASUREMENTS = {"__init__", "__main__", "common"}


def measurements() -> list[str]:
    """Return the names of the scripts in this folder."""
    return sorted(path.stem for path in HERE.glob("*.py") if path.stem not in NOT_MEASUREMENTS)


def main(arguments: list[str]) -> int:
    """Run; the exit status is 1 when a measurement failed, and every one is run all the same."""
    options = [word for word in arguments if word.startswith("--")]
    names = [word for word in arguments if not word.startswith("--")] or measurements()
    unknown = sorted(set(names) - set(measurements()))
    if unknown:
        print(f"no such measurement: {', '.join(unknown)}; there are {', '.join(measurements())}")
        return 2
    failed = []
    for name in names:
        print(f"== {name}", flush=True)
        if subprocess.run([sys.executable, "-m", f"bench.{name}", *options], cwd=HERE.parent, check=False).returncode:
            failed.append(name)
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
