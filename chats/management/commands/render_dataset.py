"""`manage.py render_dataset IN.jsonl OUT.jsonl`: a file of conversations becomes a file of prompts for training."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from tqdm import tqdm

from chats.services.dataset.plan import DatasetPlan
from chats.services.dataset.run import Summary, render_file
from chats.services.named_format import format_document
from neotavern.ground.errors import AppError

SMALL_FILE: Final = 32 * 1024 * 1024
"""Bytes that one process renders before others have started."""


class Command(BaseCommand):
    """One line in, one line out, in order; exit status 1 when a row was refused, its line saying why."""

    help = "Render a data set: JSON lines with conversations to JSON lines with prompts."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        add = parser.add_argument
        add("source", type=Path, metavar="IN.jsonl", help="rows with `messages` (or ShareGPT's `conversations`)")
        add("target", type=Path, metavar="OUT.jsonl", help="the same rows with the prompt in place of the messages")
        add("--format", required=True, metavar="SLUG_OR_FILE", help="a format's slug, or a JSON file")
        add("--team", help="whose format SLUG is, when it is no built-in (default: the first team)")
        add("--text-field", default="text", metavar="NAME", help="the column of the prompt (default: text)")
        add("--generation-prompt", action="store_true", help="end in the generation prompt, for completions")
        add("--loss", choices=["all", "last"], help="mark what is trained on: all assistant turns, or the last one")
        add("--spans", action="store_true", help="add the place of each message's content")
        add("--tokenizer", metavar="PROFILE", help="add input_ids, and assistant_masks with --loss")
        add("--offsets", action="store_true", help="add each token's characters")
        add("--findings", action="store_true", help="add what each render had to tell")
        add("--thinking", choices=["on", "off"], help="the format's variant with thinking on or off")
        add("--bos", choices=["keep", "omit"], default="keep", help="omit it where the tokenizer adds one")
        add("--special-token-policy", choices=["keep", "escape", "reject"], default="keep")
        add("--strict", action="store_true", help="refuse a row with anything that the format has no place for")
        add("--now", metavar="ISO_DATE", help="the date for formats that print one")
        add("--workers", type=int, help="processes (default: one for each core, one for a small file)")
        add("--restart", action="store_true", help="begin anew where an earlier run left a file")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run; whatever is wrong before the first row is one line on stderr and exit status 1."""
        source, target = options["source"], options["target"]
        if options["workers"] is not None and options["workers"] < 1:
            raise CommandError("--workers: at least 1.")
        if options["offsets"] and options["tokenizer"] is None:
            raise CommandError("--offsets: name the --tokenizer.")
        try:
            made = self._run(_plan(options), source, target, options)
        except AppError as error:
            raise CommandError(" ".join(error.message.split())) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        except DatabaseError as error:
            raise CommandError(f"The database does not answer: {' '.join(str(error).split())}") from error
        except KeyboardInterrupt:
            raise CommandError("Stopped. The same command goes on from here.", returncode=130) from None
        self._report(made, target)

    def _run(self, plan: DatasetPlan, source: Path, target: Path, options: dict[str, Any]) -> Summary:
        size = source.stat().st_size
        with tqdm(total=size, unit="B", unit_scale=True, file=self._stream(), mininterval=0.5) as bar:
            return render_file(
                plan,
                source,
                target,
                processes=options["workers"] or (os.cpu_count() or 1 if size > SMALL_FILE else 1),
                restart=options["restart"],
                seen=bar.update,
                wrote=lambda made: bar.set_postfix(rows=made.resumed + made.rows, refused=made.refused, refresh=False),
            )

    def _stream(self) -> Any:
        return sys.stderr if self.stderr._out is sys.stderr else self.stderr

    def _report(self, made: Summary, target: Path) -> None:
        before = f", {made.resumed:,} were there" if made.resumed else ""
        self.stderr.write(f"{made.rows:,} rows rendered to {target}{before}, {made.refused:,} refused.")
        for code, count in made.findings.most_common():
            self.stderr.write(f"  {code}: {count:,}")
        if made.refused:
            raise CommandError(f"{made.refused:,} rows were refused: their lines have `error` and `line`.")


def _plan(options: dict[str, Any]) -> DatasetPlan:
    thinking = {"on": True, "off": False, None: None}[options["thinking"]]
    names = ("text_field", "loss", "spans", "tokenizer", "offsets", "findings", "bos", "special_token_policy", "strict")
    return DatasetPlan(
        document=format_document(options["format"], options["team"]),
        add_generation_prompt=options["generation_prompt"],
        thinking=thinking,
        now=options["now"],
        **{name: options[name] for name in names},
    )
