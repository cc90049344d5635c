"""Modelfiles in and out: what a Go template prints is tried, and a written one prints what our renderer does."""

from __future__ import annotations

import pytest

from formats.builtin import builtin, builtin_slugs
from formats.interchange.go_template import GoError, GoTemplate
from formats.interchange.ollama import MODELFILE, is_modelfile, read_model, read_modelfile
from formats.interchange.ollama_out import write_modelfile
from formats.prompt import FormatError, InstructFormat, Message, PromptError, render
from tests.formats.prompt.samples import PLAIN

LEGACY = (
    "{{ if .System }}<s>{{ .System }}</s>{{ end }}{{ if .Prompt }}<u>{{ .Prompt }}</u>{{ end }}<a>{{ .Response }}</a>"
)
# What no conversation of texts shows.
UNSEEN = {
    "description",
    "tags",
    "specialTokens",
    "bos",
    "alternation",
    "tools.format",
    "toolResults",
    "tool",
    "toolCalls.item",
}


def read(template: str, *lines: str) -> tuple[InstructFormat, list[str]]:
    text = "\n".join(["FROM lamp:7b", f'TEMPLATE """{template}"""', *lines])
    (document,) = read_modelfile(text) or ()
    made, losses = read_model(document, "lamp.Modelfile")
    return InstructFormat.model_validate(made), [loss.path for loss in losses]


def test_a_legacy_template() -> None:
    made, losses = read(
        LEGACY, 'SYSTEM "Be \\"kind\\"."', "PARAMETER stop </s>", "PARAMETER temperature 0.8", "LICENSE none"
    )
    assert (made.user, made.assistant, made.prompt_suffix) == ("<u>{{{content}}}</u>", "<a>{{{content}}}</a>", "<a>")
    assert (made.system, made.default_system, made.stop_strings) == ("<s>{{{content}}}</s>", 'Be "kind".', ("</s>",))
    assert losses == ["PARAMETER temperature", "LICENSE"]


def test_a_template_of_messages() -> None:
    made, losses = read(
        "{{- range $i, $_ := .Messages }}{{- $last := eq (len (slice $.Messages $i)) 1 }}<{{ .Role }}>{{ .Content }};"
        '{{- if and $last (ne .Role "assistant") }}<assistant>{{ end }}{{- end }}'
    )
    messages = [Message("system", "S"), Message("user", "U"), Message("assistant", "A"), Message("user", "V")]
    assert render(made, messages).text == "<system>S;<user>U;<assistant>A;<user>V;<assistant>"
    assert losses == []


def test_a_system_text_in_the_users_turn() -> None:
    made, _ = read("[INST] {{ if .System }}{{ .System }}\n\n{{ end }}{{ .Prompt }} [/INST]{{ .Response }}</s>")
    assert render(made, [Message("system", "S"), Message("user", "U")]).text == "[INST] S\n\nU [/INST]"


def test_a_last_user_turn_that_closes_otherwise() -> None:
    made, _ = read(
        "{{- range $i, $_ := .Messages }}{{- $last := eq (len (slice $.Messages $i)) 1 }}<{{ .Role }}>{{ .Content }}"
        '{{- if not $last }};{{ end }}{{- if and $last (ne .Role "assistant") }}<assistant>{{ end }}{{- end }}'
    )
    messages = [Message("user", "U"), Message("assistant", "A"), Message("user", "V")]
    assert render(made, messages).text == "<user>U;<assistant>A;<user>V<assistant>"


@pytest.mark.parametrize(
    ("template", "line", "message"),
    [
        ("a\n{{ .Prompt | shout }}", 3, "is not read here: 'shout' is not known here"),
        ("{{ if .Prompt }}", 2, "is not read here: a block is not closed"),
        ("no text at all", 2, "is not read here: a conversation does not stand in it once"),
    ],
)
def test_what_can_not_be_tried_is_refused_with_its_line(template: str, line: int, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(template)
    assert (caught.value.path, caught.value.line, caught.value.message) == ("TEMPLATE", line, message)


def test_other_texts_are_no_modelfiles() -> None:
    assert read_modelfile("FROM here to there") is None
    assert read_modelfile("TEMPLATE x") is None
    assert not is_modelfile({MODELFILE: 1})


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{ if and .A (not .B) }}x{{ else if .B }}y{{ else }}z{{ end }}", "x"),
        ("{{ range $i, $m := .L }}{{ if $i }},{{ end }}{{ $m }}{{ end }}", "p,q"),
        ('{{ range .L }}{{ if eq . "p" }}{{ continue }}{{ end }}{{ . }}{{ end }}', "q"),
        ("a  {{- /* said to nobody */ -}}  b", "ab"),
        ('{{ "}}" }}{{ `\\n` }}{{ json .O }}{{ len .L }}{{ .None }}{{ index .L 1 }}', '}}\\n{"k":1}2q'),
        ("{{ $x := .A }}{{ $x }}{{ with .O }}{{ .k }}{{ end }}", "one1"),
    ],
)
def test_go(source: str, expected: str) -> None:
    assert GoTemplate(source).render({"A": "one", "B": "", "L": ["p", "q"], "O": {"k": 1}}) == expected


def test_go_stops() -> None:
    nested = "{{ range .L }}" * 40 + "x" + "{{ end }}" * 40
    with pytest.raises(GoError, match="too many steps"):
        GoTemplate(nested).render({"L": [{"L": []}] * 200} | {"L": [1] * 30_000})


@pytest.mark.parametrize("slug", builtin_slugs())
def test_a_written_template_prints_what_our_renderer_does(slug: str) -> None:
    made = builtin(slug)
    written = write_modelfile(made)
    if {loss.path for loss in written.losses} - UNSEEN:
        return
    template = GoTemplate(written.text.partition('TEMPLATE """')[2].partition('"""')[0])
    roles = {"s": "system", "u": "user", "a": "assistant"}
    for shape in ("su", "suau"):
        turns = [(roles[letter], f"text {at}.") for at, letter in enumerate(shape)]
        messages = [{"Role": role, "Content": text} for role, text in turns]
        try:
            ours = render(made, [Message(*turn) for turn in turns], options={"bos": "omit", "now": "2026-01-01"}).text
        except PromptError:
            continue
        assert template.render({"Messages": messages, "System": "text 0."}) == ours


def test_tools_and_calls() -> None:
    made = InstructFormat.model_validate(
        PLAIN
        | {
            "system": "<s>{{{content}}}{{#if tools}}|{{{tools}}}|{{/if}}>",
            "assistant": "<a>{{{content}}}{{{toolCalls}}}>",
            "tools": {},
            "toolCalls": {"section": "[{{{toolCalls}}}]"},
        }
    )
    template = GoTemplate(write_modelfile(made).text.partition('TEMPLATE """')[2].partition('"""')[0])
    call = {"Function": {"Name": "tide", "Arguments": {"at": "noon"}}}
    messages = [{"Role": "user", "Content": "Hi"}, {"Role": "assistant", "Content": "", "ToolCalls": [call]}]
    text = template.render({"Messages": messages, "Tools": [{"type": "function"}]})
    assert text == ('<s>|{"type":"function"}|><u>Hi><a>[{"name": "tide", "arguments": {"at":"noon"}}]>')
