"""Differences by word and by path."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from neotavern.library.diff import Change, Row, Span, documents, side_by_side, unified, words

TEXT = st.text(alphabet="ab c\n<|>é\r\t", max_size=60)


def test_one_word_changes() -> None:
    assert words("<|user|>\nHello there", "<|user|>\nHello you") == [
        Span("equal", "<|user|>\nHello "),
        Span("delete", "there"),
        Span("insert", "you"),
    ]


def test_a_newline_is_a_change() -> None:
    assert words("a\n", "a\n\n") == [Span("equal", "a\n"), Span("insert", "\n")]


def test_texts_that_share_too_little_are_replaced_whole() -> None:
    before, after = "a-" * 500 + "a", "b " * 600
    assert [span.op for span in words(before, after)] == ["delete", "insert"]


def test_hostile_texts_end_soon() -> None:
    """A quadratic comparison of these takes minutes; CI's own time-out would tell."""
    assert words("x\n" * 16_000, "x\ny\n" * 8_000)
    assert side_by_side("\n".join(map(str, range(16_000))), "\n".join(map(str, range(16_000, 0, -1))))
    assert unified("a\nb\n" * 8_000, "b\na\n" * 8_000)


@given(TEXT, TEXT)
def test_the_spans_hold_both_texts(before: str, after: str) -> None:
    spans = words(before, after)
    assert "".join(span.text for span in spans if span.op != "insert") == before
    assert "".join(span.text for span in spans if span.op != "delete") == after


@given(TEXT, TEXT)
def test_the_columns_hold_both_texts(before: str, after: str) -> None:
    rows = side_by_side(before, after)
    left = ["".join(span.text for span in row.left) for row in rows if row.left_number is not None]
    right = ["".join(span.text for span in row.right) for row in rows if row.right_number is not None]
    assert ("\n".join(left), "\n".join(right)) == (before, after)


def test_a_line_more_has_an_empty_left_side() -> None:
    assert side_by_side("a", "a\nb") == [
        Row(1, (Span("equal", "a"),), 1, (Span("equal", "a"),)),
        Row(None, (), 2, (Span("insert", "b"),)),
    ]


def test_unified_says_when_the_last_newline_is_missing() -> None:
    assert unified("a\nb", "a\nc", before_name="r1", after_name="r2") == (
        "--- r1\n+++ r2\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"
    )


def test_documents_differ_by_path() -> None:
    before = {"user": "a", "bos": "<s>", "tests": [{"name": "x"}], "stopStrings": ["a", "b"]}
    after = {"user": "b", "tests": [{"name": "y"}, {"name": "z"}], "stopStrings": ["b", "a"], "eos": ""}
    assert documents(before, after) == [
        Change("user", "changed", "a", "b"),
        Change("tests[0].name", "changed", "x", "y"),
        Change("tests[1]", "added", None, {"name": "z"}),
        Change("stopStrings", "changed", ["a", "b"], ["b", "a"]),
        Change("eos", "added", None, ""),
        Change("bos", "removed", "<s>", None),
    ]


def test_true_is_not_one() -> None:
    assert documents({"a": 1}, {"a": True}) == [Change("a", "changed", 1, True)]


def test_equal_documents_have_no_changes() -> None:
    assert documents({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}) == []


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n"]), max_size=30).map("".join)


@given(LINES, LINES)
def test_a_unified_diff_applies(before: str, after: str) -> None:
    """Whatever lines are kept, applying the hunks to `before` gives `after`."""
    assert applied(before, unified(before, after)) == after


def applied(before: str, patch: str) -> str:
    """Apply a unified diff, checking every context line and every number of its hunk heads."""
    lines, result, at = before.splitlines(keepends=True), [], 0
    for line in patch.splitlines(keepends=True)[2:]:
        if line.startswith("@@"):
            start, _, count = line.split()[1][1:].partition(",")
            first = int(start) - (0 if count == "0" else 1)
            result += lines[at:first]
            at = first
        elif line[0] == "+":
            result.append(line[1:])
        else:
            assert lines[at] == line[1:]
            result += [lines[at]] if line[0] == " " else []
            at += 1
    return "".join(result + lines[at:])
