"""The form loses nothing: a document becomes fields and fields become the document again."""

from __future__ import annotations

from typing import Any

import pytest

from formats.builtin import builtin_document
from formats.web.form import read, summaries
from tests.web.case import document, form_of

FULL = document(
    "full",
    description="Two lines.\nAnd a third.",
    tags=["one", "two"],
    prefix="[p]",
    bos="<s>",
    eos="</s>",
    separator="\n\n",
    promptSuffixVariants={"thinkingOff": "<a>\n"},
    stopStrings=["\nUser:", "  two spaces  ", "back\\slash", "\ttab"],
    specialTokens=["<u>", {"token": "<s>", "meaning": "bos"}, "a = b", {"token": "x\n", "meaning": "eos"}],
    defaultSystem="Be brief.",
    systemPolicy={"first": "fold_first_user", "later": "drop", "wrap": "[{{{content}}}]"},
    alternation="merge",
    mergeSeparator="\n",
    fillerUser="Go on.",
    trim={"user": True},
    variants={"firstUser": "<first>{{{content}}}", "lastAssistant": "<last>{{{content}}}"},
    names="prefix",
    tools={"section": "[{{{tools}}}]", "indent": 2, "asList": True},
    toolCalls={"item": "{{{name}}}"},
    toolResults={"joiner": "\n"},
    skills={"section": "({{{skills}}})"},
    vision={"start": "<v>", "imageToken": "<img>", "videoToken": "<vid>"},
    reasoning={"start": "<think>\n", "end": "\n</think>", "keepInHistory": True},
    processors=[{"name": "date_header"}],
    tests=[{"name": "one", "messages": [{"role": "user", "content": "Hi"}], "expected": "<u>Hi</u>\n<a>"}],
)
DOCUMENTS = [
    FULL,
    document(),
    *(builtin_document(slug) for slug in ("chatml", "llama3", "mistral", "command-r", "alpaca")),
]


@pytest.mark.parametrize("doc", DOCUMENTS, ids=lambda doc: doc["id"])
def test_opening_and_saving_changes_nothing(doc: dict[str, Any]) -> None:
    draft = read(form_of(doc), doc)
    assert (draft.document, draft.faults) == (doc, [])


@pytest.mark.parametrize("doc", DOCUMENTS, ids=lambda doc: doc["id"])
def test_the_keys_keep_their_order(doc: dict[str, Any]) -> None:
    assert list(read(form_of(doc), doc).document) == list(doc)


@pytest.mark.parametrize("doc", DOCUMENTS, ids=lambda doc: doc["id"])
def test_the_fields_alone_say_the_whole_document(doc: dict[str, Any]) -> None:
    bare = {key: doc[key] for key in ("kind", "version", "id")}
    assert read(form_of(doc), bare).document == {
        key: value for key, value in doc.items() if value not in ("", [], None)
    }


def test_without_the_mark_of_a_whole_form_nothing_is_read() -> None:
    assert read({"d.user": "lost"}, FULL).document == FULL


def test_a_carriage_return_that_nobody_touched_stays() -> None:
    doc = document(user="one\r\ntwo {{{content}}}")
    assert read(form_of(doc), doc).document == doc


def test_a_switched_off_group_becomes_null_and_a_new_one_an_object() -> None:
    post = form_of(FULL)
    del post["d.tools"]
    post |= {"d.skills": "on"}
    assert read(post, FULL).document["tools"] is None
    assert read(form_of(document()) | {"d.vision": "on", "d.vision.start": "<v>"}, document()).document["vision"] == {
        "start": "<v>"
    }


def test_an_emptied_variant_is_taken_out() -> None:
    changed = read(form_of(FULL) | {"d.variants.firstUser": ""}, FULL).document
    assert changed["variants"] == {"lastAssistant": "<last>{{{content}}}"}


def test_an_emptied_default_system_is_null() -> None:
    assert read(form_of(FULL) | {"d.defaultSystem": ""}, FULL).document["defaultSystem"] is None


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("tests", '[{"name": ]', ("tests", 1, 11)),
        ("stopStrings", "fine\nnot \\fine", ("stopStrings", 2, 5)),
        ("tools.indent", "many", ("tools.indent", None, None)),
    ],
)
def test_what_means_nothing_is_a_fault_at_its_place(name: str, text: str, place: tuple[Any, ...]) -> None:
    draft = read(form_of(FULL) | {f"d.{name}": text}, FULL)
    fault = draft.faults[0]
    assert (fault.path, fault.line, fault.column) == place
    assert draft.texts == {name: text}


def test_stop_strings_are_written_one_a_line() -> None:
    assert form_of(FULL)["d.stopStrings"] == "\\nUser:\r\n  two spaces  \r\nback\\\\slash\r\n\\ttab"
    post = form_of(document()) | {"d.stopStrings": "\\n\\u00a0x\r\n\r\n y"}
    assert read(post, document()).document["stopStrings"] == ["\n\u00a0x", " y"]


def test_special_tokens_have_meanings() -> None:
    assert form_of(FULL)["d.specialTokens"] == "<u>\r\n<s> = bos\r\na \\= b\r\nx\\n = eos"


def test_every_section_has_a_summary_even_of_nonsense() -> None:
    for doc in (FULL, {}, {"tools": 3, "trim": "x", "tests": 4, "tags": 5}):
        assert all(isinstance(text, str) for text in summaries(doc).values())
