"""Hostile text: linear time, bounded output, no recursion."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chats.macros import Store, expand
from chats.macros.limits import MAX_EXCERPT, MAX_FINDINGS, MAX_NESTING
from tests.chats.macros.base import codes, scope, text

ATTACKS: dict[str, Callable[[int], str]] = {
    "opened": lambda size: "{{" * (size // 2),
    "closed": lambda size: "}}" * (size // 2),
    "opened with spaces": lambda size: "{{ " * (size // 3),
    "nested": lambda size: "{{a" * (size // 5) + "}}" * (size // 5),
    "nested known": lambda size: "{{reverse::" * (size // 13) + "}}" * (size // 13),
    "nested random": lambda size: "{{random::" * (size // 12) + "}}" * (size // 12),
    "nested blocks": lambda size: "{{if 1}}" * (size // 15) + "{{/if}}" * (size // 15),
    "open blocks": lambda size: "{{if 1}}" * (size // 8),
    "closing blocks": lambda size: "{{if 1}}" + "{{/if}}" * (size // 7),
    "elses": lambda size: "{{if 1}}" + "{{else}}" * (size // 8) + "{{/if}}",
    "crossed blocks": lambda size: "{{if 1}}{{reverse}}{{/if}}{{/reverse}}" * (size // 38),
    "template blocks": lambda size: "{{#a}}" * (size // 12) + "{{/a}}" * (size // 12),
    "unclosed around known": lambda size: "{{ {{user}}" * (size // 11),
    "known": lambda size: "{{user}}" * (size // 8),
    "unknown": lambda size: "".join(f"{{{{x{number}}}}}" for number in range(size // 9)),
    "escapes": lambda size: r"\{\{" * (size // 4),
    "backslashes": lambda size: "\\" * size + "{{",
    "escaped ends": lambda size: r"{{" + r"\}\}" * (size // 4),
    "not": lambda size: "{{if " + "!" * size + "1}}a{{/if}}",
    "spaces": lambda size: "{{" + " " * size + "}}{{if" + " " * size + "}}",
    "separators": lambda size: "{{random" + "::" * (size // 2) + "}}",
    "commas": lambda size: "{{random:" + "," * size + "}}",
    "trims": lambda size: "\n{{trim}}" * (size // 9),
    "line breaks": lambda size: "{{if 1}}" + "\n  \t" * (size // 4) + "x{{/if}}",
    "indentation": lambda size: "{{if 1}}\n" + " " * size + "x{{/if}}",
    "dice": lambda size: "{{roll::1000d6}}" * (size // 400),
    "last message": lambda size: "{{lastUserMessage}}" * (size // 19),
    "added": lambda size: "{{addvar::a::xxxxxxxxxx}}" * (size // 25),
    "tags": lambda size: "<USER>" * (size // 6),
    "digits": lambda size: "{{roll::" + "9" * size + "}}{{newline::" + "9" * size + "}}",
    "sums": lambda size: "{{setvar::a::" + "9" * size + "}}{{incvar::a}}",
    "formats": lambda size: "{{datetimeformat::" + "[" * size + "}}",
}


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda name: name.replace(" ", "-"))
def test_200_kb_take_no_longer_than_plain_work(attack: str) -> None:
    source = ATTACKS[attack](200_000)
    start = time.process_time()
    expanded = expand(source, scope())
    assert time.process_time() - start < 4
    assert len(expanded.text) <= 4_400_000
    assert len(expanded.findings) <= MAX_FINDINGS


def test_nesting_up_to_the_limit_is_expanded() -> None:
    assert text("{{reverse::" * (MAX_NESTING - 1) + "{{user}}" + "}}" * (MAX_NESTING - 1)) == "boB"
    assert text("{{if 1}}" * (MAX_NESTING - 1) + "{{user}}" + "{{/if}}" * (MAX_NESTING - 1)) == "Bob"


def test_deeper_nesting_stays_as_typed() -> None:
    for source in (
        "{{reverse::" * MAX_NESTING + "{{user}}" + "}}" * MAX_NESTING,
        "{{if 1}}" * MAX_NESTING + "{{user}}" + "{{/if}}" * MAX_NESTING,
    ):
        assert (text(source + "{{user}}"), codes(source)) == (source + "Bob", [("MACRO_TOO_DEEP", _excerpt(source))])


def _excerpt(source: str) -> str:
    return source if len(source) <= MAX_EXCERPT else source[: MAX_EXCERPT - 1] + "…"


def test_what_a_render_may_produce_is_bounded() -> None:
    shared = scope(variables={"big": "x" * 400}, store=Store(max_produced=1_000))
    expanded = expand("{{big}}" * 4, shared)
    assert expanded.text == "x" * 800 + "{{big}}" * 2
    assert [(finding.code, finding.data) for finding in expanded.findings] == [
        ("MACRO_LIMIT", {"macro": "{{big}}", "position": 14})
    ]


def test_a_long_name_is_bounded_too() -> None:
    assert text("{{user}}" * 4, user="x" * 400, store=Store(max_produced=1_000)) == "x" * 800 + "{{user}}" * 2


def test_variables_that_double_stop_at_the_bound() -> None:
    shared = scope(store=Store(max_produced=100_000))
    expand("{{setvar::a::xx}}" + "{{setvar::a::{{getvar::a}}{{getvar::a}}}}" * 60, shared)
    assert len(shared.store.local["a"]) < 100_000


@given(st.text(alphabet=st.sampled_from("{}\\:~,!/#.$ \n<>aif") | st.sampled_from("é你😀\ud800"), max_size=60))
@settings(max_examples=300, deadline=None)
def test_it_never_raises(source: str) -> None:
    assert isinstance(text(source), str)


WORDS = [
    *("{{user}}", "{{if 1}}", "{{else}}", "{{/if}}", "{{trim}}", "{{reverse::", "{{random::", "{{setvar::a::", "}}"),
    *("::", "{{.a++}}", "{{//", "{{#a}}", "{{/a}}", "\\{{", "\\}}", "x", "\n", "{{foo", "<USER>", "{"),
]


@given(st.lists(st.sampled_from(WORDS), max_size=25).map("".join))
@settings(max_examples=300, deadline=None)
def test_it_gives_the_same_again(source: str) -> None:
    assert expand(source, scope()) == expand(source, scope())


@given(st.text(alphabet=st.characters(exclude_characters="{}<\\"), max_size=80))
@settings(max_examples=100)
def test_text_without_braces_stays(source: str) -> None:
    assert text(source) == source


@given(st.text(max_size=40), st.text(max_size=40))
@settings(max_examples=150)
def test_a_value_appears_as_it_is(value: str, around: str) -> None:
    plain = around.replace("{", "").replace("\\", "").replace("<", "").replace("}", "")
    assert text(f"{plain}{{{{x}}}}{plain}", variables={"x": value}) == f"{plain}{value}{plain}"
