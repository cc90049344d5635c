"""Races: functions that make the same bytes, timed in one run, interleaved in random order."""

from __future__ import annotations

import gc
import random
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Contender = Callable[[], Any]
QUICK = "--quick" in sys.argv


@dataclass(frozen=True)
class Result:
    """Times of one contender, in seconds of CPU a call, and its ratio to the reference of the same round."""

    name: str
    times: tuple[float, ...]
    ratios: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.times)

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)

    @property
    def spread(self) -> tuple[float, float]:
        """First and third quartile of the ratios."""
        first, _, third = statistics.quantiles(self.ratios, n=4)
        return first, third

    def line(self) -> str:
        low, high = self.spread
        return f"{self.name:<34}{self.ratio:8.2f}x  ({low:.2f}-{high:.2f})  {self.median * 1e6:10.2f} us"


def race(
    title: str,
    contenders: Mapping[str, Contender],
    reference: str,
    *,
    rounds: int = 7 if QUICK else 31,
    target_seconds: float = 0.01,
    same: bool = True,
    seed: int = 1,
) -> dict[str, Result]:
    """Time every contender once per round in random order, print ratios to `reference`, and return them.

    With `same`, all must return equal values first. Each is called so often a round that it takes `target_seconds`.
    """
    if same:
        _check_same(contenders, reference)
    calls = {name: _calls_for(contender, target_seconds) for name, contender in contenders.items()}
    times: dict[str, list[float]] = {name: [] for name in contenders}
    order = list(contenders)
    rng = random.Random(seed)
    for _ in range(rounds):
        rng.shuffle(order)
        for name in order:
            times[name].append(_time(contenders[name], calls[name]))
    results = {
        name: Result(name, tuple(taken), tuple(a / b for a, b in zip(taken, times[reference], strict=True)))
        for name, taken in times.items()
    }
    print(f"\n{title}  (ratio to {reference}: median, quartiles; median time; {rounds} rounds)")
    for result in results.values():
        print("  " + result.line())
    return results


def _check_same(contenders: Mapping[str, Contender], reference: str) -> None:
    expected = contenders[reference]()
    for name, contender in contenders.items():
        if contender() != expected:
            raise SystemExit(f"{name} and {reference} do not make the same bytes")


def _calls_for(contender: Contender, seconds: float) -> int:
    return max(1, int(seconds / max(min(_time(contender, 1) for _ in range(3)), 1e-7)))


def _time(contender: Contender, calls: int) -> float:
    gc_was_on = gc.isenabled()
    gc.disable()
    try:
        start = time.process_time()
        for _ in range(calls):
            contender()
        return (time.process_time() - start) / calls
    finally:
        if gc_was_on:
            gc.enable()
