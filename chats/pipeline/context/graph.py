"""`narrativeGraph`: who is what to whom, as far as the one who speaks next may know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from chats.documents import Lorebook
from chats.documents.lorebook import Binding, Relationship
from chats.lore import CompiledBook
from chats.pipeline.context.people import People
from formats.context.facts import filled, indented

MAX_PAIRS: Final = 10
"""Ordered pairs of persons that are told of, those of the cast first."""


def narrative_graph(books: Iterable[tuple[CompiledBook, People]]) -> str:
    """Return the graph of all books as JSON, two spaces of indent; empty where there is nothing to tell."""
    whole: dict[str, Any] = {}
    for book, people in books:
        if book.settings.bindings:
            _add(whole, book.settings, people)
    return indented(whole)


def _add(whole: dict[str, Any], book: Lorebook, people: People) -> None:
    for name, summary in _background(people):
        whole.setdefault("side_characters", {}).setdefault(name, summary)
    for (source, target), edges in _pairs(book, people):
        told = [_edge(edge, people) for edge in edges]
        perspective = whole.setdefault(f"{people.full_name(source)}_perspective", [])
        perspective.append({"with": people.full_name(target), "relationships": told})


def _background(people: People) -> Iterator[tuple[str, str]]:
    for number, binding in people.bindings.items():
        if people.person(number) is None and binding.visibility != "hidden" and binding.summary.strip():
            state = "" if binding.state == "active" else f" ({binding.state})"
            yield binding.name, people.named(binding.summary) + state


def _pairs(book: Lorebook, people: People) -> list[tuple[tuple[int, int], list[Relationship]]]:
    """Return the pairs with what is known between them: both in the cast first, then one, then none."""
    pairs: dict[tuple[int, int], list[Relationship]] = {}
    for edge in book.relationships:
        if edge.state == "active" and _is_known(edge, people):
            pairs.setdefault((edge.source, edge.target), []).append(edge)

    def strangers(pair: tuple[int, int]) -> int:
        return sum(people.person(number) is None for number in pair)

    return sorted(pairs.items(), key=lambda item: strangers(item[0]))[:MAX_PAIRS]


def _is_known(edge: Relationship, people: People) -> bool:
    """Return whether the speaker may know: a secret is the first person's, what is acknowledged is for both."""
    ends: list[Binding] = [people.bindings[edge.source], people.bindings[edge.target]]
    if any(one.visibility == "hidden" for one in ends):
        return False
    if edge.visibility == "public":
        return True
    knowing = (edge.source,) if edge.visibility == "secret" else (edge.source, edge.target)
    return any(people.is_speaker(number) for number in knowing)


def _edge(edge: Relationship, people: People) -> dict[str, Any]:
    texts = [("description", people.named(edge.description)), ("reason", people.named(edge.reason))]
    return filled([("type", edge.type), ("status", edge.state), *texts])
