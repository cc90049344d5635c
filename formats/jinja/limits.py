"""What a template may use. Every figure bounds one render; none is a setting, so that the same text always renders."""

from __future__ import annotations

from typing import Final

FUEL: Final = 5_000_000
"""Steps of minijinja; a step of a loop costs some five, and 64 bytes of text cost one."""

SECONDS: Final = 1.0
"""Processor time of one render, and of the choice between the engines."""

HARD_SECONDS: Final = 2
"""Processor time, in whole seconds, after which the system ends a worker that nothing else stops."""

PATIENCE: Final = 20.0
"""Seconds that pass until a silent worker is killed: on a crowded machine far more than its processor time."""

MEMORY: Final = 512 * 1024 * 1024
"""Address space of the worker, in bytes, with the two engines in it."""

OUTPUT: Final = 16_000_000
"""Characters of a rendered text."""

SOURCE: Final = 1_000_000
"""Characters of a template. A stored format allows far fewer."""

KEPT: Final = 64
"""Templates that the worker keeps compiled, and that a process keeps facts of."""

BITS: Final = 100_000
"""Bits of a number that a power may give."""
