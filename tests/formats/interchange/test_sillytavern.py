"""Instruct templates render here as SillyTavern renders them: wrap, suffixes, names, first and last sequences."""

from __future__ import annotations

from typing import Any

import pytest

from formats.interchange.st_instruct import read_instruct
from formats.interchange.st_small import read_reasoning, read_sysprompt, read_textgen
from formats.prompt import FormatError, InstructFormat, Message, render

WORDS = {"input_sequence": "### Asks:", "output_sequence": "### Tells:", "wrap": True, "names_behavior": "none"}
TOKENS = {
    "input_sequence": "<u>", "input_suffix": "<e>", "output_sequence": "<a>", "output_suffix": "<e>",
    "system_sequence": "<s>", "system_suffix": "<e>", "names_behavior": "none",
}  # fmt: skip


def fmt(preset: dict[str, Any], **more: Any) -> InstructFormat:
    return InstructFormat.model_validate(read_instruct({"name": "Lamp", **preset, **more})[0])


def text(preset: dict[str, Any], *turns: str, **more: Any) -> str:
    """The prompt of turns written `u:Hi` or `u/Bob:Hi`."""
    roles = {"s": "system", "u": "user", "a": "assistant"}
    messages = []
    for turn in turns:
        head, _, words = turn.partition(":")
        role, _, name = head.partition("/")
        messages.append(Message(roles[role], words, name=name or None))
    return render(fmt(preset, **more), messages).text


def losses(preset: dict[str, Any], **more: Any) -> list[str]:
    return [loss.path for loss in read_instruct({"name": "Lamp", **preset, **more})[1]]


def test_wrap_puts_a_line_end_after_sequence_text_and_before_the_reply() -> None:
    assert text(WORDS, "u:Hi", "a:Ho", "u:So") == "### Asks:\nHi\n### Tells:\nHo\n### Asks:\nSo\n### Tells:\n"


def test_without_wrap_nothing_is_added() -> None:
    assert text(TOKENS, "s:Watch.", "u:Hi", "a:Ho") == "<s>Watch.<e><u>Hi<e><a>Ho<e><a>"


def test_wrap_keeps_a_suffix_as_it_is_and_joins_the_reply_with_one_line_end() -> None:
    assert text(TOKENS, "u:Hi", wrap=True) == "<u>\nHi<e>\n<a>\n"


def test_names_stand_before_texts_and_end_the_prompt() -> None:
    shown = text(WORDS, "a/Ann:Hail!", "u/Bob:Hello!", names_behavior="always")
    assert shown == "### Tells:\nAnn: Hail!\n### Asks:\nBob: Hello!\n### Tells:\nAnn:"


def test_names_without_wrap() -> None:
    shape = {
        "input_sequence": "\nASK: ",
        "output_sequence": "\nTELL: ",
        "output_suffix": "</s>",
        "names_behavior": "always",
    }
    assert text(shape, "a/Ann:One.", "u/Bob:Two.") == "\nTELL: Ann: One.</s>\nASK: Bob: Two.\nTELL: Ann:"


def test_a_name_gets_the_blank_that_the_last_sequence_lacks() -> None:
    shape = {"input_sequence": "[INST] ", "output_sequence": " [/INST] ", "last_output_sequence": " [/INST]"}
    assert text(shape, "u/Bob:Hi", "a/Ann:Ho", "u/Bob:So", names=True).endswith("[INST] Bob: So [/INST] Ann:")


def test_a_name_inside_a_sequence_is_the_speakers() -> None:
    shape = {**TOKENS, "input_sequence": "<u>{{name}}|", "output_sequence": "<a>{{char}}|", "macro": True}
    assert text(shape, "u/Bob:Hi", "a/Ann:Ho") == "<u>Bob|Hi<e><a>Ann|Ho<e><a>|"
    assert losses(shape) == ["output_sequence"]


def test_without_macro_braces_are_only_braces() -> None:
    assert text({**TOKENS, "input_sequence": "{{name}}{"}, "u/Bob:Hi") == "{{name}}{Hi<e><a>"


def test_the_first_sequence_stands_where_the_chat_opens_with_its_role() -> None:
    shape = {**TOKENS, "first_output_sequence": "<1>"}
    assert text(shape, "s:S", "a:Hail", "u:Hi", "a:Ho") == "<s>S<e><1>Hail<e><u>Hi<e><a>Ho<e><a>"
    assert text(shape, "u:Hi", "a:Ho") == "<u>Hi<e><a>Ho<e><a>"


def test_the_last_sequences_stand_at_the_last_user_turn_and_the_reply() -> None:
    shape = {**TOKENS, "last_input_sequence": "<U>", "last_output_sequence": "<A>"}
    assert text(shape, "u:Hi", "a:Ho", "u:So") == "<u>Hi<e><a>Ho<e><U>So<e><A>"


def test_system_same_as_user() -> None:
    shape = {**TOKENS, "system_sequence": "", "system_suffix": "", "system_same_as_user": True}
    assert text(shape, "s:S", "u:Hi", "s:T") == "<u>S<e><u>Hi<e><u>T<e><a>"


def test_the_story_has_a_frame_of_its_own() -> None:
    shape = {**TOKENS, "story_string_prefix": "<story>", "story_string_suffix": "</story>"}
    assert text(shape, "s:S", "u:Hi", "s:T") == "<story>S</story><u>Hi<e><s>T<e><a>"


def test_the_end_of_a_user_turn_goes_where_it_belongs() -> None:
    shape = {
        "input_sequence": "<u>",
        "output_sequence": "<e><a>",
        "first_output_sequence": "<a>",
        "separator_sequence": "<e>",
    }
    assert text(shape, "a:Hail", "u:Hi", "a:Ho", "u:So") == "<a>Hail<e><u>Hi<e><a>Ho<e><u>So<e><a>"


def test_a_closing_tag_in_the_replys_sequence() -> None:
    shape = {"input_sequence": "[I]", "output_sequence": "[/I]", "separator_sequence": "\n"}
    assert text(shape, "u:Hi", "a:Ho", "u:So") == "[I]Hi[/I]Ho\n[I]So[/I]"


def test_an_empty_template_with_wrap_is_lines() -> None:
    assert text({"input_sequence": "", "output_sequence": "", "wrap": True}, "u:Hi", "a:Ho") == "Hi\nHo\n"


def test_a_filler_stands_before_a_greeting() -> None:
    shape = {**TOKENS, "user_alignment_message": "Begin."}
    assert text(shape, "a:Hail", "u:Hi") == "<u>Begin.<e><a>Hail<e><u>Hi<e><a>"
    assert losses(shape) == ["user_alignment_message"]


def test_stops_are_words_with_and_without_the_line_end_and_tokens_alone() -> None:
    assert fmt(WORDS, stop_sequence="</s>").stop_strings == (
        "</s>", "\n### Asks:", "### Asks:", "\n### Tells:", "### Tells:"
    )  # fmt: skip
    tokens = fmt(WORDS, input_sequence="<|u|>", output_sequence=" ", stop_sequence="<|e|>\n ")
    assert tokens.stop_strings == ("<|e|>", "<|u|>")


def test_sequences_may_be_no_stops() -> None:
    assert fmt(WORDS, stop_sequence="</s>", sequences_as_stop_strings=False).stop_strings == ("</s>",)


def test_an_unknown_field_is_named() -> None:
    assert losses(TOKENS, colour="red") == ["colour"]


def test_a_wrong_type_is_refused_with_its_place() -> None:
    with pytest.raises(FormatError) as caught:
        read_instruct({**TOKENS, "wrap": "yes", "stop_sequence": 7})
    faults = [(fault.path, fault.message) for fault in caught.value.faults]
    assert faults == [
        ("stop_sequence", "must be a string, not a number"),
        ("wrap", "must be true or false, not a string"),
    ]


def test_a_system_prompt_is_a_prompt_config() -> None:
    document, lost = read_sysprompt({"name": "Quay", "content": "Write.", "post_history": ""})
    assert (document, lost) == (
        {"kind": "prompt-config", "version": 1, "id": "quay", "name": "Quay", "systemPrompt": "Write."}, []
    )  # fmt: skip


def test_a_reasoning_template_is_kept() -> None:
    document, lost = read_reasoning({"name": "T", "prefix": "<t>", "suffix": "</t>", "separator": "\n"})
    marks = {"prefix": "<t>", "suffix": "</t>", "separator": "\n"}
    assert document["extensions"] == {"sillytavern": {"reasoning": marks}}
    assert [loss.path for loss in lost] == ["prefix", "suffix", "separator"]


def test_a_sampler_preset_says_whether_the_back_end_adds_a_bos() -> None:
    document, lost = read_textgen({"temp": 1, "top_k": 0, "top_p": 1, "rep_pen": 1, "add_bos_token": True}, "cool.json")
    assert document == {"kind": "preset", "version": 1, "id": "cool", "name": "cool", "bos": "omit"}
    assert [loss.path for loss in lost] == ["temp", "top_k", "top_p", "rep_pen"]
