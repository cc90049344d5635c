from __future__ import annotations

from typing import Any

import pytest

from formats.prompt import Message, MessageError, RenderRefused, render
from tests.formats.prompt.samples import chat, plain


def text(changes: dict[str, Any], *turns: str, **arguments: Any) -> str:
    return render(plain(**changes), chat(*turns), **arguments).text


def codes(changes: dict[str, Any], *turns: str, **arguments: Any) -> list[tuple[str, str]]:
    return [(found.code, found.path) for found in render(plain(**changes), chat(*turns), **arguments).findings]


def refusal(changes: dict[str, Any], *turns: str, **arguments: Any) -> str:
    with pytest.raises(RenderRefused) as caught:
        render(plain(**changes), chat(*turns), **arguments)
    assert caught.value.code == "RENDER_REFUSED"
    return caught.value.path


class TestTheFrame:
    def test_prefix_then_bos_then_turns(self) -> None:
        assert text({"prefix": "P", "bos": "B"}, "u:1") == "PB<u>1><a>"

    def test_omitting_bos_leaves_the_prefix(self) -> None:
        assert text({"prefix": "P", "bos": "B"}, "u:1", options={"bos": "omit"}) == "P<u>1><a>"

    def test_eos_comes_before_the_separator(self) -> None:
        assert text({"eos": "E", "separator": "|"}, "u:1", "a:2", "u:3") == "<u>1>|<a>2>E|<u>3>|<a>"

    def test_no_separator_at_the_end(self) -> None:
        assert text({"eos": "E", "separator": "|"}, "u:1", "a:2", add_generation_prompt=False) == "<u>1>|<a>2>E"

    def test_no_separator_before_an_empty_generation_prompt(self) -> None:
        assert text({"separator": "|", "promptSuffix": ""}, "u:1") == "<u>1>"

    def test_the_prefix_and_suffix_are_literal(self) -> None:
        assert text({"prefix": "{{x}}", "promptSuffix": "{{role}}"}, "u:1") == "{{x}}<u>1>{{role}}"

    def test_a_suffix_variant_by_thinking(self) -> None:
        variants = {"promptSuffixVariants": {"thinkingOff": "<a><no>", "thinkingOn": "<a><yes>"}}
        got = [text(variants, "u:1", options={"thinking": value}) for value in (None, False, True)]
        assert got == ["<u>1><a>", "<u>1><a><no>", "<u>1><a><yes>"]


class TestContinuing:
    def test_nothing_closes_an_open_turn(self) -> None:
        changes = {"eos": "E", "separator": "|"}
        assert text(changes, "u:1", "a:2", continue_final_message=True, prefill="+") == "<u>1>|<a>2+"

    def test_an_empty_open_turn(self) -> None:
        assert text({}, "u:1", "a:", continue_final_message=True) == "<u>1><a>"

    def test_an_open_turn_of_a_template_with_conditions(self) -> None:
        changes = {"assistant": "<a>{{#if name}}({{name}}){{/if}}{{{content}}}{{#if content}}>{{/if}}"}
        assert text(changes, "u:1", "a:", continue_final_message=True) == "<u>1><a>"
        assert text(changes, "u:1", "a:2", continue_final_message=True) == "<u>1><a>2"

    def test_an_open_turn_is_never_trimmed(self) -> None:
        changes = {"trim": {"assistant": True}}
        assert text(changes, "a: 1 ", "u:2", "a: 3 ", continue_final_message=True) == "<a>1><u>2><a> 3 "

    @pytest.mark.parametrize("turns", [[], ["u:1"], ["a:1", "u:2"]], ids=str)
    def test_only_an_assistant_can_be_continued(self, turns: list[str]) -> None:
        assert refusal({}, *turns, continue_final_message=True).startswith("messages")


class TestSystemPolicy:
    @pytest.mark.parametrize(
        ("policy", "expected"),
        [
            ("block", "<s>S><a>1><u>2><a>3><u>4>"),
            ("as_user", "<u>S><a>1><u>2><a>3><u>4>"),
            ("fold_first_user", "<a>1><u>S\n\n2><a>3><u>4>"),
            ("fold_last_user", "<a>1><u>2><a>3><u>S\n\n4>"),
            ("drop", "<a>1><u>2><a>3><u>4>"),
        ],
    )
    def test_the_first(self, policy: str, expected: str) -> None:
        changes = {"systemPolicy": {"first": policy}, "promptSuffix": ""}
        assert text(changes, "s:S", "a:1", "u:2", "a:3", "u:4") == expected

    @pytest.mark.parametrize(
        ("policy", "expected"),
        [
            ("block", "<s>S><u>1><s>T><u>2>"),
            ("as_user", "<s>S><u>1><u>T><u>2>"),
            ("merge_first", "<s>S\n\nT><u>1><u>2>"),
            ("drop", "<s>S><u>1><u>2>"),
        ],
    )
    def test_the_later(self, policy: str, expected: str) -> None:
        changes = {"systemPolicy": {"later": policy}, "promptSuffix": ""}
        assert text(changes, "s:S", "u:1", "s:T", "u:2") == expected

    def test_a_later_text_is_merged_into_a_first_that_was_not_there(self) -> None:
        assert text({"systemPolicy": {"later": "merge_first"}}, "u:1", "s:T") == "<s>T><u>1><a>"

    def test_a_dropped_text_is_reported(self) -> None:
        assert codes({"systemPolicy": {"first": "drop"}}, "s:S", "u:1") == [("SYSTEM_DROPPED", "messages[0]")]

    def test_errors_are_located(self) -> None:
        assert refusal({"systemPolicy": {"first": "error"}}, "s:S", "u:1") == "messages[0]"
        assert refusal({"systemPolicy": {"later": "error"}}, "s:S", "u:1", "s:T") == "messages[2]"

    def test_wrap_is_put_around_what_is_folded(self) -> None:
        changes = {"systemPolicy": {"first": "fold_first_user", "wrap": "[{{content}}]"}}
        assert text(changes, "s:S", "u:1") == "<u>[S]\n\n1><a>"

    def test_an_empty_text_is_not_folded(self) -> None:
        assert text({"systemPolicy": {"first": "fold_first_user"}}, "s:", "u:1") == "<u>1><a>"

    def test_without_a_user_turn_the_text_becomes_one(self) -> None:
        assert text({"systemPolicy": {"first": "fold_last_user"}}, "s:S") == "<u>S><a>"

    def test_the_default_stands_in_for_a_missing_one(self) -> None:
        assert text({"defaultSystem": "D"}, "u:1") == "<s>D><u>1><a>"
        assert text({"defaultSystem": "D"}, "s:S", "u:1") == "<s>S><u>1><a>"
        assert text({"defaultSystem": ""}, "u:1") == "<s>><u>1><a>"

    def test_the_default_follows_the_policy(self) -> None:
        changes = {"defaultSystem": "D", "systemPolicy": {"first": "fold_last_user"}}
        assert text(changes, "u:1") == "<u>D\n\n1><a>"


class TestAlternation:
    def test_merge_joins_neighbours_of_one_role(self) -> None:
        changes = {"alternation": "merge", "mergeSeparator": "+"}
        assert text(changes, "u:1", "u:2", "a:3", "a:4", "s:5", "s:6") == "<u>1+2><a>3+4><s>5><s>6><a>"

    def test_the_system_text_stands_before_all_that_was_merged(self) -> None:
        changes = {"alternation": "merge", "systemPolicy": {"first": "fold_last_user"}}
        assert text(changes, "s:S", "u:1", "u:2") == "<u>S\n\n1\n\n2><a>"

    def test_filler_opens_for_an_assistant(self) -> None:
        changes = {"alternation": "filler", "fillerUser": "."}
        assert text(changes, "s:S", "a:1", "a:2", "u:3", "u:4") == "<s>S><u>.><a>1><u>.><a>2><u>3\n\n4><a>"

    def test_error_is_located(self) -> None:
        assert refusal({"alternation": "error"}, "u:1", "u:2") == "messages[1]"
        assert refusal({"alternation": "error"}, "s:S", "a:1") == "messages[1]"

    def test_the_open_turn_may_be_merged(self) -> None:
        changes = {"alternation": "merge", "trim": {"assistant": True}}
        assert text(changes, "u:1", "a: 2 ", "a: 3 ", continue_final_message=True) == "<u>1><a>2\n\n 3 "


class TestNames:
    MESSAGES = (Message("assistant", "Hello", name="Ann"), Message("user", "Hi", name="Bob"), Message("user", "Ho"))

    def names(self, names: str, **changes: Any) -> str:
        return render(plain(names=names, **changes), list(self.MESSAGES)).text

    def test_template_passes_the_name(self) -> None:
        user = "<u>{{#if name}}{{name}}|{{/if}}{{{content}}}>"
        assert self.names("template", user=user) == "<a>Hello><u>Bob|Hi><u>Ho><a>"

    def test_none_passes_no_name(self) -> None:
        assert self.names("none", user="<u>{{name}}{{{content}}}>") == "<a>Hello><u>Hi><u>Ho><a>"

    def test_prefix_writes_it_and_ends_in_the_speakers_name(self) -> None:
        assert self.names("prefix") == "<a>Ann: Hello><u>Bob: Hi><u>Ho><a>Ann:"

    def test_the_speaker_may_be_named(self) -> None:
        out = render(plain(names="prefix"), list(self.MESSAGES), options={"speaker": "Eve"}, prefill="Well")
        assert out.text == "<a>Ann: Hello><u>Bob: Hi><u>Ho><a>Eve: Well"

    def test_a_continued_turn_keeps_its_name(self) -> None:
        messages = [self.MESSAGES[1], self.MESSAGES[0]]
        out = render(plain(names="prefix"), messages, continue_final_message=True)
        assert out.text == "<u>Bob: Hi><a>Ann: Hello"


class TestVariants:
    def test_each_stands_in_its_place(self) -> None:
        variants = {
            "firstUser": "<u1>{{content}}>", "lastUser": "<un>{{content}}>",
            "firstAssistant": "<a1>{{content}}>", "lastAssistant": "<an>{{content}}>",
        }  # fmt: skip
        turns = ("u:1", "a:2", "u:3", "a:4", "u:5", "a:6")
        assert text({"variants": variants}, *turns) == "<u1>1><a1>2><u>3><a>4><un>5><an>6><a>"

    def test_the_closed_one_is_for_a_final_turn_that_is_not_continued(self) -> None:
        changes = {"variants": {"lastAssistantClosed": "<a>{{content}}]"}}
        assert text(changes, "u:1", "a:2", add_generation_prompt=False) == "<u>1><a>2]"
        assert text(changes, "u:1", "a:2", continue_final_message=True) == "<u>1><a>2"
        assert text(changes, "a:1", "u:2") == "<a>1><u>2><a>"


class TestParts:
    def test_text_parts_are_one_text(self) -> None:
        message = Message.model_validate(
            {"role": "user", "content": [{"type": "text", "text": t} for t in (" a", "b ")]}
        )
        assert render(plain(trim={"user": True}), [message]).text == "<u>ab><a>"

    IMAGE = {
        "role": "user",
        "content": [{"type": "image_url", "image_url": {"url": "x"}}, {"type": "text", "text": "?"}],
    }

    def test_an_image_has_a_place(self) -> None:
        vision = {"start": "(", "imageToken": "IMG", "end": ")"}
        assert render(plain(vision=vision), [Message.model_validate(self.IMAGE)]).text == "<u>(IMG)?><a>"

    def test_an_image_without_a_place_is_reported(self) -> None:
        out = render(plain(), [Message.model_validate(self.IMAGE)])
        assert (out.text, [(found.code, found.path) for found in out.findings]) == (
            "<u>?><a>", [("PART_DROPPED", "messages[0].content[0]")],
        )  # fmt: skip

    def test_reasoning_of_history_is_left_out_unless_kept(self) -> None:
        messages = [Message("assistant", "42", reasoning="hm"), Message("user", "?")]
        marks = {"start": "<think>", "end": "</think>"}
        assert render(plain(reasoning=marks), messages).text == "<a>42><u>?><a>"
        kept = plain(reasoning={**marks, "keepInHistory": True})
        assert render(kept, messages).text == "<a><think>hm</think>42><u>?><a>"


def test_an_excluded_message_is_not_rendered() -> None:
    assert render(plain(), [Message("user", "1"), Message("user", "2", excluded=True)]).text == "<u>1><a>"


def test_no_messages() -> None:
    assert text({"bos": "B", "separator": "|"}) == "B<a>"


def test_a_template_that_prints_no_content_is_reported() -> None:
    assert codes({"tool": "<t>"}, "t:1") == [("CONTENT_LOST", "messages[0]")]


def test_strict_refuses_what_would_be_a_warning() -> None:
    assert refusal({"systemPolicy": {"first": "drop"}}, "s:S", options={"strict": True}) == "messages[0]"


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(MessageError) as caught:
        render(plain(), [], options={"bso": "omit", "bos": "no"})
    assert [fault.path for fault in caught.value.faults] == ["options.bso", "options.bos"]


def test_the_stop_strings_are_a_list_of_ones_own() -> None:
    out = render(plain(stopStrings=[">"]), [])
    out.stop_strings.append("x")
    assert out.stop_strings == [">"]
