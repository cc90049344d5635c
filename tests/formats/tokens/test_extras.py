"""Vocabularies of packages and of files: Mistral's, and any tokenizer.json."""

from __future__ import annotations

import json

import pytest

from formats.tokens import EngineMissing, TokenizerError, for_model, profile
from formats.tokens.huggingface import HuggingFace, load_huggingface

# Five letters and the merge "ab", a special token, one token a letter otherwise.
SMALL = {
    "version": "1.0",
    "truncation": {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
    "padding": None,
    "added_tokens": [
        {
            "id": 8, "content": "<end>", "single_word": False, "lstrip": False, "rstrip": False,
            "normalized": False, "special": True,
        }
    ],
    "normalizer": None,
    "pre_tokenizer": None,
    "post_processor": None,
    "decoder": None,
    "model": {
        "type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
        "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
        "vocab": {"a": 0, "b": 1, "ab": 2, "<": 3, "e": 4, "n": 5, "d": 6, ">": 7}, "merges": ["a b"],
    },
}  # fmt: skip


def small() -> HuggingFace:
    pytest.importorskip("tokenizers")
    return load_huggingface("small", json.dumps(SMALL))


def test_a_file_counts_and_cuts() -> None:
    tokenizer = small()
    assert (tokenizer.name, tokenizer.approximate, tokenizer.vocabulary) == ("small", False, 9)
    assert (tokenizer.count("abba"), tokenizer.encode("abba"), tokenizer.pieces("abba")) == (
        3,
        [2, 1, 0],
        ["ab", "b", "a"],
    )
    assert tokenizer.offsets("abba") == [(0, 2), (2, 3), (3, 4)]


def test_what_looks_like_a_special_token_is_text() -> None:
    tokenizer = small()
    assert tokenizer.encode("<end>") == [3, 4, 5, 6, 7]
    assert dict(tokenizer.special_ids) == {"<end>": 8}


def test_truncation_of_the_file_does_not_cut_prompts() -> None:
    assert small().count("aaaa") == 4


def test_no_text_raises() -> None:
    assert (small().count(""), small().pieces("")) == (0, [])
    assert small().count("a\ud800b") >= 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"model": 1}', "not json"])
def test_what_is_no_tokenizer_is_refused(text: str) -> None:
    pytest.importorskip("tokenizers")
    with pytest.raises(TokenizerError, match="'x' is no tokenizer.json"):
        load_huggingface("x", text)


@pytest.mark.parametrize(("name", "ids"), [("mistral-spm", [7080, 29477, 2294]), ("mistral-tekken", [29706, 4304])])
def test_mistrals_vocabularies(name: str, ids: list[int]) -> None:
    pytest.importorskip("mistral_common")
    tokenizer = profile(name)
    assert (tokenizer.encode("hello world"), tokenizer.count("hello world")) == (ids, len(ids))
    for text in ("", " a", "  two [INST] x</s>", "héllo 世界🎉\n\n", "\n a"):
        assert "".join(tokenizer.pieces(text)) == text
        assert len(tokenizer.pieces(text)) == tokenizer.count(text)
    assert tokenizer.count("a\ud800b") > 0


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("mistralai/Mistral-7B-Instruct-v0.3", "mistral-spm"),
        ("mixtral-8x7b", "mistral-spm"),
        ("Mistral-Nemo-Instruct-2407", "mistral-tekken"),
        ("mistral-small-2501", "mistral-tekken"),
        ("mistral-large-2411", "mistral-tekken"),
        ("pixtral-12b", "mistral-tekken"),
        ("mistral-small", "estimate"),
    ],
)
def test_mistral_models_by_name(model: str, expected: str) -> None:
    assert for_model(model) == expected


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import formats.tokens.huggingface as module

    monkeypatch.setattr(module, "PACKAGE", "no_such_package_here")
    with pytest.raises(EngineMissing, match="no_such_package_here"):
        load_huggingface("small", "{}")
