"""Lore stage: which entries the expanded texts call. Their own texts are expanded as they are activated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from chats.documents.lorebook import Place
from chats.lore import Activation, CompiledBook, EntryRef, Hit, LoreSettings, Reason, SeededRolls, activate
from chats.lore.outcome import uncalled
from chats.pipeline.context.people import People
from chats.pipeline.expander import Expander
from chats.pipeline.ports import Ports
from chats.pipeline.sources import Sources
from chats.pipeline.stages.rank_lore import rank_lore
from chats.pipeline.trace import Change, Step

PATH: Final = "lorebooks"
LISTED: Final = 1_000
"""A trace lists every entry that is out while the books have at most so many; beyond, only those that were called."""


def activate_lore(sources: Sources, ports: Ports) -> Step[Sources]:
    """Return `sources` with the activated lore, one Change for each entry that is in or was a candidate and is out."""
    if not sources.books or sources.context is not None:  # for a context template lore is ranked, not called
        return Step(sources)
    if sources.ranking is not None:
        return rank_lore(sources, sources.ranking, lore_settings(sources), ports)
    expander = Expander(sources.scope) if sources.scope is not None else None
    found = activate(
        sources.books,
        [message.plain for message in sources.history if not message.excluded],
        lore_settings(sources),
        SeededRolls(ports.rng.seed),
        state=sources.lore_state,
        count=ports.counter.count,
        expand=(lambda text: expander.text(text, PATH)) if expander is not None else None,
    )
    findings = (*found.findings, *(expander.findings if expander is not None else ()))
    return Step(replace(sources, lore=found), _changes(found, sources), findings)


def lore_settings(sources: Sources) -> LoreSettings:
    """Return how the books of a render are searched: who speaks, what is generated, which texts besides messages."""
    character = sources.cast.character
    bound = [(book, People(book.settings, sources.cast)) for book in sources.books if book.settings.bindings]
    return LoreSettings(
        context_tokens=sources.budget.available if sources.budget is not None else None,
        generation_type=sources.generation_type,
        speaker=sources.cast.speaker,
        speaker_tags=frozenset(character.tags) if character is not None else frozenset(),
        places=_places(sources),
        private=frozenset(ref for book, people in bound for ref in _private(book, people)),
        named={book.id: people.named for book, people in bound},
    )


def _private(book: CompiledBook, people: People) -> Iterator[EntryRef]:
    """Yield the lore that is bound to somebody of the cast who does not speak now; a persona's is for everyone."""
    for compiled in book.entries:
        entry = compiled.entry
        if entry.kind == "character" and not people.may_tell(entry.binding):
            yield compiled.ref


def _places(sources: Sources) -> Mapping[Place, str]:
    """Return the texts that entries may ask to be searched besides the messages."""
    cast, character = sources.cast, sources.cast.character
    texts: dict[Place, str] = {"scenario": cast.shown_scenario}
    if cast.persona is not None:
        texts["persona"] = cast.persona.description
    if character is not None:
        texts |= {
            "description": character.description,
            "personality": character.personality,
            "creator_notes": character.creator_notes,
        }
        if character.depth_prompt is not None:
            texts["character_note"] = character.depth_prompt.prompt
    return {place: text for place, text in texts.items() if text}


def origin_of(hit: Hit) -> str:
    """Return the origin of an entry's message."""
    return f"lore:{hit.ref.uid}"


def _changes(found: Activation, sources: Sources) -> list[Change]:
    added = [
        Change("added", None, origin_of(hit), hit.reason.code.value, hit.ref.uid, figures_of(hit))
        for hit in found.activated
    ]
    out = [(one.ref, one.reason) for one in found.rejected]
    if not sources.with_figures:
        return [*added, *(_dropped(ref, reason) for ref, reason in out)]
    books = {book.id: book for book in sources.books}
    out += _uncalled(sources.books, found)
    return [*added, *(_dropped(ref, reason, books.get(ref.book)) for ref, reason in out)]


def _uncalled(books: Sequence[CompiledBook], found: Activation) -> list[tuple[EntryRef, Reason]]:
    """Return why the entries are out that never were candidates, as long as there are few enough to list."""
    if sum(len(book.entries) for book in books) > LISTED:
        return []
    known = {hit.ref for hit in found.activated} | {one.ref for one in found.rejected}
    return [
        (entry.ref, uncalled(entry))
        for book in books
        if EntryRef(book.id, "*") not in known
        for entry in book.entries
        if entry.ref not in known
    ]


def figures_of(hit: Hit) -> dict[str, object]:
    """Return why an entry is in and where it goes."""
    entry = hit.compiled.entry
    figures: dict[str, object] = {"book": hit.ref.book, "name": entry.name, **_params(hit.ref, hit.reason)}
    score = hit.reason.params.get("score", hit.score)
    figures |= {"keys": list(hit.keys), "score": score, "order": entry.order, "position": entry.position}
    if entry.position == "at_depth":
        figures |= {"insertedAt": entry.depth, "role": entry.role}
    if hit.tokens is not None:
        figures["tokens"] = hit.tokens
    return figures


def _dropped(ref: EntryRef, reason: Reason, book: CompiledBook | None = None) -> Change:
    figures: dict[str, object] = {"book": ref.book}
    compiled = book.entry(ref.uid) if book is not None else None
    if compiled is not None and compiled.entry.name:
        figures["name"] = compiled.entry.name
    figures |= _params(ref, reason)
    return Change("dropped", None, f"lore:{ref.uid}", reason.code.value, ref.uid, figures)


def _params(ref: EntryRef, reason: Reason) -> dict[str, object]:
    """Return the figures of a reason; where they name another entry's book, it is `otherBook` here."""
    params = dict(reason.params)
    other = params.pop("book", ref.book)
    return params if other == ref.book else {**params, "otherBook": other}
