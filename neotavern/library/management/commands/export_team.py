"""`manage.py export_team TEAM FILE`: everything of a team but secrets, as one archive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from neotavern.accounts.models import Team
from neotavern.library.backup.archive import export_team


class Command(BaseCommand):
    """Writes the archive and says what is in it."""

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        """Read `TEAM FILE`."""
        parser.add_argument("team", metavar="TEAM", help="slug of the team")
        parser.add_argument("file", metavar="FILE", type=Path, help="the archive; one that is there is replaced")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run."""
        team = Team.objects.filter(slug=options["team"]).first()
        if team is None:
            raise CommandError(f"There is no team {options['team']!r}.")
        try:
            counts = export_team(team, options["file"])
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}") from error
        self.stdout.write(", ".join(f"{count} {name}" for name, count in counts.items()))
