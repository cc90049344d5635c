from __future__ import annotations

import copy
from typing import Any

import pytest

from formats.builtin import builtin_document, builtin_slugs
from formats.prompt import (
    FormatError,
    InstructFormat,
    dump_document,
    export_instruct_format,
    import_instruct_format,
    import_with_notes,
)
from tests.formats.prompt.samples import PLAIN, VERSION_1, plain


def refusal(document: Any) -> list[tuple[str, str]]:
    with pytest.raises(FormatError) as caught:
        import_instruct_format(document)
    return [(fault.path, fault.code) for fault in caught.value.faults]


def without(document: dict[str, Any], field: str) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key != field}


class TestVersions:
    def test_version_1_becomes_version_2(self) -> None:
        assert export_instruct_format(import_instruct_format(VERSION_1)) == {
            **VERSION_1, "kind": "instruct-format", "version": 2, "name": "old",
        }  # fmt: skip

    def test_version_1_goes_out_as_it_came(self) -> None:
        assert export_instruct_format(import_instruct_format(VERSION_1), version=1) == VERSION_1

    def test_an_empty_stop_string_of_version_1_is_dropped_with_a_note(self) -> None:
        fmt, notes = import_with_notes({**VERSION_1, "stopStrings": ["", ">"]})
        assert (fmt.stop_strings, [(note.path, note.reason) for note in notes]) == (
            (">",),
            [("stopStrings[0]", "an empty stop string was dropped")],
        )

    def test_an_id_that_is_no_slug_becomes_one_with_a_note(self) -> None:
        fmt, notes = import_with_notes({**VERSION_1, "id": "My Format!"})
        assert (fmt.id, fmt.name, [note.path for note in notes]) == ("My-Format", "My Format!", ["id"])

    @pytest.mark.parametrize("version", [0, 2, 3, 99])
    def test_without_kind_only_version_1_is_known(self, version: int) -> None:
        assert refusal({**VERSION_1, "version": version}) == [("version", "UNSUPPORTED_VERSION")]

    @pytest.mark.parametrize("version", [1, 3, 99])
    def test_with_kind_only_version_2_is_known(self, version: int) -> None:
        assert refusal({**PLAIN, "version": version}) == [("version", "UNSUPPORTED_VERSION")]

    def test_a_newer_document_is_refused_by_name(self) -> None:
        with pytest.raises(FormatError, match="version 3 is not known here; known are 1 and 2"):
            import_instruct_format({**PLAIN, "version": 3})

    @pytest.mark.parametrize("version", ["2", 2.0, True, []])
    def test_a_version_is_a_whole_number(self, version: Any) -> None:
        assert refusal({**PLAIN, "version": version}) == [("version", "VALIDATION")]

    def test_kind_and_version_may_be_left_out_of_a_version_2_document(self) -> None:
        assert import_instruct_format(without(without(PLAIN, "kind"), "version")) == plain()

    def test_another_kind_is_refused(self) -> None:
        assert refusal({**PLAIN, "kind": "preset"}) == [("kind", "VALIDATION")]

    @pytest.mark.parametrize("field", VERSION_1)
    def test_every_field_of_version_1_is_required(self, field: str) -> None:
        assert refusal(without(VERSION_1, field)) == [(field, "VALIDATION")]

    def test_an_unknown_field_of_version_1_is_named(self) -> None:
        assert refusal({**VERSION_1, "version": 1, "bso": "<s>"}) == [("bso", "VALIDATION")]


class TestRoundTrip:
    @pytest.mark.parametrize("slug", builtin_slugs())
    def test_the_export_of_an_import_is_the_same_document(self, slug: str) -> None:
        assert export_instruct_format(import_instruct_format(builtin_document(slug))) == builtin_document(slug)

    def test_a_default_that_was_given_is_kept(self) -> None:
        document = {**PLAIN, "prefix": "", "tools": None, "specialTokens": ["<s>", {"token": "<u>", "meaning": None}]}
        assert export_instruct_format(import_instruct_format(document)) == document

    def test_the_whole_document_imports_to_an_equal_format(self) -> None:
        fmt = plain(tools={"placement": "first_user"}, stopStrings=[">"])
        assert import_instruct_format(dump_document(fmt)) == fmt

    def test_an_export_shares_nothing_with_the_format(self) -> None:
        document = copy.deepcopy({**PLAIN, "stopStrings": [">"], "promptSuffixVariants": {"thinkingOn": "<a>?"}})
        fmt = import_instruct_format(document)
        exported = export_instruct_format(fmt)
        exported["stopStrings"].append("x")
        exported["promptSuffixVariants"]["x"] = "y"
        assert export_instruct_format(fmt) == document

    def test_both_spellings_are_read_and_camel_case_is_written(self) -> None:
        spelled = {**without(PLAIN, "promptSuffix"), "prompt_suffix": "<a>", "system_policy": {"wrap": None}}
        assert export_instruct_format(import_instruct_format(spelled)) == {**PLAIN, "systemPolicy": {"wrap": None}}

    def test_two_spellings_of_one_field_are_an_error(self) -> None:
        assert refusal({**PLAIN, "prompt_suffix": "<a>"}) == [("promptSuffix", "VALIDATION")]

    def test_two_spellings_inside_a_section_are_an_error(self) -> None:
        tools = {"asList": True, "as_list": True}
        assert refusal({**PLAIN, "tools": tools}) == [("tools.asList", "VALIDATION")]

    def test_a_version_that_nobody_knows_can_not_be_written(self) -> None:
        with pytest.raises(FormatError) as caught:
            export_instruct_format(plain(), version=3)
        assert caught.value.code == "UNSUPPORTED_VERSION"


class TestRefusals:
    @pytest.mark.parametrize("document", [None, 3, "x", [], [PLAIN]])
    def test_a_document_that_is_no_object(self, document: Any) -> None:
        assert refusal(document) == [("", "VALIDATION")]

    @pytest.mark.parametrize(
        ("change", "path"),
        [
            ({"stopString": []}, "stopString"),
            ({"systemPolicy": {"frist": "block"}}, "systemPolicy.frist"),
            ({"stopStrings": [">", ""]}, "stopStrings[1]"),
            ({"stopStrings": ">"}, "stopStrings"),
            ({"stopStrings": [">"] * 65}, "stopStrings"),
            ({"stopStrings": ["x" * 1025]}, "stopStrings[0]"),
            ({"specialTokens": ["<s>"] * 65}, "specialTokens"),
            ({"specialTokens": ["<s>", {"token": ""}]}, "specialTokens[1].token"),
            ({"specialTokens": [""]}, "specialTokens[0]"),
            ({"specialTokens": [7]}, "specialTokens[0]"),
            ({"specialTokens": [{"tokn": "<s>"}]}, "specialTokens[0].token"),
            ({"user": 5}, "user"),
            ({"id": "a b"}, "id"),
            ({"id": "a\n"}, "id"),
            ({"trim": {"user": "yes"}}, "trim.user"),
            ({"alternation": "strict"}, "alternation"),
            ({"tools": {"placement": "middle"}}, "tools.placement"),
            ({"tools": {"indent": "2"}}, "tools.indent"),
            ({"processors": [{"name": "upper"}]}, "processors[0].name"),
            ({"defaultSystem": "\0"}, "defaultSystem"),
            ({"tests": [{"name": "x", "expected": ""}]}, "tests[0].messages"),
            ({"tests": [{"name": "x", "messages": [{"role": "u"}], "expected": ""}]}, "tests[0].messages[0].role"),
            ({"tests": [{"name": "x", "messages": [], "options": {"bso": 1}, "expected": ""}]}, "tests[0].options.bso"),
        ],
        ids=str,
    )  # fmt: skip
    def test_a_fault_is_located(self, change: dict[str, Any], path: str) -> None:
        assert refusal({**PLAIN, **change})[0] == (path, "VALIDATION")

    def test_all_faults_are_reported(self) -> None:
        document = {**without(PLAIN, "name"), "user": 1, "bso": "", "prompt_suffix": ""}
        assert sorted(refusal(document)) == [
            ("bso", "VALIDATION"), ("name", "VALIDATION"), ("promptSuffix", "VALIDATION"), ("user", "VALIDATION"),
        ]  # fmt: skip

    def test_a_broken_template_is_located(self) -> None:
        with pytest.raises(FormatError) as caught:
            import_instruct_format({**PLAIN, "tool": "<t>\n  {{#if content}}"})
        error = caught.value
        assert (error.path, error.code, error.line, error.column) == ("tool", "TEMPLATE_SYNTAX", 2, 3)

    def test_every_broken_template_is_reported(self) -> None:
        document = {**PLAIN, "user": "{{contnt}}", "variants": {"lastUser": "{{"}, "tools": {"item": "{{content}}"}}
        assert refusal(document) == [
            ("user", "TEMPLATE_SYNTAX"), ("variants.lastUser", "TEMPLATE_SYNTAX"), ("tools.item", "TEMPLATE_SYNTAX"),
        ]  # fmt: skip

    def test_a_misspelt_variable_names_the_nearest(self) -> None:
        with pytest.raises(FormatError, match='unknown variable "contnt", did you mean "content"'):
            import_instruct_format({**PLAIN, "user": "{{contnt}}"})

    @pytest.mark.parametrize("role", ["user", "assistant", "tool"])
    def test_skills_belong_to_the_system_template(self, role: str) -> None:
        assert refusal({**PLAIN, role: "{{content}}{{skills}}"}) == [(role, "TEMPLATE_SYNTAX")]

    def test_a_template_that_is_too_long(self) -> None:
        assert refusal({**PLAIN, "user": "x" * 32_769}) == [("user", "TEMPLATE_LIMIT")]

    @pytest.mark.parametrize("value", [float("nan"), {1, 2}, "nested"], ids=str)
    def test_what_json_can_not_say(self, value: Any) -> None:
        if value == "nested":
            for _ in range(100_000):
                value = [value]
        tests = [{"name": "x", "messages": [{"role": "user", "content": "", "meta": {"x": value}}], "expected": ""}]
        assert refusal({**PLAIN, "tests": tests}) == [("", "VALIDATION")]

    def test_a_document_that_is_too_large(self) -> None:
        tests = [{"name": "x", "messages": [], "expected": "x" * 1_048_576}]
        assert refusal({**PLAIN, "tests": tests}) == [("", "VALIDATION")]

    def test_a_template_that_fails_only_when_rendered_is_refused(self) -> None:
        loops = "{{#each @root}}" * 13 + "x" + "{{/each}}" * 13
        assert refusal({**PLAIN, "tool": loops}) == [("tool", "TEMPLATE_LIMIT")]

    def test_model_validate_refuses_alike(self) -> None:
        with pytest.raises(FormatError):
            InstructFormat.model_validate({**PLAIN, "user": "{{"})

    def test_details_are_json(self) -> None:
        with pytest.raises(FormatError) as caught:
            import_instruct_format({**PLAIN, "user": "{{"})
        assert [set(detail) for detail in caught.value.details] == [{"path", "line", "column", "code", "message"}]


def test_a_changed_copy_renders_by_its_own_templates() -> None:
    fmt = plain()
    assert fmt.compiled.format is fmt
    changed = fmt.model_copy(update={"user": "<U>{{{content}}}>"})
    assert changed.compiled.frames["user"].template.source == "<U>{{{content}}}>"
