"""JSON at the border and the canonical form."""

from __future__ import annotations

import pytest

from neotavern.ground.canonical import canonical, content_hash, loads, reject_nul
from neotavern.ground.errors import AppError, ErrorCode


def test_equal_documents_have_one_canonical_form() -> None:
    assert canonical({"b": [1, {"y": 2, "x": "é"}], "a": None}) == '{"a":null,"b":[1,{"x":"é","y":2}]}'.encode()


def test_the_hash_is_that_of_the_canonical_form() -> None:
    assert content_hash({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_key_order_does_not_change_the_hash() -> None:
    assert content_hash({"a": 1, "b": 2}) == content_hash({"b": 2, "a": 1})


def test_what_is_not_json_is_located() -> None:
    with pytest.raises(AppError) as caught:
        loads('{"a":\n  nope}')
    assert caught.value.code is ErrorCode.BAD_JSON
    assert (caught.value.details[0].line, caught.value.details[0].column) == (2, 3)


def test_a_nul_is_found_where_it_stands() -> None:
    with pytest.raises(AppError) as caught:
        loads('{"messages":[{"content":"ok"},{"content":"a\\u0000b"}]}')
    assert caught.value.code is ErrorCode.VALIDATION
    assert caught.value.details[0].path == "messages[1].content"


def test_a_nul_in_a_key_is_found() -> None:
    with pytest.raises(AppError):
        loads('{"a\\u0000":1}')


def test_the_text_backslash_u0000_is_only_text() -> None:
    assert loads('{"a":"\\\\u0000"}') == {"a": "\\u0000"}


def refusal(raw: str | bytes) -> tuple[ErrorCode, str]:
    with pytest.raises(AppError) as caught:
        loads(raw)
    return caught.value.code, caught.value.details[0].path


def test_an_escaped_lone_surrogate_is_found_where_it_stands() -> None:
    assert refusal(rb'{"a":["x","\ud800"]}') == (ErrorCode.VALIDATION, "a[1]")
    assert refusal('{"a":"\\udc00 \\ud800"}') == (ErrorCode.VALIDATION, "a")


def test_bytes_that_are_no_utf_8_are_no_json() -> None:
    for raw in (b'"\xed\xa0\x80"', b'"\xff"', b'{"a":"\\ud800","b":"\xff"}'):
        assert refusal(raw)[0] is ErrorCode.BAD_JSON


def test_what_is_no_json_for_another_reason_too_is_no_json() -> None:
    assert refusal('{"a":"\\ud800"')[0] is ErrorCode.BAD_JSON


def test_a_lone_surrogate_in_a_python_value_is_found() -> None:
    with pytest.raises(AppError) as caught:
        reject_nul({"a": ["x", "\udc00"]})
    assert caught.value.details[0].path == "a[1]"


def test_deep_nesting_is_refused_not_crashed_on() -> None:
    with pytest.raises(AppError) as caught:
        loads("[" * 100_000 + "]" * 100_000)
    assert caught.value.code is ErrorCode.BAD_JSON
