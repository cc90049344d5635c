"""What exists while a template renders: frames, data frames, and the run with its budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from formats.handlebars import limits
from formats.handlebars.errors import Place, TemplateLimitError
from formats.handlebars.origins import Entry
from formats.handlebars.values import UNDEFINED, Value, same

Write = Callable[..., Any]
"""Takes a text; a tracing one also the root variable it came from."""

Chain = tuple[Any, Any] | None
"""A linked list: the innermost item and the rest."""

NULL_CONTEXT: Final[dict[str, Value]] = {}
"""The context of a block's inside where there is none outside."""


class Data(dict[str, Value]):
    """The `@` variables of one level; `parent` is the level outside."""

    __slots__ = ("parent",)

    def __init__(self, values: Mapping[str, Value] | None = None, parent: Data | None = None) -> None:
        super().__init__(values or {})
        self.parent = parent

    def child(self) -> Data:
        """A new level that starts with the values of this one."""
        return Data(self, self)


class Run:
    """One render: what it has written and used up."""

    __slots__ = ("counted", "entry", "partial_depth", "place", "size", "steps", "texts", "tracer")

    def __init__(self, texts: list[str], place: Place, tracer: Any = None) -> None:
        self.texts = texts
        self.place = place  # of the last loop or partial begun: where a limit is told
        self.tracer = tracer
        self.size = self.counted = self.steps = self.partial_depth = 0
        self.entry = Entry()

    def spend(self, steps: int, place: Place) -> None:
        """Take `steps` from the budget."""
        self.steps += steps
        self.place = place
        if self.steps > limits.STEPS:
            raise TemplateLimitError(f"the template takes more than {limits.STEPS:,} steps", place)

    def spend_on_text(self, characters: int, place: Place) -> None:
        """Take the steps of making or comparing a long text."""
        if characters >= limits.TEXT_CHARACTERS_PER_STEP:
            self.spend(characters // limits.TEXT_CHARACTERS_PER_STEP, place)

    def check_output(self) -> None:
        """Count what was written since the last look."""
        written = len(self.texts)
        self.add_output(sum(map(len, self.texts[self.counted :])))
        self.counted = written

    def add_output(self, characters: int) -> None:
        """Count output, also what is still to be joined."""
        self.size += characters
        if self.size > limits.OUTPUT_CHARACTERS:
            text = f"the output has more than {limits.OUTPUT_CHARACTERS:,} characters"
            raise TemplateLimitError(text, self.place)

    def begin_partial(self, steps: int, place: Place) -> None:
        """One partial deeper."""
        self.partial_depth += 1
        if self.partial_depth > limits.PARTIAL_DEPTH:
            raise TemplateLimitError(f"partials may be nested {limits.PARTIAL_DEPTH} deep", place)
        self.spend(steps, place)
        self.check_output()


class PartialTarget(Protocol):
    """Something `{{> name}}` can run."""

    weight: int

    def run(self, frame: Frame, context: Value, data: Data | None, partials: dict[str, Any], write: Write) -> None: ...


class Frame:
    """What a piece of a template can see: its context, those outside, `@` data, block parameters and partials."""

    __slots__ = ("context", "data", "params", "partials", "run", "scopes")

    def __init__(  # noqa: PLR0917  # made in every block: positional is what is fast
        self,
        context: Value,
        scopes: Chain,
        data: Data | None,
        params: Chain,
        partials: dict[str, PartialTarget],
        run: Run,
    ) -> None:
        self.context = context
        self.scopes = scopes
        self.data = data
        self.params = params
        self.partials = partials
        self.run = run


Getter = Callable[[Frame], Value]
Op = Callable[[Frame, Write], None]


class CompiledProgram:
    """A program as closures, with what it needs to know of its surroundings."""

    __slots__ = ("definitions", "params", "run", "uses_data", "uses_scopes", "weight")

    def __init__(self, params: tuple[str, ...]) -> None:
        self.params = params
        self.run: Op = _nothing
        self.uses_data = self.uses_scopes = False
        self.weight = 1
        self.definitions: Callable[[Frame], Frame] | None = None

    def enter(self, frame: Frame, context: Value, data: Data | None = None, params: Any = None) -> Frame:
        """The frame this program runs in, inside `frame`, with another context, data or parameters."""
        if context is frame.context and data is None and not self.params:
            return frame
        scopes = frame.scopes
        if self.uses_scopes and pushes(context, scopes):
            scopes = (context, scopes)
        inner = (params, frame.params) if self.params else frame.params
        return Frame(context, scopes, frame.data if data is None else data, inner, frame.partials, frame.run)


def pushes(context: Value, scopes: Chain) -> bool:
    """True when a context becomes a level of its own: `..` steps over equal ones as if they were one."""
    outer = scopes[0] if scopes is not None else UNDEFINED
    if same(context, outer):
        return False
    return not (context is NULL_CONTEXT and (outer is None or outer is UNDEFINED))


def _nothing(frame: Frame, write: Write) -> None:
    """An empty program."""
