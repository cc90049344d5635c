"""Exact profiles: known ids, special tokens as text, and pieces that give the text again."""

from __future__ import annotations

import unicodedata
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.tokens import PROFILES, Tokenizer, profile

EXACT = [name for name in PROFILES if name != "estimate"]
SPECIALS = "<|endoftext|><|im_start|><|begin_of_text|><|eot_id|><|start|><|return|>"


@pytest.fixture(params=EXACT)
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    return profile(request.param)


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("cl100k_base", [15339, 1917, 220, 57668, 53901, 0]),
        ("o200k_base", [24912, 2375, 220, 177519, 0]),
        ("o200k_harmony", [24912, 2375, 220, 177519, 0]),
        ("llama3", [15339, 1917, 118195, 53901, 0]),
        ("qwen3", [14990, 1879, 220, 108386, 0]),
    ],
)
def test_known_ids(name: str, ids: list[int]) -> None:
    assert profile(name).encode("hello world 你好!") == ids


def test_two_words_are_two_tokens(tokenizer: Tokenizer) -> None:
    assert (tokenizer.count("hello world"), tokenizer.approximate) == (2, False)


def test_nothing_is_no_token(tokenizer: Tokenizer) -> None:
    assert (tokenizer.count(""), tokenizer.encode(""), tokenizer.pieces("")) == (0, [], [])


def test_a_special_token_in_text_is_counted_as_plain_text(tokenizer: Tokenizer) -> None:
    assert tokenizer.count("<|endoftext|>") == 7
    assert "".join(tokenizer.pieces("<|endoftext|>")) == "<|endoftext|>"
    assert "".join(tokenizer.pieces(SPECIALS)) == SPECIALS


def test_a_lone_surrogate_is_counted_as_the_replacement_character(tokenizer: Tokenizer) -> None:
    assert tokenizer.count("a\ud800b") == tokenizer.count("a\ufffdb")
    assert tokenizer.encode("a\ud800b") == tokenizer.encode("a\ufffdb")
    assert tokenizer.pieces("a\ud800b")[-1] == "b"


def test_a_character_cut_in_two_stands_in_its_last_token() -> None:
    assert profile("cl100k_base").pieces("a🪿b") == ["a", "", "", "🪿", "b"]


def test_qwen_composes_characters_first() -> None:
    assert profile("qwen3").pieces("cafe\u0301") == ["ca", "fé"]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200))
@settings(max_examples=60, deadline=None)
def test_pieces_are_as_many_as_counted_and_give_the_text(text: str) -> None:
    for name in EXACT:
        tokenizer = profile(name)
        pieces = tokenizer.pieces(text)
        assert len(pieces) == tokenizer.count(text) == len(tokenizer.encode(text))
        assert "".join(pieces) == (unicodedata.normalize("NFC", text) if name == "qwen3" else text)


def test_a_cut_between_lines_never_saves_tokens_by_the_thousand(tokenizer: Tokenizer) -> None:
    """The sum of the parts may choose candidates: it is near the count of the whole."""
    lines = ["The ferry is late.\n", "Nobody says why.\n"] * 50
    assert abs(sum(map(tokenizer.count, lines)) - tokenizer.count("".join(lines))) <= len(lines)


def test_threads_count_alike() -> None:
    tokenizer = profile("o200k_base")
    texts = [f"message {number} of the chat, é 你 😀" for number in range(200)]
    expected = [len(tokenizer.encode(text)) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        counted = list(pool.map(lambda _: [tokenizer.count(text) for text in texts], range(4)))
    assert counted == [expected] * 4


def test_hostile_text_takes_time_that_grows_with_its_length(tokenizer: Tokenizer) -> None:
    counts = [tokenizer.count("{{" * size + "é😀 <|" * size) for size in (1_000, 10_000)]
    assert all(later <= 11 * earlier for earlier, later in pairwise(counts))
