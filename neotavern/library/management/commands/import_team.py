"""`manage.py import_team FILE [--team SLUG]`: brings a team back from its archive, whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from neotavern.ground.errors import AppError
from neotavern.library.backup.archive import import_team


class Command(BaseCommand):
    """Reads the archive and says what came in."""

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        """Read `FILE [--team SLUG]`."""
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--team", metavar="SLUG", help="bring it in under another slug")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run."""
        try:
            team, counts = import_team(options["file"], slug=options["team"])
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}") from error
        except AppError as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"{team.slug}: " + ", ".join(f"{count} {name}" for name, count in counts.items()))
