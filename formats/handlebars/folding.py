"""Templates that are only literals and plain root variables, which is what nearly every role template is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from formats.handlebars import limits
from formats.handlebars.helpers import HelperSet
from formats.handlebars.options import Options
from formats.handlebars.tree import Comment, Mustache, Program, Text
from formats.handlebars.values import Value


@dataclass(frozen=True, slots=True)
class Var:
    """A plain root variable in a folded template."""

    name: str


def fold(tree: Program, helpers: HelperSet, options: Options) -> tuple[str | Var, ...] | None:
    """Alternating texts and plain root variables, when the template is nothing else."""
    if options.escape or options.strict:
        return None
    folded: list[str | Var] = []
    for statement in tree.body:
        if isinstance(statement, Text):
            part: str | Var = statement.value
        elif isinstance(statement, Mustache) and (name := _plain_variable(statement, helpers)) is not None:
            part = Var(name)
        elif isinstance(statement, Comment):
            continue
        else:
            return None
        if isinstance(part, str) and folded and isinstance(folded[-1], str):
            folded[-1] += part
        elif part != "":
            folded.append(part)
    return tuple(folded)


def _plain_variable(mustache: Mustache, helpers: HelperSet) -> str | None:
    call = mustache.call
    if call.operands or call.keywords:
        return None
    name = getattr(call.callee, "simple_name", None)
    is_plain = name is not None and helpers.get(name) is None and not getattr(call.callee, "is_data", True)
    return name if is_plain else None


Render = Callable[[Value], str]


def variable_names(folded: tuple[str | Var, ...]) -> list[str]:
    """The variables of a folded template in order, one for each tag."""
    return [part.name for part in folded if isinstance(part, Var)]


def can_amplify(folded: tuple[str | Var, ...] | None) -> bool:
    """False for a template whose output is hardly longer than what it is given, so that none needs to be measured."""
    return folded is None or len(variable_names(folded)) > 2


def folded_render(folded: tuple[str | Var, ...], render: Render) -> Render:
    """A faster `render` for a folded template. What is unusual, such as a value that is no string, goes the long way.

    Joining refuses whatever is no string, and a plain dict's lookup runs no code of anybody: no other test is needed.
    The parts are defaults of parameters because local names are read faster than those of a closure.
    """
    names = variable_names(folded)
    texts = _texts_between(folded)
    if len(names) == 1:
        return _render_one(texts, names[0], render)
    if len(names) == 2:
        return _render_two(texts, names, render)
    return _render_many(texts, names, render)


def _texts_between(folded: tuple[str | Var, ...]) -> list[str]:
    """The texts before, between and after the variables; empty where two touch."""
    texts = [""]
    for part in folded:
        if isinstance(part, str):
            texts[-1] = part
        else:
            texts.append("")
    return texts


def _render_one(texts: list[str], name: str, render: Render) -> Render:
    before, after = texts

    def render_one(context: Value, before: str = before, name: str = name, after: str = after) -> str:
        if type(context) is dict:
            try:
                return "".join((before, context[name], after))
            except (KeyError, TypeError):
                pass
        return render(context)

    return render_one


def _render_two(texts: list[str], names: list[str], render: Render) -> Render:
    before, between, after = texts
    first, second = names

    def render_two(  # noqa: PLR0917
        context: Value,
        before: str = before,
        first: str = first,
        between: str = between,
        second: str = second,
        after: str = after,
    ) -> str:
        if type(context) is dict:
            try:
                return "".join((before, context[first], between, context[second], after))
            except (KeyError, TypeError):
                pass
        return render(context)

    return render_two


def _render_many(texts: list[str], names: list[str], render: Render) -> Render:
    # Texts at even places, variables at odd ones.
    template: list[str] = [part for pair in zip(texts, [*names, ""], strict=True) for part in pair]
    places = [(2 * index + 1, name) for index, name in enumerate(names)]
    join, longest = "".join, limits.OUTPUT_CHARACTERS

    def render_many(context: Value) -> str:
        if type(context) is dict:
            parts = template.copy()
            try:
                for place, name in places:
                    parts[place] = context[name]
                if sum(map(len, parts)) <= longest:
                    return join(parts)
            except (KeyError, TypeError):
                pass
        return render(context)

    return render_many
