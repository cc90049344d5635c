"""`manage.py add_tokenizer NAME FILE`: a model's own `tokenizer.json` becomes a profile that requests may name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from formats.services.tokenizers import add_tokenizer, remove_tokenizer
from neotavern.ground.errors import AppError


class Command(BaseCommand):
    """Stores or removes one; the package `tokenizers` must be installed."""

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        """Read `NAME FILE` or `NAME --remove`."""
        parser.add_argument("name", metavar="NAME", help="what requests say as `tokenizer`")
        parser.add_argument("file", metavar="FILE", type=Path, nargs="?", help="the tokenizer.json")
        parser.add_argument("--remove", action="store_true", help="take the tokenizer away")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run; whatever is wrong is one line on stderr and exit status 1."""
        name, file = options["name"], options["file"]
        if options["remove"] == (file is not None):
            raise CommandError("Give a FILE, or --remove.")
        try:
            if options["remove"]:
                remove_tokenizer(name)
                self.stdout.write(f"{name} is removed.")
                return
            made = add_tokenizer(name=name, raw=file.read_bytes(), by="command", now=timezone.now())
        except AppError as error:
            raise CommandError(error.message) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        self.stdout.write(f"{made.name}: {made.vocabulary:,} tokens.")
