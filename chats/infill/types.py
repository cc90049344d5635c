"""What an infill engine is asked and what it answers. Frozen in, frozen out; every candidate gets its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, Protocol

from formats.prompt.findings import Finding

CandidateKind = Literal["world", "character", "history", "message"]
EngineName = Literal["keyword", "vector", "hybrid"]
Date = tuple[int, int, int]
"""Year, month, day; 0 for a month or day that is not told."""

GUARANTEED: Final = 10
"""The newest messages are in whatever the rest scores: they are no candidates."""

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


TEXT_LIMIT: Final = 20_000
"""Characters of a text that are embedded; what comes after changes its meaning little."""


class Passage(NamedTuple):
    """What is embedded of a candidate: its name, where it has one, and its text."""

    name: str
    text: str

    @classmethod
    def of(cls, kind: CandidateKind, name: str, text: str) -> Passage:
        """Return what is embedded of a candidate of `kind`: history and messages are told without a name."""
        return cls(name if kind in ("world", "character") else "", text)

    @property
    def content(self) -> str:
        """The text that is embedded, and whose hash a stored vector goes by."""
        return (f"{self.name}\n{self.text}" if self.name else self.text)[:TEXT_LIMIT]


class Candidate(NamedTuple):
    """One lore entry or one message that may take part.

    `id` is unique in a selection and comes back as it is. `text` is what the prompt would hold; `tokens` what that adds
    to it, None: ask the cost that `Engine.select` is given. `order` is the place: of an entry in its book, of a message
    among `Scene.messages`. `priority` counts 0 normal, 1 high, 2 very high. `subject` is the id of whom a character
    entry is about (as in `Said.speaker`). `is_visible` False: the lore is not for this speaker. `in_scene`: it belongs
    to the scene that the newest messages play in. `stored` is what its vector is of, where macros make
    another text of it. `source` is free for the caller.

    A tuple, because thousands are made for one render.
    """

    id: str
    kind: CandidateKind
    text: str
    name: str = ""
    keys: tuple[str, ...] = ()
    use_regex: bool = False
    case_sensitive: bool = False
    whole_words: bool = False
    tokens: int | None = None
    pinned: bool = False
    enabled: bool = True
    is_visible: bool = True
    priority: int = 0
    order: int = 0
    date: Date | None = None
    subject: str = ""
    in_scene: bool = False
    stored: Passage | None = None
    source: Any = None


Cost = Callable[[Candidate], int]
"""What a candidate adds to the prompt, in tokens; asked only for those that there may be room for."""


class Said(NamedTuple):
    """One message of the chat: `speaker` is the id of who spoke, "" where nobody knows."""

    text: str
    speaker: str = ""
    name: str = ""
    role: str = "user"


@dataclass(frozen=True, slots=True)
class Scene:
    """The chat as engines see it. `messages` are all that take part, oldest first, the newest ten included.

    `names` are the names, nicknames and aliases of everyone in the scene. `settings` are texts that count as said just
    now though no message holds them: scenario, descriptions.
    """

    messages: tuple[Said, ...] = ()
    names: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    guaranteed: int = GUARANTEED

    @property
    def recent(self) -> tuple[Said, ...]:
        """The newest messages, which are in anyway and which relevance is measured by."""
        return self.messages[-self.guaranteed :] if self.guaranteed else ()

    @property
    def older(self) -> tuple[Said, ...]:
        """The messages before those: the candidates of kind `message` stand for these."""
        return self.messages[: max(0, len(self.messages) - self.guaranteed)]


class Reason(StrEnum):
    """Why a candidate is in (the first four) or out. docs/infill.md explains each."""

    PINNED = "pinned"
    SCORED = "scored"
    ZERO_SCORE = "zeroScore"
    RECENT = "recent"

    DISABLED = "disabled"
    HIDDEN = "hidden"
    LOW_SCORE = "lowScore"
    UNLIKE = "unlike"
    REPEATED = "repeated"
    CAP = "cap"
    BUDGET = "budget"
    TOKEN_LIMIT = "tokenLimit"  # noqa: S105 - no password


IN: Final = frozenset({Reason.PINNED, Reason.SCORED, Reason.ZERO_SCORE, Reason.RECENT})


class Decision(NamedTuple):
    """What became of one candidate. `parts` are the signals behind the score, each 0 to 1 and without its weight."""

    id: str
    kind: CandidateKind
    reason: Reason
    score: float = 0.0
    tokens: int = 0
    parts: Mapping[str, float] = NOTHING

    @property
    def chosen(self) -> bool:
        """Whether it is in."""
        return self.reason in IN

    def wire(self) -> dict[str, Any]:
        """Return the figures for the trace."""
        shown: dict[str, Any] = {"score": round(self.score, 4), "tokens": self.tokens}
        if self.parts:
            shown["parts"] = {name: round(part, 4) for name, part in self.parts.items() if part}
        return shown


@dataclass(frozen=True, slots=True)
class Selection:
    """The answer. `chosen` are ids: pinned ones first, then best first; messages and all kinds of lore in one list.

    `decisions` has every candidate in the order given. `engine` is the one that ran, `asked` the one that should have;
    where they differ `findings` says why.
    """

    engine: EngineName
    chosen: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    tokens: int = 0
    budget: int | None = None
    asked: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    def of(self, candidates: Iterable[Candidate], *kinds: CandidateKind) -> list[Candidate]:
        """Return the chosen ones of `kinds` in the order chosen; messages in the order of the chat."""
        known = {one.id: one for one in candidates if one.kind in kinds}
        found = [known[id_] for id_ in self.chosen if id_ in known]
        return sorted(found, key=lambda one: one.order) if kinds == ("message",) else found


@dataclass(frozen=True, slots=True)
class Options:
    """How to select. `messages_first`: older messages fill up to half of the budget before lore is looked at, as some
    programs do; otherwise all are one ranked pool. `by_date`: history leaves in the order of its dates, newest first.
    `min_score`: what scores less stays out; 0 lets everything in that there is room for."""

    messages_first: bool = False
    by_date: bool = False
    min_score: float = 0.0
    caps: Mapping[CandidateKind, int] = field(
        default_factory=lambda: {"world": 20, "character": 15, "history": 10, "message": 50}
    )

    def wire(self) -> dict[str, Any]:
        """Return what the trace says of them."""
        return {"messagesFirst": self.messages_first, "byDate": self.by_date, "minScore": self.min_score}


class Engine(Protocol):
    """Picks candidates. The same input gives the same answer."""

    @property
    def name(self) -> EngineName:
        """What it is called in requests and in the trace."""

    def select(
        self, scene: Scene, candidates: Sequence[Candidate], budget: int | None, cost: Cost | None = None
    ) -> Selection:
        """Return what is in, within `budget` tokens (pinned candidates too; None: only the caps hold).

        Messages may be given as candidates too: the newest ten are in, the others compete with the lore.

        The costs are added up, nothing is rendered: whoever renders checks the whole once, and calls
        `chats.infill.trimming.trimmed` where it is too much.
        """
