"""`manage.py quickstart`: an empty folder becomes a served installation; safe to run at every start."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from neotavern.accounts.services.first_team import USER_NAME, FirstTeam, make_first_team


class Command(BaseCommand):
    """Migrates, loads the built-ins, makes the first team, administrator and key, and prints them once."""

    help = __doc__ or ""

    def handle(self, *args: Any, **options: Any) -> None:
        """Run; a second run changes nothing and says how to reset what is lost."""
        call_command("migrate", verbosity=0, interactive=False)
        call_command("load_builtins", verbosity=0)
        made = make_first_team(password=settings.FIRST_PASSWORD, key=settings.FIRST_API_KEY)
        self.stdout.write(f"Address    http://127.0.0.1:{settings.PORT}")
        self.stdout.write(f"User name  {USER_NAME}")
        self._secrets(made)

    def _secrets(self, made: FirstTeam) -> None:
        if made.password is None:
            self.stdout.write(f"Password   set before; reset it with: python manage.py changepassword {USER_NAME}")
        else:
            self.stdout.write(f"Password   {made.password}")
        if made.key is None:
            self.stdout.write("API key    made before; a lost one is replaced by: NEOTAVERN_API_KEY=nt_… quickstart")
        else:
            self.stdout.write(f"API key    {made.key}")
        if made.password is not None or made.key is not None:
            self.stdout.write("Neither is shown again.")
