"""The labelled set of `python -m bench.recall`: its paraphrases share no telling word with what they speak of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chats.infill.words import words_of

SET = json.loads((Path(__file__).resolve().parents[3] / "bench" / "labelled" / "recall.json").read_text("utf-8"))
LINES = [(lang, at) for lang in ("en", "fr", "es", "ja") for at in range(len(SET[lang]["lines"]))]
LONG = 4
"""Shorter words are the glue of every sentence: the, que, una."""

GLUE = {
    "en": {"when", "they", "that", "with", "what", "this", "from", "them", "whoever", "since"},
    "fr": {"dans", "pour", "avec", "comme", "sont", "elle", "plus", "depuis"},
    "es": {"para", "como", "cuando", "quien", "sobre", "desde", "hasta"},
    "ja": set(),
}


@pytest.mark.parametrize(("lang", "at"), LINES)
def test_a_paraphrase_shares_no_telling_word(lang: str, at: int) -> None:
    line = SET[lang]["lines"][at]
    entry = SET[lang]["lore"][line["entry"]]
    theirs = words_of(" ".join((entry["name"], *entry["keys"], entry["content"])))
    shared = set(words_of(line["text"])) & set(theirs)
    assert {word for word in shared if _is_telling(word, lang)} == set()


def _is_telling(word: str, lang: str) -> bool:
    if lang == "ja":  # pairs of characters: kana are endings and particles
        return all("\u4e00" <= char <= "\u9fff" for char in word)
    return len(word) >= LONG and word not in GLUE[lang]


@pytest.mark.parametrize("lang", ["en", "fr", "es", "ja"])
def test_every_entry_has_a_line(lang: str) -> None:
    assert sorted(line["entry"] for line in SET[lang]["lines"]) == list(range(len(SET[lang]["lore"])))
