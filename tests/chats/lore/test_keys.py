"""Which keys a text has."""

from __future__ import annotations

import re
import string
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chats.lore.folding import ScanText, fold, is_boundary
from chats.lore.keys import Key, parse_key
from chats.lore.patterns import Work
from chats.lore.plain import NESTED_LIMIT, NESTING, PlainKeys
from tests.chats.lore.case import book, is_in, run, uids


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("cat", "Concatenate", True),
        ("CAT", "concatenate", True),
        ("cat", "dog", False),
        (" cat ", "a cat sat", True),
        (" cat ", "cat", False),
        ("red dragon", "a Red Dragon", True),
        ("STRASSE", "die straße", True),
        ("straße", "DIE STRASSE", True),
        ("istanbul", "İSTANBUL", True),
        ("İstanbul", "istanbul", True),
        ("ISTANBUL", "İstanbul", True),
        ("ΟΔΟΣ", "οδός", False),
        ("οδος", "ΟΔΟΣ", True),
        ("caf\u00e9", "CAFE\u0301", True),
        ("cafe", "caf\u00e9", False),
        ("дракон", "ДРАКОН", True),
        ("龙", "红龙来了", True),
        ("😀", "a😀b", True),
        ("", "anything", False),
        ("  ", "any  thing", False),
    ],
)
def test_a_plain_key_is_a_substring_without_case(key: str, text: str, expected: bool) -> None:
    assert is_in({"keys": [key]}, text) is expected


@pytest.mark.parametrize(
    ("key", "text", "expected"), [("Rose", "a Rose", True), ("Rose", "a rose", False), ("é", "e\u0301", True)]
)
def test_case_counts_where_asked(key: str, text: str, expected: bool) -> None:
    assert is_in({"keys": [key], "caseSensitive": True}, text) is expected


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("cat", "a cat.", True),
        ("cat", "concatenate", False),
        ("cat", "concatenate cat", True),
        ("cat", "cat", True),
        ("cat", "cat_food", False),
        ("cat", "cat's", True),
        ("AI", "ain't Maine", False),
        ("AI", "The AI woke", True),
        ("caf", "café", False),
        ("caf", "cafe\u0301", False),
        ("café", "un café noir", True),
        ("café", "cafés", False),
        ("на", "она", False),
        ("на", "на столе", True),
        ("龙", "红龙来了", True),
        ("AI", "我的AI说", True),
        ("ドラゴン", "赤いドラゴンが", True),
        ("용", "용이 왔다", True),
        ("มังกร", "เห็นมังกรบิน", True),
        ("ก", "กำ", True),
        ("ก", "กิน", False),
        ("क", "कि", False),
        ("C++", "C++11", True),
        ("red dragon", "a red dragon!", True),
        ("red dragon", "a red dragonfly", False),
        ("straße", "STRASSE", True),
        ("rose", "rose\u200d", True),
        ("❤", "❤\ufe0f", True),
    ],
)
def test_whole_words_in_every_script(key: str, text: str, expected: bool) -> None:
    assert is_in({"keys": [key], "wholeWords": True}, text) is expected


def test_the_book_decides_what_the_entry_leaves_open() -> None:
    entries: list[dict[str, object]] = [{"keys": ["cat"]}, {"keys": ["cat"], "wholeWords": False}]
    assert uids(run(book(*entries, wholeWords=True), "concatenate")) == ["1"]


def test_one_text_as_two_kinds_of_key() -> None:
    entries: list[dict[str, object]] = [
        {"keys": ["cat"]},
        {"keys": ["cat"], "wholeWords": True},
        {"keys": ["Cat"], "caseSensitive": True},
        {"keys": ["Cat"], "caseSensitive": True, "wholeWords": True},
    ]
    assert uids(run(book(*entries), "Concat")) == ["0"]
    assert uids(run(book(*entries), "Cats")) == ["0", "2"]
    assert uids(run(book(*entries), "cat")) == ["0", "1"]


@pytest.mark.parametrize(
    ("typed", "pattern"),
    [
        ("/drag.n/i", "(?i)drag.n"),
        ("/drag.n/", "drag.n"),
        ("/a\\/b/gm", "(?m)a\\/b"),
        ("/\\u0041\\u{1F600}/u", "\\x{0041}\\x{1F600}"),
        ("/\\\\u0041/", "\\\\u0041"),
        ("/[^]x/", "[\\x00-\\x{10FFFF}]x"),
        ("/a.b/sig", "(?is)a.b"),
        ("/home/user", None),
        ("/home/", "home"),
        ("/home/user/", None),
        ("/usr/lib/gi", None),
        ("AC/DC", None),
        ("//", None),
        ("/a/ii", None),
        ("/a/x", None),
        ("/", None),
    ],
)
def test_a_key_in_slashes_is_a_pattern(typed: str, pattern: str | None) -> None:
    key = parse_key(typed, sensitive=False, whole=False, regex=False)
    assert key == (Key(fold(typed)) if pattern is None else Key(typed, pattern=pattern))


@pytest.mark.parametrize(
    ("entry", "text", "expected"),
    [
        ({"keys": ["drag.n"], "useRegex": True}, "a DRAGON", True),
        ({"keys": ["drag.n"], "useRegex": True, "caseSensitive": True}, "a DRAGON", False),
        ({"keys": ["drag.n"]}, "a dragon", False),
        ({"keys": ["/drag.n/"]}, "a DRAGON", False),
        ({"keys": ["/drag.n/i"]}, "a DRAGON", True),
        ({"keys": ["/^b/m"]}, "a\nb", True),
        ({"keys": ["/^b/"]}, "a\nb", False),
        ({"keys": ["/a.b/s"]}, "a\nb", True),
        ({"keys": ["/\\bcat\\b/"]}, "a cat", True),
        ({"keys": ["/龙{2}/"]}, "龙龙", True),
        ({"keys": ["/caf\u00e9/"]}, "cafe\u0301", True),
        ({"keys": ["\\d{3}"], "useRegex": True}, "room 101", True),
    ],
)
def test_patterns(entry: dict[str, object], text: str, expected: bool) -> None:
    assert is_in(entry, text) is expected


@pytest.mark.parametrize("pattern", ["(?<=a)b", "(?!a)b", r"(a)\1", "[", "a{1001}", r"\p{Nope}"])
def test_a_pattern_that_can_not_be_compiled_is_a_located_finding(pattern: str) -> None:
    made = book({"keys": ["x"]}, {"keys": ["good", f"/{pattern}/"], "content": "L"})
    found = [(finding.severity, finding.code, finding.path) for finding in made.findings]
    assert found == [("warning", "LORE_PATTERN", "entries[1].keys[1]")]
    assert uids(run(made, "ab aa good")) == ["1"]
    assert uids(run(made, "ab aa")) == []


def test_a_bad_pattern_used_twice_is_found_twice() -> None:
    made = book({"keys": ["/[/"]}, {"keys": ["x"], "secondaryKeys": ["/[/"]})
    assert [finding.path for finding in made.findings] == ["entries[0].keys[0]", "entries[1].secondaryKeys[0]"]


def test_lone_surrogates_in_a_text_are_no_error() -> None:
    assert is_in({"keys": ["cat", "/c.t/"]}, "\ud800 cat \udfff")


# against a reference that is too slow to be wrong


def _naive(key: str, text: str, *, sensitive: bool, whole: bool) -> bool:
    if not key.strip():
        return False
    shape = (lambda value: unicodedata.normalize("NFC", value)) if sensitive else fold
    key, text = shape(key), shape(text)
    places = [at for at in range(len(text)) if text.startswith(key, at)]
    return any(not whole or (is_boundary(text, at) and is_boundary(text, at + len(key))) for at in places)


alphabet = st.sampled_from("ab AßéİΣ龙ก_.")
keys_and_switches = st.lists(st.tuples(st.text(alphabet, max_size=6), st.booleans(), st.booleans()), max_size=12)


@given(keys_and_switches, st.text(alphabet, max_size=40))
def test_all_keys_at_once_are_each_key_alone(keys: list[tuple[str, bool, bool]], text: str) -> None:
    entries = [{"keys": [key], "caseSensitive": cased, "wholeWords": whole} for key, cased, whole in keys]
    expected = [str(at) for at, (k, cased, whole) in enumerate(keys) if _naive(k, text, sensitive=cased, whole=whole)]
    assert uids(run(book(*entries), text)) == expected


@given(st.lists(st.text("ab", min_size=1, max_size=3), max_size=6), st.text("ab c", max_size=30))
def test_simple_patterns_are_those_of_python(patterns: list[str], text: str) -> None:
    sources = [f"{pattern}+|{pattern[::-1]}c" for pattern in patterns]
    made = book(*({"keys": [f"/{source}/"]} for source in sources))
    assert uids(run(made, text)) == [str(at) for at, source in enumerate(sources) if re.search(source, text)]


def test_a_key_across_the_windows_of_a_long_text() -> None:
    for before in (16_380, 16_384, 16_390, 32_760):
        assert is_in({"keys": ["dragon"], "wholeWords": True}, "x" * before + " dragon " + "y" * 40_000)


def test_keys_that_end_in_each_other_are_all_found() -> None:
    keys = ["a" * length for length in range(1, NESTING + 40)]
    made = book(*({"keys": [key]} for key in keys), *({"keys": [key], "wholeWords": True} for key in keys))
    assert len(uids(run(made, "a" * 20))) == 21
    assert len(uids(run(made, "a" * len(keys)))) == len(keys) + 1


def test_too_many_keys_that_end_in_each_other_are_a_finding() -> None:
    count = NESTING + NESTED_LIMIT + 2
    made = book(*({"keys": ["a" * length]} for length in range(1, count + 1)))
    paths = [finding.path for finding in made.findings]
    assert paths == [f"entries[{at}].keys[0]" for at in (count - 2, count - 1)]
    assert {finding.code for finding in made.findings} == {"LORE_KEY_NESTED"}
    assert len(uids(run(made, "a" * 500))) == count - 2


def test_the_answers_of_the_automaton_are_bounded() -> None:
    keys = PlainKeys({"a" * length: (length, None) for length in range(1, 200)})
    times = []
    for size in (20_000, 80_000):
        start = time.process_time()
        keys.scan("a" * size, set())
        times.append(time.process_time() - start)
    assert times[1] < max(times[0], 0.001) * 10


@pytest.mark.parametrize("pattern", ["(a+)+$b", "(?:a|a)*b", "((a{1,30}){1,20}b)", "(?:.*a){20}b"])
def test_patterns_that_ruin_other_engines_end_soon(pattern: str) -> None:
    made = book({"keys": [f"/{pattern}/"]})
    start = time.process_time()
    assert uids(run(made, "a" * 20_000)) == []
    assert time.process_time() - start < 5


def test_patterns_stop_when_their_work_is_spent_and_say_so() -> None:
    made = book(*({"keys": [f"/((a{{1,{n}}}){{1,20}}b)/"]} for n in range(2, 31)))
    answer = run(made, *["a" * 100_000 + "b"] * 11)
    assert [finding.code for finding in answer.findings] == ["LORE_PATTERN_WORK"]


def test_only_patterns_whose_letters_occur_are_run() -> None:
    made = book(*({"keys": [f"/{word}\\d+/i"]} for word in ("alpha", "beta", "gamma")))
    work = Work()
    before = work.left
    assert made.scan(ScanText("no such word here"), work) == set()
    assert work.left == before
    assert made.scan(ScanText("BETA7"), work) == {1}


def test_many_patterns() -> None:
    letters = string.ascii_lowercase
    made = book(*({"keys": [f"/{a}{b}\\d{c}/"]} for a in letters for b in letters for c in "xy"))
    assert uids(run(made, "ab1y zz2x")) == ["3", "1350"]
