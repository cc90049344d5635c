"""`manage.py render`: prints the prompt of a conversation without a server; a built-in or a file needs no database."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from chats.services.batch.run import read_request
from chats.services.callers import ActorCaller, BuiltinCaller, Caller
from chats.services.named_format import command_actor, file_document, is_builtin
from chats.services.render import RenderAnswer, answer
from chats.services.request import RenderRequest
from neotavern.ground.canonical import loads
from neotavern.ground.errors import AppError

STDIN = "-"


class Command(BaseCommand):
    """Prints exactly the prompt's bytes, with no newline added; `--json` prints what the API would answer."""

    help = "Render a conversation to its prompt, without a server."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--format", required=True, metavar="SLUG_OR_FILE", help="a format's slug, or a JSON file")
        parser.add_argument("--input", default=STDIN, metavar="FILE", help="messages or a render request; - is stdin")
        parser.add_argument("--json", action="store_true", help="print the whole answer as JSON")
        parser.add_argument("--team", help="whose format SLUG is, when it is no built-in (default: the first team)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run; whatever is wrong is one line on stderr and exit status 1."""
        try:
            caller, form = _format(options["format"], options["team"])
            made = answer(caller, _request(_read(options["input"]), form))
        except AppError as error:
            raise CommandError(" ".join(error.message.split())) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        except DatabaseError as error:
            said = " ".join(str(error).split())
            named = options["format"]
            message = f"{named!r} is no built-in and no file, and the database does not answer: {said}"
            raise CommandError(message) from error
        self._print(made.body() if options["json"] else _prompt(made))

    def _print(self, text: bytes) -> None:
        stream = getattr(self.stdout, "buffer", None)
        if stream is None:
            self.stdout.write(text.decode(), ending="")
        else:
            stream.write(text)
            stream.flush()


def _prompt(made: RenderAnswer) -> bytes:
    if made.prompt is None:
        raise CommandError(next((finding.message for finding in made.findings), "There is no prompt."))
    return made.prompt.encode()


def _format(named: str, team: str | None) -> tuple[Caller, str | dict[str, Any]]:
    """Return who renders and what the request's `format` is: a built-in and a file are nobody's."""
    if is_builtin(named, team):
        return BuiltinCaller(), named
    document = file_document(named)
    return (BuiltinCaller(), document) if document is not None else (ActorCaller(command_actor(team)), named)


def _read(name: str) -> Any:
    return loads(sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes())


def _request(value: Any, form: str | dict[str, Any]) -> RenderRequest:
    """Return an array as messages, an object as a request; the command's format wins over the request's."""
    if isinstance(value, list):
        value = {"messages": value}
    return read_request({**value, "format": form} if isinstance(value, dict) else value)
