"""Asked for one entry, the lore says why it is out, and how near its keys came."""

from __future__ import annotations

from typing import Any

from chats.lore import why
from tests.chats.lore.case import book, run


def told(entry: dict[str, Any], *texts: str, scan_depth: int = 11, **settings: Any) -> dict[str, Any]:
    made = book(entry, **settings)
    return why(run(made, *texts), made, "0", list(texts), scan_depth=scan_depth).wire()


def test_a_key_that_matched_is_named_with_its_depth() -> None:
    assert told({"keys": ["bell"]}, "The bell.", "Hm.") == {"code": "key", "params": {"key": "bell", "depth": 1}}


def test_no_key_anywhere() -> None:
    assert told({"keys": ["bell"]}, "Hm.") == {"code": "notMatched", "params": {}}


def test_a_key_inside_a_word_names_the_word() -> None:
    near = {"near": "inside", "key": "art", "depth": 1, "word": "start"}
    assert told({"keys": ["art"], "wholeWords": True}, "We start.", "Hm.") == {"code": "notMatched", "params": near}


def test_a_key_in_other_letters() -> None:
    near = {"near": "case", "key": "Bell", "depth": 0}
    assert told({"keys": ["Bell"], "caseSensitive": True}, "a bell") == {"code": "notMatched", "params": near}


def test_a_key_above_what_the_entry_reads_is_too_far_up() -> None:
    texts = ["The bell.", *["Hm."] * 3]
    far = {"key": "bell", "depth": 3, "scanDepth": 2}
    assert told({"keys": ["bell"], "scanDepth": 2}, *texts) == {"code": "beyondDepth", "params": far}


def test_the_usual_depth_is_what_the_caller_says() -> None:
    texts = ["The bell.", *["Hm."] * 11]
    far = {"key": "bell", "depth": 11, "scanDepth": 11}
    assert told({"keys": ["bell"]}, *texts) == {"code": "beyondDepth", "params": far}


def test_a_pattern_is_searched_further_up_too() -> None:
    far = {"key": "/be+ll/", "depth": 1, "scanDepth": 1}
    assert told({"keys": ["/be+ll/"], "scanDepth": 1}, "beell", "Hm.") == {"code": "beyondDepth", "params": far}


def test_disabled_and_unknown_entries_say_so() -> None:
    assert told({"keys": ["x"], "enabled": False}, "x")["code"] == "disabled"
    made = book({"keys": ["x"]})
    assert why(run(made, "x"), made, "ghost", ["x"]).wire() == {"code": "unknown", "params": {}}
