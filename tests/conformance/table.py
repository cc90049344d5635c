"""Writes docs/conformance.md: every official chat template against the built-in of its family.

`python -m tests.conformance.table` writes the page, `--check` says whether it is up to date.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from formats.builtin import builtin
from formats.catalogue import all_facts
from tests.conformance.compare import GOOD, Verdict, families, outcome
from tests.conformance.oracle import official_files
from tests.conformance.probes import KINDS, Probe, probes

PAGE = Path(__file__).parents[2] / "docs" / "conformance.md"
Row = dict[str, Counter[Verdict]]

HEAD = """# Conformance

Every built-in whose family has an official chat template in our measuring data, against that template: the same
conversation through both, compared byte for byte. `python -m tests.conformance.table` makes this page.

- The official templates are rendered by jinja2 as transformers does, `now` being a fixed day.
- {probes} probe conversations of our own (`tests/conformance/probes.py`): {kinds}.
- A cell counts the probes on which both agree: the bytes are equal, or the official template itself refuses. `+n` are
  probes on which the official template loses a text or a call without a word and ours keeps it; `-n` are differences.
- Spellings that mean the same to us are tried for the official side: arguments as an object or as text, no content as
  null or empty, reasoning beside a content or inside it.

"""


def measured() -> Iterator[tuple[str, str, Row]]:
    """Slug, official file, and the verdicts by kind."""
    asked = probes()
    for file, slug in families():
        row: Row = {kind: Counter() for kind in KINDS}
        for probe in asked:
            row[probe.kind][outcome(slug, file, probe).verdict] += 1
        yield slug, file, row


def page() -> str:
    """The whole page."""
    rows = sorted(measured(), key=lambda measure: measure[:2])
    asked = probes()
    kinds = ", ".join(f"{sum(probe.kind == kind for probe in asked)} {kind}" for kind in KINDS)
    text = HEAD.format(probes=len(asked), kinds=kinds)
    text += f"{_totals(rows)}\n\n| family | official template | {' | '.join(KINDS)} |\n|---|---|{'---|' * len(KINDS)}\n"
    for slug, file, row in rows:
        text += f"| `{slug}` | {file} | {' | '.join(_cell(row[kind]) for kind in KINDS)} |\n"
    return text + _without(rows, asked)


def _totals(rows: list[tuple[str, str, Row]]) -> str:
    parts = []
    for kind in KINDS:
        counted = sum((row[kind] for _, _, row in rows), Counter[Verdict]())
        good = sum(counted[verdict] for verdict in GOOD)
        parts.append(f"{kind} {good} of {counted.total()} ({100 * good / max(counted.total(), 1):.1f} %)")
    slugs = {slug for slug, _, _ in rows}
    jinja = sorted(slug for slug in slugs if builtin(slug).chat_template is not None)
    form = f"by a chat template of our own: {', '.join(jinja)}" if jinja else "all of them declarative"
    return f"{len(slugs)} families, {len(rows)} official templates, {form}. Agreement: {'; '.join(parts)}."


def _cell(counted: Counter[Verdict]) -> str:
    bad, kept = counted["differs"] + counted["unable"], counted["kept"]
    text = f"{counted['equal'] + counted['refused']}/{counted.total()}"
    return text + (f" +{kept}" if kept else "") + (f" **-{bad}**" if bad else "")


def _without(rows: list[tuple[str, str, Row]], asked: list[Probe]) -> str:
    measured_slugs, known = {slug for slug, _, _ in rows}, {file for _, file, _ in rows}
    others = sorted(set(all_facts()) - measured_slugs)
    open_files = [file for file in official_files() if file not in known]
    text = f"\n## Built-ins without an official template in the data\n\n{', '.join(f'`{slug}`' for slug in others)}\n"
    text += f"\n## Official templates without a built-in\n\n{len(open_files)} files: {', '.join(open_files)}.\n"
    return text + f"\n## The probes\n\n{'; '.join(f'{probe.kind}: {probe.name}' for probe in asked)}.\n"


def main() -> int:
    """Write or check; the exit code."""
    text = page()
    if "--check" in sys.argv:
        return 0 if PAGE.read_text(encoding="utf-8") == text else 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
