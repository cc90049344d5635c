"""Measures how often a format that carries an official chat template prints what transformers prints.

python -m tests.conformance.jinja_form
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

from formats.prompt import InstructFormat
from tests.conformance.compare import Outcome, compare
from tests.conformance.oracle import official_file, official_files
from tests.conformance.probes import probes

BOS, EOS = "<s>", "</s>"
_ROLE = "{{{content}}}"
_AS_JSON = '[{"type": "text"'


def distinct_files() -> list[str]:
    """The official files, one for each text."""
    return sorted({official_file(file): file for file in reversed(official_files())}.values())


def carrying(source: str) -> InstructFormat:
    """A format with this chat template."""
    tokens = [{"token": BOS, "meaning": "bos"}, {"token": EOS, "meaning": "eos"}]
    return InstructFormat.model_validate({
        "kind": "instruct-format", "version": 2, "id": "official", "name": "Official", "system": _ROLE, "user": _ROLE,
        "assistant": _ROLE, "tool": _ROLE, "bos": BOS, "eos": EOS, "specialTokens": tokens, "chatTemplate": source,
    })  # fmt: skip


def outcomes(file: str, *, start: int = 0, step: int = 1) -> Iterator[tuple[str, Outcome]]:
    """Name and outcome of every `step`-th probe."""
    source = official_file(file)
    fmt = carrying(source)
    for probe in probes()[start::step]:
        outcome = compare(fmt, source, probe)
        if outcome.verdict == "differs" and _AS_JSON in outcome.official:
            outcome = Outcome("kept", outcome.ours, outcome.official)  # the official one prints a part as its JSON
        yield probe.name, outcome


def main() -> None:
    """Print the figures, and what is not equal."""
    count: Counter[str] = Counter()
    files = distinct_files()
    for file in files:
        for name, outcome in outcomes(file):
            count[outcome.verdict] += 1
            if outcome.verdict in ("differs", "unable"):
                print(f"{outcome.verdict}: {file}: {name}", file=sys.stderr)
    print(f"{len(files)} templates, {len(probes())} probes: {dict(count)}")


if __name__ == "__main__":
    main()
