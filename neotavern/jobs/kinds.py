"""The registry of kinds of jobs: floors above say what there is to do, and this one does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

QUEUE = "default"
EMBED_QUEUE = "embed"
QUEUES = (QUEUE, EMBED_QUEUE)


class Progress(Protocol):
    """Tells how far a job is, and that it still lives. Raises Cancelled once somebody has called it off."""

    def __call__(self, done: int, total: int) -> None:
        """Note that `done` of `total` parts are there; cheap, written down every few seconds."""


class Cancelled(Exception):
    """The job was called off: whoever runs it stops here, and what is done stays."""


@dataclass(frozen=True, slots=True)
class JobKind:
    """`run(team_id, payload, progress)` does the work and returns what came of it, as JSON; it may run twice.

    `again` are the errors after which it is tried again, some time later. `find_undone` is called when a worker starts:
    it asks for jobs that nobody asked for, such as after a change of the server's set-up.
    """

    name: str
    title: StrOrPromise
    run: Callable[[int, Mapping[str, Any], Progress], Mapping[str, Any]]
    queue: str = QUEUE
    again: tuple[type[Exception], ...] = ()
    find_undone: Callable[[], object] | None = None


_KINDS: dict[str, JobKind] = {}


def register(kind: JobKind) -> None:
    """Register a kind; another of the same name takes its place."""
    if kind.queue not in QUEUES:
        raise ValueError(f"there is no queue {kind.queue!r}")
    _KINDS[kind.name] = kind


def all_kinds() -> list[JobKind]:
    """Return every kind."""
    return list(_KINDS.values())


def get(name: str) -> JobKind | None:
    """Return the kind called `name`, None for one that this version does not know."""
    return _KINDS.get(name)
