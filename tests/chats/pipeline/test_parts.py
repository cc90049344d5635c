"""What a prompt consists of: the tokens of each message, and why it is there."""

from __future__ import annotations

from typing import Any

from chats.pipeline.cast import NOBODY
from chats.pipeline.parts import Part, parts_of
from chats.pipeline.run import run
from chats.pipeline.sources import Rendered, Sources
from formats.prompt import InstructFormat, compile_format
from tests.chats.pipeline.base import LETTERS, book, cast, memory, message, ports

HOUSE: dict[str, Any] = {
    "kind": "instruct-format", "version": 2, "id": "house", "name": "House", "system": "<s>{{{content}}}</s>\n",
    "user": "<u>{{{content}}}</u>\n", "assistant": "<a>{{{content}}}</a>\n", "tool": "{{{content}}}",
    "promptSuffix": "<a>",
}  # fmt: skip


def made(*history: Any, form: bool = True, **more: Any) -> Rendered:
    compiled = compile_format(InstructFormat.model_validate(HOUSE)) if form else None
    sources = Sources(history=history, with_figures=True, **more)
    return run(sources, compiled, ports(LETTERS), segments=True)


def parts(*history: Any, **more: Any) -> list[Part]:
    return parts_of(made(*history, **more), LETTERS)


def test_every_message_has_its_markup_and_the_format_the_rest() -> None:
    found = parts(message("user", "Hi", id="7"), message("assistant", "Well"), message("user", "Go"))
    assert [(one.place, one.message, one.id, one.role, one.origin, one.tokens) for one in found] == [
        (0, 0, "7", "user", "history", 3),
        (1, 1, None, "assistant", "history", 3),
        (2, 2, None, "user", "history", 3),
        (None, None, None, None, "promptSuffix", 1),
    ]


def test_blocks_say_which_they_are_and_depths_where_they_stand() -> None:
    card = {"name": "Joss", "description": "Draws maps.", "extensions": {"depth_prompt": {"prompt": "Low", "depth": 1}}}
    found = parts(message("user", "Hi"), cast=cast(card))
    why = {(one.origin, one.why.get("field")): dict(one.why) for one in found if one.place is not None}
    assert why[("character", "description")] == {
        "block": "character-description",
        "field": "description",
        "of": "Joss",
    }
    assert why[("character", "depth_prompt")] == {"insertedAt": 1, "field": "depth_prompt"}
    assert why[("block:main-prompt", None)] == {"block": "main-prompt"}
    assert why[("history", None)] == {}


def test_lore_says_which_key_called_it_how_deep_and_what_it_scored() -> None:
    lore = book({"uid": "a", "name": "Harbour", "keys": ["ice"], "content": "It freezes."})
    (found,) = [one for one in parts(message("user", "The ice."), books=(lore,)) if one.origin == "lore:a"]
    assert found.why["block"] == "world-info-before"
    assert found.why["entries"] == [
        {
            "uid": "a", "reason": "key", "book": "book", "name": "Harbour", "key": "ice", "depth": 0, "keys": ["ice"],
            "score": 1, "order": 100, "position": "before_character",
        }
    ]  # fmt: skip


def test_two_entries_of_one_depth_are_one_part_with_both_reasons() -> None:
    deep = {"constant": True, "position": "at_depth", "depth": 0}
    lore = book({"uid": "a,b", "content": "One", **deep}, {"uid": "c", "content": "Two", **deep})
    (found,) = [one for one in parts(message("user", "Hi"), books=(lore,)) if one.origin.startswith("lore:")]
    assert [(one["uid"], one["reason"], one["insertedAt"]) for one in found.why["entries"]] == [
        ("a,b", "constant", 0),
        ("c", "constant", 0),
    ]


def test_a_memory_tells_its_rank_and_a_message_what_changed_it() -> None:
    found = parts(message("user", "Hi {{user}}"), memories=(memory("Kept.", name="kept", pinned=True),), cast=NOBODY)
    why = {one.origin: dict(one.why) for one in found}
    assert why["memory:kept"] == {"block": "memory", "rank": "pinned", "pinned": True, "score": 1.0}
    assert why["history"] == {"changed": [{"stage": "macros", "reason": "macros"}]}


def test_an_array_is_counted_by_its_costs() -> None:
    found = parts(message("user", "Hi"), message("assistant", "gone", excluded=True), form=False)
    assert [(one.message, one.origin, one.tokens) for one in found] == [(0, "history", 5), (None, "format", 3)]


def test_parts_of_a_text_have_the_whole_prompt() -> None:
    rendered = made(message("user", "Hi"), cast=cast({"name": "Joss", "description": "Draws maps."}))
    assert sum(one.tokens for one in parts_of(rendered, LETTERS)) >= rendered.tokens
    assert "".join(segment.text for segment in rendered.segments or ()) == rendered.text


def test_a_trace_lists_the_entries_that_nothing_called_only_when_figures_are_asked_for() -> None:
    lore = book(
        {"uid": "a", "name": "Bell", "keys": ["bell"]}, {"uid": "b", "enabled": False}, {"uid": "c", "constant": True}
    )
    for with_figures, expected in (
        (True, [("a", "notMatched", {"book": "book", "name": "Bell"}), ("b", "disabled", {"book": "book"})]),
        (False, []),
    ):
        sources = Sources(history=(message("user", "Hi"),), books=(lore,), with_figures=with_figures)
        (record,) = [one for one in run(sources, None, ports(LETTERS)).trace if one.stage == "lore"]
        told = [(one.id, one.reason, one.data) for one in record.changes if one.kind == "dropped"]
        assert told == expected
