"""Renders a whole file: what the command does."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from chats.services.dataset.input import fingerprint_of, numbered_lines
from chats.services.dataset.output import Output
from chats.services.dataset.plan import DatasetPlan
from chats.services.dataset.pool import chunks_of, rendered_chunks


@dataclass(slots=True)
class Summary:
    """What one run did. `resumed` rows were there already."""

    rows: int = 0
    refused: int = 0
    resumed: int = 0
    findings: Counter[str] = field(default_factory=Counter)


def render_file(
    plan: DatasetPlan,
    source: Path,
    target: Path,
    *,
    processes: int = 1,
    restart: bool = False,
    seen: Callable[[int], object] = int,
    wrote: Callable[[Summary], object] = id,
) -> Summary:
    """Render every row of `source` into `target`, going on where an earlier run was stopped.

    `seen` is told the bytes read as they are read, `wrote` the summary after each stretch of rows.
    Raises AppError for a plan that can not be rendered and a target that is somebody else's; OSError.
    """
    made = Summary()
    key = hashlib.sha256(f"{plan.fingerprint()}:{fingerprint_of(source)}".encode()).hexdigest()
    with Output(target, key, restart=restart) as output:
        made.resumed = output.done
        lines = numbered_lines(source, skip=output.done, seen=seen)
        for chunk in rendered_chunks(plan, chunks_of(lines), processes):
            output.write(chunk.lines)
            made.rows += chunk.rows
            made.refused += chunk.refused
            made.findings.update(chunk.findings)
            wrote(made)
        output.finish()
    return made
