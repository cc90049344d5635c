"""A format written as Jinja renders the same bytes in transformers' environment and in minijinja, on every probe."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from formats.builtin import builtin, builtin_slugs
from formats.interchange.jinja_out import chat_template
from formats.jinja.child.python import PythonTemplate
from formats.jinja.probes import PROBES, Probe
from formats.prompt import InstructFormat
from tests.conformance.probes import probes
from tests.formats.interchange.jinja_engines import differences, theirs
from tests.formats.prompt.samples import PLAIN

TOOLS = {"section": "<tools>{{{tools}}}</tools>", "item": "[{{{tool}}}]", "joiner": "; "}
CALLS = {
    "section": "<calls>{{{toolCalls}}}</calls>",
    "item": "({{id}}|{{name}}|{{{arguments}}}|{{{toolCall}}})",
    "joiner": "+",
}
RESULTS = {
    "section": "<results>{{{toolResults}}}</results>",
    "item": "({{{content}}}|{{callName}}|{{toolCallId}}|{{number}})",
}
SKILLS = {"section": "<skills>{{{skills}}}</skills>", "item": "{{name}}:{{description}}", "joiner": ", "}
SLOTS = {"system": "<s>{{{content}}}{{{tools}}}{{{skills}}}>", "assistant": "<a>{{{content}}}{{{toolCalls}}}>"}
VISION = {"start": "<v>", "end": "</v>", "imageToken": "<i>", "videoToken": "<f>", "number": "No {n}: "}
THINK = {"start": "<think>\n", "end": "\n</think>\n\n", "parse": "lines"}
FULL: dict[str, Any] = {
    "tools": TOOLS,
    "toolCalls": CALLS,
    "toolResults": RESULTS,
    "skills": SKILLS,
    "vision": VISION,
    **SLOTS,
}

FEATURES: dict[str, dict[str, Any]] = {
    "plain": {},
    "prefix, bos, eos and separator": {"prefix": "[P]", "bos": "<s>", "eos": "</s>", "separator": "|"},
    "awkward literals": {"user": "'\\n{{{content}}}\\ \t\r'\n{% x %} {# y #}", "promptSuffix": "{{'\\"},
    "default system": {"defaultSystem": " Be kind.\n", "trim": {"system": True}},
    "trim": {"trim": {"user": True, "assistant": True, "tool": True}},
    "tools, calls, results and skills": FULL,
    "compact tools": FULL | {"tools": TOOLS | {"format": "json_compact", "asList": True}},
    "indented tools": FULL | {"tools": TOOLS | {"format": "json_indented", "indent": 2}},
    "tools in the first user turn": FULL
    | {"tools": TOOLS | {"placement": "first_user"}, "user": "<u>{{{content}}}{{{tools}}}>"},
    "tools with the last user turn": FULL
    | {"tools": TOOLS | {"placement": "last_user", "userWith": "<w>{{{tools}}}|{{{content}}}>"}},
    "tools by themselves": FULL | {"tools": TOOLS | {"placement": "separate"}},
    "definitions": FULL
    | {
        "tools": {
            "item": (
                "{{name}}/{{description}}({{#each parameters.properties}}{{@key}}:{{type}}{{#unless @last}},{{/unless}}"
                "{{/each}})"
                "{{#if last}}.{{else}};{{/if}}{{{tojson function}}}"
            )
        }
    },
    "arguments one by one": FULL
    | {"toolCalls": {"item": "{{name}}{{#each args}}<{{@key}}={{{textOrJson this}}}>{{/each}}"}},
    "names before texts": {"names": "prefix"},
    "names in templates": {"user": "<u {{#if name}}{{name}}{{else}}-{{/if}}>{{{content}}}"},
    "reasoning kept": {"reasoning": THINK | {"keepInHistory": True}},
    "reasoning of the current exchange": {"reasoning": THINK | {"keepInCurrent": True}},
    "reasoning dropped": {"reasoning": THINK | {"parse": "blanks"}},
    "reasoning placed": {
        "reasoning": THINK | {"keepInHistory": True, "parse": "exact"},
        "assistant": "<a>{{#if reasoning}}[{{{reasoning}}}]{{/if}}{{{content}}}>",
    },
    "suffix variants": {
        "promptSuffixVariants": {
            "thinkingOn": "<on>",
            "thinkingOff": "<off>",
            "afterTool": "<t>",
            "afterAssistantThinkingOff": "<ao>",
            "closed": "<end>",
        }
    },
    "first and last": {
        "variants": {
            "firstUser": "<1u>{{{content}}}",
            "lastUser": "<nu>{{{content}}}",
            "firstAssistant": "<1a>{{{content}}}",
            "lastAssistant": "<na>{{{content}}}",
            "lastAssistantClosed": "<ca>{{{content}}}",
        }
    },
    "facts": {
        "user": "<u{{index}}{{#if first}}F{{/if}}{{#if last}}L{{/if}}{{previous}}-{{next}}>{{{content}}}",
        "assistant": "<a{{#if afterLastUser}}!{{/if}}{{#if answered}}A{{/if}}{{#if hasSystem}}S{{/if}}>{{{content}}}",
        "system": "<s{{#if given}}G{{/if}}{{#if hasTools}}T{{/if}}{{#if generate}}g{{/if}}{{thinking}}>{{{content}}}",
    },
    "helpers": {
        "user": '{{#if (eq role "user")}}{{upper role}}{{/if}}{{trim content}}|{{length content}}|{{{json content}}}'
        '|{{default name "?"}}{{#unless (and first last)}}&{{/unless}}{{#with content}}{{{this}}}{{/with}}'
    },
    "a date": {
        "processors": [{"name": "date_header", "text": "On {{date}}.\n", "default": "1 Jan"}],
        "system": "{{{content}}}!",
    },
    "media first": {"vision": VISION | {"order": "first"}},
}


ORDERS = [one for one in PROBES if one.kind == "roles" or one.name in ("system and three turns", "parallel calls")]


def fmt(**fields: Any) -> InstructFormat:
    return InstructFormat.model_validate({**PLAIN, **fields})


@pytest.mark.parametrize("name", FEATURES)
def test_a_feature_renders_the_same_in_both_engines(name: str) -> None:
    assert list(differences(fmt(**FEATURES[name]))) == []


@pytest.mark.parametrize("first", ["block", "fold_first_user", "fold_last_user", "as_user", "drop", "error"])
@pytest.mark.parametrize("alternation", ["none", "merge", "filler", "error"])
def test_every_place_of_the_system_text(first: str, alternation: str) -> None:
    for later, wrap in itertools.product(
        ("block", "as_user", "merge_first", "drop", "error"), (None, "({{{content}}})")
    ):
        policy = {"first": first, "later": later, "wrap": wrap}
        made = fmt(systemPolicy=policy, alternation=alternation, fillerUser="Go on.", **FULL)
        assert [(later, *found) for found in differences(made, ORDERS)] == []


def test_braces_in_a_message_stay_what_they_are() -> None:
    text = "{tools} {{ tools }} {% raw %} {skills} {tool_calls}"
    probe = Probe("braces", "text", ({"role": "system", "content": text}, {"role": "user", "content": text}))
    made = theirs(chat_template(fmt(**FULL))[0], probe)
    assert set(made.values()) == {f"<s>{text}><u>{text}><a>"}


def test_what_jinja_can_not_say_is_a_loss() -> None:
    made = fmt(**FULL | {"tools": TOOLS | {"format": "yaml"}, "stopStrings": [">"]})
    assert [loss.path for loss in chat_template(made)[1]] == ["stopStrings", "tools.format"]


def test_a_format_with_its_own_jinja_gives_that() -> None:
    made = fmt(chatTemplate="{{ messages[0].content }}", prefix="P", alternation="merge")
    source, losses = chat_template(made)
    assert PythonTemplate(source).render({"messages": [{"role": "user", "content": "x"}]}) == "Px"
    assert [loss.path for loss in losses] == ["alternation"]


THEIRS = [
    Probe(one.name, "text", tuple(one.messages), tuple(one.tools), one.generate, one.thinking)
    for one in probes()
    if not one.continues
]


DECLARATIVE = [slug for slug in builtin_slugs() if builtin(slug).chat_template is None]


@pytest.mark.parametrize("slug", DECLARATIVE)
def test_a_built_in_renders_the_same_in_both_engines(slug: str) -> None:
    assert list(differences(builtin(slug), THEIRS)) == []
