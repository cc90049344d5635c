"""Shares chunks of rows out to processes and gives the results back in order, with a bounded number under way."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from typing import Final

from chats.services.dataset.plan import DatasetPlan
from chats.services.dataset.rows import Chunk, RowRenderer
from chats.services.dataset.worker import start, work

ROWS_PER_CHUNK: Final = 256
AHEAD: Final = 4
"""Chunks under way for each process: enough to keep it busy, few enough to hold little in memory."""

Numbered = tuple[int, list[bytes]]


def chunks_of(lines: Iterable[tuple[int, bytes]], size: int = ROWS_PER_CHUNK) -> Iterator[Numbered]:
    """Yield the number of the first line and up to `size` lines that follow each other without a gap."""
    held: list[bytes] = []
    first = 0
    for number, line in lines:
        if held and (len(held) == size or number != first + len(held)):
            yield first, held
            held = []
        if not held:
            first = number
        held.append(line)
    if held:
        yield first, held


def rendered_chunks(plan: DatasetPlan, chunks: Iterable[Numbered], processes: int) -> Iterator[Chunk]:
    """Yield the rendered chunks in order. One process means this one.

    Raises AppError for a plan that can not be rendered.
    """
    renderer = RowRenderer(plan)
    if processes == 1:
        for first, lines in chunks:
            yield renderer.chunk(first, lines)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context, initializer=start, initargs=(plan,)) as pool:
        waiting = iter(chunks)
        under_way: deque[Future[Chunk]] = deque(pool.submit(work, one) for one in islice(waiting, processes * AHEAD))
        try:
            while under_way:
                yield under_way.popleft().result()
                under_way.extend(pool.submit(work, one) for one in islice(waiting, 1))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
