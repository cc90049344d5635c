"""`manage.py load_builtins`: brings the built-in formats of this release into the database; safe to repeat."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from formats.services.builtins import load_builtins


class Command(BaseCommand):
    """Loads the built-ins and says what is new."""

    help = __doc__ or ""

    def handle(self, *args: Any, **options: Any) -> None:
        """Run."""
        loaded = load_builtins()
        if options["verbosity"] > 0:
            for word, slugs in (("new", loaded.created), ("changed", loaded.changed), ("gone", loaded.archived)):
                self.stdout.write(f"{word}: {', '.join(slugs) or 'none'}")
