"""`manage.py formats check FILE...`: lints format files without a database or a server."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from formats.stored.instruct_format import NAME
from neotavern.ground.canonical import loads
from neotavern.ground.errors import AppError
from neotavern.library.kinds import Finding
from neotavern.library.linting import lint

CLEAN, FINDINGS, UNREADABLE = 0, 1, 2


class Command(BaseCommand):
    """Prints one line a finding: file, path, line, column, severity, code, message."""

    help = "Works on format files. `check` exits with 0 when all are clean, 1 with findings, 2 when one is unreadable."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Read `check FILE...`."""
        actions = parser.add_subparsers(dest="action", required=True)
        check = actions.add_parser("check", help="lint format files")
        check.add_argument("files", nargs="+", metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run; the exit status is the worst of the files."""
        status = max(self._check(name) for name in options["files"])
        if status:
            sys.exit(status)

    def _check(self, name: str) -> int:
        try:
            document = loads(Path(name).read_bytes())
        except OSError as error:
            self.stderr.write(f"{name}: {error.strerror}")
            return UNREADABLE
        except AppError as error:
            self.stderr.write(f"{name}: {error.message}")
            return UNREADABLE
        findings = lint(NAME, document).findings
        for finding in findings:
            self.stdout.write(_line(name, finding))
        # what is only worth knowing is printed, and is no fault
        return FINDINGS if any(finding.severity != "info" for finding in findings) else CLEAN


def _line(name: str, finding: Finding) -> str:
    """Return `file:path:line:column severity code message`; an unknown position is 1:1 of the text at the path."""
    place = f"{name}:{finding.path}:{finding.line or 1}:{finding.column or 1}"
    return f"{place} {finding.severity} {finding.code} {finding.message}"
