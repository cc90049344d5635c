"""Lists edited row by row: what was not touched stays, and every button does its one thing, without a script too."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from chats.web.editors import EDITORS
from chats.web.editors.character import CHARACTER_SECTIONS
from formats.context import PromptConfig
from formats.web.editor import FieldEditor
from formats.web.field import Section
from formats.web.form import ALL, newlines
from formats.web.sections.presets import PRESET_SECTIONS
from formats.web.sections.prompt_configs import PROMPT_CONFIG_SECTIONS
from formats.web.shown import Notes, show
from formats.web.shown_items import ShownField, ShownGroup, ShownRow, ShownRows
from neotavern.library.kinds import Finding

CONFIG = FieldEditor("prompt-config", PROMPT_CONFIG_SECTIONS)
CHARACTER = {
    "kind": "character", "version": 1, "id": "mira", "name": "Mira", "aliases": ["M.", "the pilot"],
    "alternateGreetings": ["One\n<START>", "", "Three"], "tags": ["a", "b"],
    "creatorNotesMultilingual": {"fr": "Salut", "de": "Hallo"},
    "assets": [{"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png"}],
    "extensions": {"depth_prompt": {"prompt": "Hush", "depth": 2, "role": "user", "more": 1}, "other": {"x": [1]}},
    "characterBook": {"entries": [], "name": "b"}, "lorebooks": ["harbour@production"],
}  # fmt: skip
INTERCEPTOR = {
    "kind": "interceptor", "version": 1, "id": "calm", "name": "Calm", "priority": 5,
    "rules": [
        {"type": "replace", "find": "a\\b", "replace": "x", "regex": True, "caseSensitive": False, "roles": ["user"]},
        {"type": "insert", "content": "Be calm.", "role": "system", "depth": 2},
        {"type": "drop", "roles": ["tool"], "origins": ["lore"]},
        {"find": "plain"},
    ],
}  # fmt: skip
LOREBOOK = {
    "kind": "lorebook", "version": 1, "id": "harbour", "name": "Harbour", "scanDepth": 0, "recursive": False,
    "bindings": [{"number": 1, "name": "Mira", "character": "mira", "aliases": ["M"]}, {"number": 2, "name": "Bo"}],
    "relationships": [{"source": 1, "target": 2, "type": "sister", "visibility": "secret"}],
}  # fmt: skip
BLOCKS = {
    "kind": "prompt-config", "version": 1, "id": "calm", "name": "Calm", "postHistoryDepth": 2,
    "blocks": [
        {"id": "main-prompt", "content": "Go.", "forbidOverrides": True, "role": None},
        {"id": "custom-style", "name": "Style", "content": "Short.", "injectionPosition": "in-chat",
         "injectionDepth": 0, "triggers": ["continue", "normal"]},
        *({"id": name} for name in (
            "persona", "world-info-before", "character-description", "character-personality", "scenario",
            "world-info-after", "dialogue-examples", "memory", "authors-note")),
        {"id": "chat-history", "enabled": True},
        {"id": "post-history-instructions", "enabled": False},
    ],
}  # fmt: skip
PERSONA = {"kind": "persona", "version": 1, "name": "Anna", "position": "at_depth", "depth": 3, "shared": True}
MEMORY = {"kind": "memory", "version": 1, "content": "It broke.\n", "keys": ["a,b", "c"], "pinned": True, "order": 3}
PRESET = {"kind": "preset", "version": 1, "id": "w", "name": "W", "maxContextTokens": 8192, "contextStrategy": "manual"}
CASES = [
    (CHARACTER_SECTIONS, CHARACTER),
    (PROMPT_CONFIG_SECTIONS, BLOCKS),
    (PROMPT_CONFIG_SECTIONS, {"kind": "prompt-config", "version": 1, "id": "x", "name": "X"}),
    (PROMPT_CONFIG_SECTIONS, {"kind": "prompt-config", "version": 1, "id": "x", "name": "X", "blocks": None}),
    (PRESET_SECTIONS, PRESET),
    *(
        (editor.sections, document)
        for editor in EDITORS
        for document in (INTERCEPTOR, LOREBOOK, PERSONA, MEMORY)
        if editor.kind == document["kind"]
    ),
]


def sent(document: dict[str, Any], sections: tuple[Section, ...]) -> dict[str, str]:
    """What a browser sends for the page of a document when nothing was typed."""
    post = {ALL: "1"}
    for section in show(document, Notes(), sections=sections):
        for item in section.items:
            if isinstance(item, ShownRows):
                post[item.name] = item.order
                for row in item.shown:
                    post |= _row(row)
            elif isinstance(item, ShownGroup):
                post |= {item.name: "on"} if item.is_on else {}
                for field in item.fields:
                    post |= _field(field)
            else:
                post |= _field(item)
    return post


def _row(row: ShownRow) -> dict[str, str]:
    post = {row.raw_name: row.raw}
    for field in [*row.fields, *([row.lead] if row.lead else [])]:
        post |= _field(field)
    return post


def _field(field: ShownField) -> dict[str, str]:
    if field.field.widget == "flag":
        return {field.name: "on"} if field.is_on else {}
    if field.field.widget == "set":
        return {f"{field.name}:": "1"} | {
            f"{field.name}:{value}": "on" for value, _words, is_on in field.boxes if is_on
        }
    return {field.name: newlines(field.text).replace("\n", "\r\n")}


@pytest.mark.parametrize(
    ("sections", "document"), CASES, ids=lambda one: one.get("kind", "") if isinstance(one, dict) else ""
)
def test_opening_and_saving_changes_nothing(sections: tuple[Section, ...], document: dict[str, Any]) -> None:
    editor = FieldEditor(document["kind"], sections)
    draft = editor.read(sent(document, sections), document)
    assert (draft.document, list(draft.document), draft.faults) == (document, list(document), [])


def ids(document: dict[str, Any]) -> list[str]:
    return [block["id"] for block in document["blocks"]]


def test_a_row_moves_up_and_down_and_its_hidden_keys_with_it() -> None:
    form = sent(BLOCKS, PROMPT_CONFIG_SECTIONS)
    moved = CONFIG.read(form | {"do": "up:blocks:1-custom"}, BLOCKS).document
    assert moved["blocks"][:2] == [BLOCKS["blocks"][1], BLOCKS["blocks"][0]]
    assert CONFIG.read(form | {"do": "up:blocks:0-main"}, BLOCKS).document == BLOCKS
    down = CONFIG.read(form | {"do": "down:blocks:0-main"}, BLOCKS).document
    assert ids(down)[:2] == ["custom-style", "main-prompt"]


def test_the_last_two_blocks_stay_last() -> None:
    form = sent(BLOCKS, PROMPT_CONFIG_SECTIONS)
    for do in ("down:blocks:10-core", "up:blocks:11-history", "up:blocks:12-last"):
        assert CONFIG.read(form | {"do": do}, BLOCKS).document == BLOCKS
    added = CONFIG.read(form | {"do": "add:blocks:custom"}, BLOCKS).document
    assert added["blocks"][-3:] == [
        {"id": "custom-new", "name": "", "content": "", "role": "system"}, *BLOCKS["blocks"][-2:]
    ]  # fmt: skip


def test_rows_are_copied_and_removed() -> None:
    form = sent(BLOCKS, PROMPT_CONFIG_SECTIONS) | {"d.blocks.1-custom.content": "Long."}
    copied = CONFIG.read(form | {"do": "copy:blocks:1-custom"}, BLOCKS).document["blocks"]
    assert [block["content"] for block in copied[1:3]] == ["Long.", "Long."]
    removed = CONFIG.read(form | {"do": "remove:blocks:1-custom"}, BLOCKS).document
    assert "custom-style" not in ids(removed)


def test_reset_brings_the_built_in_list_back() -> None:
    form = sent(BLOCKS, PROMPT_CONFIG_SECTIONS)
    assert CONFIG.read(form | {"do": "reset:blocks:"}, BLOCKS).document == BLOCKS | {"blocks": None}


def test_the_built_in_list_is_stored_once_it_is_changed() -> None:
    document = {"kind": "prompt-config", "version": 1, "id": "x", "name": "X"}
    form = sent(document, PROMPT_CONFIG_SECTIONS)
    del form["d.blocks.7-core.enabled"]
    blocks = CONFIG.read(form, document).document["blocks"]
    assert blocks[6:9] == [{"id": "world-info-after"}, {"id": "dialogue-examples", "enabled": False}, {"id": "memory"}]


def test_what_means_nothing_does_nothing() -> None:
    form = sent(BLOCKS, PROMPT_CONFIG_SECTIONS)
    for do in ("", "up", "up:nothing:1", "add:blocks:nothing", "remove:blocks:99-core", "up:blocks:"):
        assert CONFIG.read(form | {"do": do}, BLOCKS).document == BLOCKS


def test_a_number_that_is_none_stays_typed_at_its_row() -> None:
    form = sent(BLOCKS, PROMPT_CONFIG_SECTIONS) | {"d.blocks.1-custom.injectionDepth": "deep"}
    draft = CONFIG.read(form, BLOCKS)
    assert [fault.path for fault in draft.faults] == ["blocks[1].injectionDepth"]
    assert draft.texts == {"blocks[1].injectionDepth": "deep"}
    shown = CONFIG.show(draft.document, [Finding("error", "", "No.", "blocks[1].injectionDepth")], draft.texts)
    rows = shown.context["sections"][3].items[0]
    field = next(one for one in rows.shown[1].fields if one.field.path == "injectionDepth")
    assert (field.text, [note.message for note in field.notes], list(shown.left)) == ("deep", ["No."], [])


def test_findings_of_rules_stand_at_their_fields_though_the_sort_is_in_the_path() -> None:
    editor = next(one for one in EDITORS if one.kind == "interceptor")
    found = [Finding("error", "", "must be at least 0", "rules[1].insert.depth")]
    rows = editor.show(INTERCEPTOR, found, {}).context["sections"][1].items[0]
    assert [note.message for note in rows.shown[1].fields[2].notes] == ["must be at least 0"]


def test_names_of_a_map_are_needed_once() -> None:
    editor = next(one for one in EDITORS if one.kind == "character")
    form = sent(CHARACTER, CHARACTER_SECTIONS)
    order = form["d.creatorNotesMultilingual"] + " n0-note"
    raw = {"d.creatorNotesMultilingual": order, "d.creatorNotesMultilingual.n0-note.raw": json.dumps({})}
    draft = editor.read(form | raw | {"d.creatorNotesMultilingual.n0-note.name": "fr"}, CHARACTER)
    assert [(fault.path, fault.message) for fault in draft.faults] == [
        ("creatorNotesMultilingual[2].name", "This name is there twice.")
    ]
    draft = editor.read(form | raw | {"d.creatorNotesMultilingual.n0-note.name": "es"}, CHARACTER)
    assert draft.document["creatorNotesMultilingual"] == {"fr": "Salut", "de": "Hallo", "es": ""}


def test_a_row_that_brings_no_json_starts_anew() -> None:
    form = {ALL: "1", "d.alternateGreetings": "n0-greeting", "d.alternateGreetings.n0-greeting.raw": "{oops"}
    editor = next(one for one in EDITORS if one.kind == "character")
    draft = editor.read(form | {"d.alternateGreetings.n0-greeting.text": "Hi\r\nyou"}, {"name": "x"})
    assert draft.document == {"name": "x", "alternateGreetings": ["Hi\nyou"]}


def test_an_id_that_a_block_can_not_have_is_refused_in_words() -> None:
    with pytest.raises(ValidationError) as refused:
        PromptConfig.model_validate(BLOCKS | {"blocks": [{"id": "style"}, *BLOCKS["blocks"]]})
    assert [(error["loc"], error["msg"]) for error in refused.value.errors()] == [
        (
            ("blocks", 0, "id"),
            "Value error, a block of your own is called custom- and then letters, digits, dots, dashes, underscores",
        )
    ]
