"""Interceptors: order, isolation, what comes back, what is reported, and the budget after the last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from chats.documents import DocumentError
from chats.pipeline.budget import Budget
from chats.pipeline.interceptors import InterceptorError, read_interceptor
from chats.pipeline.sources import Rendered
from tests.chats.pipeline.base import LETTERS, cast, message, record, rendered, wire

HI = message("user", "Hi")


@dataclass
class Code:
    """An interceptor that is a function."""

    run: Any
    name: str = "code"
    priority: int = 100
    seen: list[Any] = field(default_factory=list)

    def intercept(self, messages: list[dict[str, Any]]) -> Sequence[dict[str, Any]]:
        self.seen.append([dict(one) for one in messages])
        return self.run(messages)  # type: ignore[no-any-return]


def rules(*listed: dict[str, Any], name: str = "rules", priority: int = 100) -> Any:
    return read_interceptor({"name": name, "priority": priority, "rules": list(listed)})


def codes(result: Rendered) -> list[str]:
    return [one.code for one in result.findings]


def test_find_and_replace_by_text_and_by_pattern() -> None:
    one = rules({"type": "replace", "find": "a.c", "replace": "x\\1"})
    two = rules({"type": "replace", "find": "(\\w+)@", "replace": "<\\1>", "regex": True, "roles": ["user"]})
    result = rendered(message("user", "abc a.c me@"), message("assistant", "me@"), interceptors=[one, two], form=None)
    assert wire(result) == [("user", "abc x\\1 <me>"), ("assistant", "me@")]
    assert [change["data"]["interceptor"] for change in record(result, "interceptors")["changed"]] == ["rules", "rules"]


def test_insert_and_drop() -> None:
    insert = rules({"type": "insert", "content": "{{user}}", "depth": 1})
    drop = rules({"type": "drop", "roles": ["assistant"]}, {"type": "drop"})
    result = rendered(message("assistant", "old"), HI, interceptors=[insert, drop], form=None)
    assert wire(result) == [("system", "{{user}}"), ("user", "Hi")]
    assert [one.reason for one in result.assembled.excluded] == ["interceptor"]
    assert result.assembled.messages[0].origin == "interceptor:rules"


def test_order_is_priority_then_name() -> None:
    made = [
        Code(lambda m, n=name: [{**m[0], "content": m[0]["content"] + n}], name, priority)
        for name, priority in (("b", 10), ("c", 100), ("a", 50), ("a", 100))
    ]
    assert wire(rendered(HI, interceptors=made, form=None)) == [("user", "Hibaac")]


@pytest.mark.parametrize(
    "answer",
    [
        lambda messages: 1 / 0,
        lambda messages: [{"role": "evil", "content": "x"}],
        lambda messages: [{"role": "system", "content": 5}],
        lambda messages: [{"role": "stopStrings", "content": "x"}],
        lambda messages: "text",
        lambda messages: ["text"],
        lambda messages: [{"key": 99, "role": "user", "content": "x"}],
    ],
)
def test_one_that_fails_is_skipped_and_reported(answer: Any) -> None:
    result = rendered(HI, interceptors=[Code(answer)], form=None)
    assert (wire(result), codes(result)) == ([("user", "Hi")], ["INTERCEPTOR_SKIPPED"])


def test_what_it_changed_before_it_failed_is_lost() -> None:
    def spoil(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        messages[0]["content"] = "HACKED"
        messages.append({"role": "system", "content": "LEAKED"})
        raise ValueError("no")

    assert wire(rendered(HI, interceptors=[Code(spoil)], form=None)) == [("user", "Hi")]


def test_protected_messages_come_back_once() -> None:
    people = cast({"name": "Ann", "description": "D"})
    history = [message("user", "old"), message("system", "rule"), message("assistant", "yo"), HI]
    everything = rendered(*history, cast=people, interceptors=[Code(lambda messages: [])], form=None)
    assert [text for _, text in wire(everything)][1:] == ["D", "rule", "Hi"]
    without_keys = Code(lambda messages: [{"role": one["role"], "content": one["content"]} for one in messages])
    assert [text for _, text in wire(rendered(HI, cast=people, interceptors=[without_keys], form=None))].count("D") <= 2


def test_a_call_and_its_result_are_not_parted() -> None:
    call = message(
        "assistant", "c", tool_calls=({"id": "x", "type": "function", "function": {"name": "f", "arguments": "{}"}},)
    )
    history = [message("user", "q"), call, message("tool", "r", tool_call_id="x"), HI]
    result = rendered(*history, interceptors=[rules({"type": "drop", "roles": ["tool"]})], form=None)
    assert wire(result) == [("user", "q"), ("user", "Hi")]


def test_the_open_message_stays_the_last() -> None:
    insert = rules({"type": "insert", "content": "N", "depth": 0})
    settings = {"continue_final_message": True}
    text = rendered(HI, message("assistant", "I am"), interceptors=[insert], settings=settings).text or ""
    assert text.endswith("<|im_start|>system\nN<|im_end|>\n<|im_start|>assistant\nI am")


def test_it_sees_only_what_fits_and_the_budget_holds_after_it() -> None:
    look = Code(lambda messages: [*messages, {"role": "system", "content": "huge " * 100}])
    history = [message("user", f"{at} " * 20) for at in range(6)] + [HI]
    result = rendered(*history, counter=LETTERS, budget=Budget(40, 10), interceptors=[look])
    assert result.tokens <= 30
    assert all(len(one) < 7 for one in look.seen)
    assert not any("huge" in text for _, text in wire(result))


def test_a_document_is_read_or_refused_with_its_place() -> None:
    assert read_interceptor({"name": "off", "enabled": False}) is None
    with pytest.raises(DocumentError, match="rules"):
        rules({"type": "explode"})
    with pytest.raises(InterceptorError, match="can not be compiled"):
        rules({"type": "replace", "find": "(?=x)", "regex": True})


def test_patterns_take_linear_time() -> None:
    one = rules({"type": "replace", "find": "(a+)+$", "replace": "", "regex": True})
    assert wire(rendered(message("user", "a" * 50_000 + "!"), interceptors=[one], form=None))[0][1].endswith("!")
