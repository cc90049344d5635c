"""Context shifting: what leaves first, what stays, and that no prompt is ever longer than its budget."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chats.pipeline.budget import Budget, BudgetExceeded
from chats.pipeline.shifting import STRATEGIES
from chats.pipeline.sources import Rendered
from chats.services.request import ContextStrategy
from formats.prompt.message import Message
from tests.chats.pipeline.base import LETTERS, book, memory, message, record, rendered, wire


def call(id_: str, *more: str) -> Message:
    calls = [{"id": one, "type": "function", "function": {"name": "f", "arguments": "{}"}} for one in (id_, *more)]
    return Message("assistant", "call", tool_calls=tuple(calls))


def result_of(id_: str, text: str = "result") -> Message:
    return Message("tool", text, tool_call_id=id_)


def shifted(
    *history: Message, limit: int, reserved: int = 0, strategy: Any = "truncate", cut: int = 0, **more: Any
) -> Rendered:
    return rendered(*history, counter=LETTERS, budget=Budget(limit, reserved, strategy, cut), **more)


def turns(count: int, size: int = 40) -> list[Message]:
    return [message(("user", "assistant")[at % 2], f"{at:03d}".ljust(size, "x"), id=str(at)) for at in range(count)]


def ids(result: Rendered) -> list[str | None]:
    return [one.id for one in result.assembled.messages]


def test_the_registry_is_the_contracts() -> None:
    assert set(STRATEGIES) == set(get_args(ContextStrategy))


def test_the_oldest_turns_leave_and_are_listed() -> None:
    result = shifted(message("system", "S", id="s"), *turns(6), limit=80)
    assert ids(result) == ["s", "3", "4", "5"]
    assert [(one.id, one.origin, one.reason) for one in result.assembled.excluded] == [
        ("0", "history", "context-shift"), ("1", "history", "context-shift"), ("2", "history", "context-shift"),
    ]  # fmt: skip
    assert [one["message"] for one in record(result, "fit")["dropped"]] == [1, 2, 3]
    assert result.tokens == LETTERS.count(result.text or "") <= 80


def test_what_fits_exactly_stays_whole() -> None:
    whole = rendered(*turns(6), counter=LETTERS)
    assert len(shifted(*turns(6), limit=whole.tokens).assembled.messages) == 6
    assert len(shifted(*turns(6), limit=whole.tokens - 1).assembled.messages) == 5


def test_pinned_system_and_the_newest_input_stay() -> None:
    history = [
        message("user", "p" * 40, pinned=True, id="p"),
        *turns(5),
        message("system", "late", id="l"),
        message("assistant", "a" * 40, id="a"),
    ]
    result = shifted(*history, limit=50)
    assert ids(result) == ["p", "4", "l"]


def test_a_call_leaves_with_all_its_results_wherever_they_stand() -> None:
    history = [
        call("a", "b"),
        result_of("a"),
        message("user", "between"),
        result_of("b"),
        message("user", "newest " * 8),
    ]
    result = shifted(*history, limit=40, form=None)
    assert [role for role, _ in wire(result)] == ["user", "user"]
    whole = shifted(*history, limit=400, form=None)
    assert [role for role, _ in wire(whole)] == ["assistant", "tool", "user", "tool", "user"]


def test_results_without_ids_belong_to_the_call_before_them() -> None:
    history = [call(""), Message("tool", "r"), Message("tool", "r"), message("user", "newest " * 8)]
    assert [role for role, _ in wire(shifted(*history, limit=35, form=None))] == ["user"]


def test_what_the_caller_excludes_takes_its_partners_along() -> None:
    gone = Message("assistant", "call", tool_calls=call("a").tool_calls, excluded=True, id="c")
    result = rendered(gone, result_of("a"), message("user", "Hi"), form=None)
    assert wire(result) == [("user", "Hi")]
    assert [one.reason for one in result.assembled.excluded] == ["manual", "tool-pair"]


def test_too_much_that_stays_is_refused_with_its_figures() -> None:
    lore = book({"keys": ["Hi"], "content": "L" * 400, "constant": True})
    with pytest.raises(BudgetExceeded) as caught:
        shifted(message("user", "Hi"), limit=20, reserved=10, books=(lore,))
    error = caught.value
    assert (error.params["contextLimit"], error.params["reservedForReply"]) == (20, 10)
    assert error.params["promptTokens"] > 100
    assert (error.parts[0].origin, error.parts[0].messages) == ("lore:0", 1)


def test_no_room_at_all_is_refused() -> None:
    with pytest.raises(BudgetExceeded):
        shifted(message("user", "Hi"), limit=10, reserved=10)


def test_memories_and_lore_leave_after_the_turns_the_least_relevant_first() -> None:
    lore = book({"keys": ["newest"], "content": "kept " * 8}, {"keys": ["newest", "no", "nor"], "content": "less " * 8})
    history = [*turns(4), message("user", "the newest one")]
    result = shifted(*history, limit=60, books=(lore,), memories=(memory("memo " * 8),))
    assert [one.origin for one in result.assembled.messages] == ["lore:0", "lore:1", "history"]
    tighter = shifted(*history, limit=44, books=(lore,), memories=(memory("memo " * 8),))
    assert [one.origin for one in tighter.assembled.messages] == ["lore:0", "history"]


def test_recall_keeps_what_speaks_of_the_same() -> None:
    about = message("user", "The lighthouse keeper and the storm were here.", id="about")
    history = [about, *turns(10), message("user", "Tell me of the lighthouse and its storm", id="new")]
    result = shifted(*history, limit=130, strategy="vector-recall")
    assert ids(result)[0] == "about"
    assert "about" not in ids(shifted(*history, limit=130))


def test_recall_gives_up_the_less_relevant_lore_first() -> None:
    lore = book({"keys": ["newest"], "content": "kept " * 8}, {"keys": ["newest", "no"], "content": "less " * 8})
    history = [*turns(2), message("user", "newest")]
    limit = rendered(*history, books=(lore,), counter=LETTERS).tokens - 1
    result = shifted(*history, limit=limit, strategy="vector-recall", books=(lore,))
    assert [one.origin for one in result.assembled.messages] == ["lore:0", "history", "history", "history"]


def test_a_summary_of_what_left_stands_where_the_history_begins() -> None:
    result = shifted(message("system", "S"), *turns(20), limit=160, strategy="summarize")
    summary = result.assembled.messages[1]
    assert (summary.role, summary.origin) == ("system", "block:summary")
    assert summary.plain.startswith("[Summary of earlier messages]\n")
    assert "assistant: " in summary.plain
    assert LETTERS.count(summary.plain) <= 160 * 0.35
    assert result.tokens <= 160
    assert record(result, "fit")["added"][0]["origin"] == "block:summary"


def test_nothing_left_out_makes_no_summary() -> None:
    assert len(shifted(*turns(3), limit=500, strategy="summarize").assembled.messages) == 3


def test_cutting_in_steps_keeps_the_beginning_for_many_turns() -> None:
    def first(length: int, cut: int) -> str | None:
        return ids(shifted(*turns(length), limit=300, cut=cut))[0]

    assert len({first(length, 0) for length in range(30, 40, 2)}) == 5
    assert len({first(length, 150) for length in range(30, 40, 2)}) <= 2


texts = st.text("ab <|\n", max_size=60)
messages = st.lists(
    st.builds(
        Message,
        st.sampled_from(["system", "user", "user", "assistant", "assistant"]),
        texts,
        pinned=st.sampled_from([False, False, False, True]),
    ),
    min_size=1,
    max_size=24,
)


@settings(deadline=None, max_examples=120)
@given(
    messages,
    st.integers(1, 400),
    st.integers(0, 40),
    st.sampled_from(sorted(STRATEGIES)),
    st.sampled_from(["chatml", "llama3", "mistral", None]),
)
def test_never_over_budget_and_what_must_stay_stays(
    history: list[Message], limit: int, reserved: int, strategy: str, form: str | None
) -> None:
    history = [one.replace(id=str(at)) for at, one in enumerate(history)]
    try:
        result = shifted(*history, limit=limit, reserved=reserved, strategy=strategy, form=form)
    except BudgetExceeded:
        return
    assert result.tokens <= limit - reserved
    if result.text is not None:
        assert result.tokens == LETTERS.count(result.text)
    kept = [one for one in ids(result) if one is not None]
    assert kept == sorted(kept, key=int)
    must = {one.id for one in history if one.pinned or one.role == "system"}
    users = [one.id for one in history if one.role == "user"]
    assert must | set(users[-1:]) <= set(kept)
    assert {one.id for one in result.assembled.excluded} == {one.id for one in history} - set(kept)


@settings(deadline=None, max_examples=80)
@given(st.lists(st.sampled_from(["user", "a", "b", "ab", "ra", "rb"]), max_size=14), st.integers(20, 120))
def test_pairs_leave_together(plan: list[str], limit: int) -> None:
    made = {
        "user": message("user", "u" * 30),
        "a": call("a"),
        "b": call("b"),
        "ab": call("a", "b"),
        "ra": result_of("a"),
        "rb": result_of("b"),
    }
    history = [made[name] for name in plan] + [message("user", "newest")]
    try:
        result = shifted(*history, limit=limit, form=None)
    except BudgetExceeded:
        return
    seen: set[str] = set()
    started = {one["id"] for kept in history for one in kept.tool_calls}
    for kept in result.assembled.messages:
        seen |= {one["id"] for one in kept.tool_calls}
    for kept in result.assembled.messages:
        if kept.role == "tool" and kept.tool_call_id in started:
            assert kept.tool_call_id in seen or not _has_call_before(history, kept)


def _has_call_before(history: list[Message], result: Message) -> bool:
    place = next(at for at, one in enumerate(history) if one is result)
    return any(result.tool_call_id in {one["id"] for one in before.tool_calls} for before in history[:place])
