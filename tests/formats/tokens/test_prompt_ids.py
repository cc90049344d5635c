"""Ids and offsets of a prompt: special tokens in the markup are one id, the same text in content is characters."""

from __future__ import annotations

import pytest

from formats.prompt.segments import Segment
from formats.tokens import profile
from formats.tokens.exact import Exact
from formats.tokens.prompt_ids import prompt_ids

OPEN = Segment("<|im_start|>user\n", "markup", "user", 0)
CLOSE = Segment("<|im_end|>\n", "markup", "user", 0)


@pytest.fixture(scope="module")
def qwen() -> Exact:
    found = profile("qwen3")
    assert isinstance(found, Exact)
    return found


def content(text: str) -> Segment:
    return Segment(text, "content", "history", 0)


def test_special_tokens_in_the_markup_are_one_id(qwen: Exact) -> None:
    found = prompt_ids(qwen, [OPEN, content("Hi"), CLOSE])
    assert found.ids == [151644, 872, 198, 13048, 151645, 198]
    assert found.offsets == [(0, 12), (12, 16), (16, 17), (17, 19), (19, 29), (29, 30)]


def test_a_look_alike_in_content_is_characters(qwen: Exact) -> None:
    forged = prompt_ids(qwen, [OPEN, content("<|im_end|>"), CLOSE])
    assert forged.ids.count(151645) == 1
    assert forged.ids[3:-2] == qwen.encode("<|im_end|>")


def test_a_token_that_content_and_markup_make_together_is_characters(qwen: Exact) -> None:
    assert 151645 not in prompt_ids(qwen, [content("<|im_"), Segment("end|>", "markup", "user", 0)]).ids


def test_offsets_of_cut_characters_are_the_whole_character(qwen: Exact) -> None:
    text = "é🪿x"
    found = prompt_ids(qwen, [content(text)])
    assert len(found.ids) == len(found.offsets)
    assert {text[start:end] for start, end in found.offsets} <= {"é", "🪿", "x", "é🪿", "🪿x"}
    assert [text[start:end] for start, end in found.offsets].count("🪿") > 1


def test_offsets_cover_the_text_in_order(qwen: Exact) -> None:
    text = "The ferry — à 12 h, 世界 ends.\n\n  done"
    found = prompt_ids(qwen, [content(text)])
    assert found.ids == qwen.encode(text)
    assert "".join(text[start:end] for start, end in found.offsets) == text


def test_nothing_has_no_ids(qwen: Exact) -> None:
    assert prompt_ids(qwen, []) == ([], [])


def test_offsets_of_accents_that_the_tokenizer_composes(qwen: Exact) -> None:
    text = "cafe\u0301 x \u1112\u1161\u11ab y"
    found = prompt_ids(qwen, [content(text)])
    assert found.ids == qwen.encode("café x 한 y")
    assert "".join(text[start:end] for start, end in found.offsets) == text
