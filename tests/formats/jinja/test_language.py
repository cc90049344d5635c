"""A template sees what transformers gives it, and prints the same bytes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from formats.jinja import JinjaRefused, JinjaRenderError, JinjaSyntaxError, compile_chat_template

ROOT = Path(__file__).resolve().parents[3]
CHAT = [{"role": "user", "content": " Hi "}, {"role": "assistant", "content": "Yes"}]


def rendered(source: str, *, now: str | None = None, **variables: Any) -> str:
    return compile_chat_template(source).render({"messages": CHAT, **variables}, now=now)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        # blocks are trimmed: the line end behind a tag, the spaces before one
        ("{% for m in messages %}\n  {% if true %}\n{{ m.role }};\n  {% endif %}\n{% endfor %}", "user;\nassistant;\n"),
        ("{% for m in messages %}{% if loop.last %}{% break %}{% endif %}{{ m.content }}{% endfor %}", " Hi "),
        ("{% for m in messages %}{% if loop.first %}{% continue %}{% endif %}{{ m.content }}{% endfor %}", "Yes"),
        ("{{ messages[0].content.strip() }}|{{ messages[0]['content'] | trim }}", "Hi|Hi"),
        ("{{ 'a,b'.split(',')[-1] }}{{ 'abc'.startswith('ab') }}{{ 'abc'.endswith('x') }}", "bTrueFalse"),
        ("{{ 'a<b'.replace('<', '&') }}{{ 'ab'.upper() }}{{ '\n\nx'.lstrip('\n') }}", "a&bABx"),
        ("{% for k, v in messages[1].items() %}{{ k }}={{ v }};{% endfor %}", "role=assistant;content=Yes;"),
        ("{{ messages[0].keys() | list }}{{ messages[0].get('name', 'none') }}", "['role', 'content']none"),
        ("{{ messages[::-1][0].role }}{{ messages[1:] | length }}", "assistant1"),
        ("{{ [1, 'a', true, none] }}{{ {'a': 1.0} }}", "[1, 'a', True, None]{'a': 1.0}"),
        ("{{ {'é': '<&>', 'n': none} | tojson }}", '{"é": "<&>", "n": null}'),
        ("{{ {'b': 1, 'a': [2]} | tojson(indent=2) }}", '{\n  "b": 1,\n  "a": [\n    2\n  ]\n}'),
        ("{{ {'b': 1, 'a': 2} | tojson(separators=(',', ':'), sort_keys=true) }}", '{"a":2,"b":1}'),
        ("{{ 'é' | tojson(ensure_ascii=true) }}", '"\\u00e9"'),
        ("{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}", "2"),
        ("{% macro turn(m) %}<{{ m.role }}>{% endmacro %}{{ turn(messages[0]) }}", "<user>"),
        ("{{ tools is defined }}{{ tools is none }}{{ foo is defined }}{{ foo }}", "TrueTrueFalse"),
        ("{{ none is iterable }}{{ 'a' is iterable }}{{ [] is iterable }}{{ 1 is iterable }}", "FalseTrueTrueFalse"),
        ("{{ '<b>' }}{{ '%s-%d' | format('x', 3) }}{{ 7 // 2 }}{{ 7 / 2 }}", "<b>x-333.5"),
        ("a{# nothing #}\n{% raw %}{{ x }}{% endraw %}", "a{{ x }}"),
    ],
)  # fmt: skip
def test_prints(source: str, expected: str) -> None:
    assert rendered(source, tools=None) == expected


def test_clock_is_the_one_handed_in() -> None:
    source = "{{ strftime_now('%d %b %Y') if strftime_now is defined else 'no clock' }}"
    assert rendered(source, now="2026-03-05T09:30:00+00:00") == "05 Mar 2026"
    assert rendered(source) == "no clock"


def test_body_of_a_generation_block_is_printed() -> None:
    template = compile_chat_template(
        "{% for m in messages %}{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}"
    )
    assert (template.render({"messages": CHAT}), template.engine) == (" Hi Yes", "jinja2")
    assert template.reason == "unknown statement generation"


def test_plain_templates_are_rendered_by_minijinja() -> None:
    template = compile_chat_template("{% for m in messages %}{{ m.role }}{% endfor %}")
    assert (template.engine, template.reason) == ("minijinja", "")


def test_a_template_that_the_engines_read_differently_is_rendered_by_jinja2() -> None:
    # jinja2 refuses to walk over None; minijinja walks over nothing.
    template = compile_chat_template("{% for tool in tools %}{{ tool }}{% endfor %}")
    assert (template.engine, template.reason) == ("jinja2", "minijinja and jinja2 differ on the probe “one user”")
    with pytest.raises(JinjaRenderError, match="NoneType"):
        template.render({"tools": None})


def test_what_minijinja_does_not_finish_is_rendered_by_jinja2() -> None:
    template = compile_chat_template("{% if odd is defined %}{{ odd.center(5, '*') }}{% endif %}")
    assert (template.engine, template.render({"odd": "x"})) == ("minijinja", "**x**")


def test_spaces_that_only_python_strips() -> None:
    assert rendered("{{ x.strip() }}", x="\x1cword\x1f") == "word"


def test_lone_surrogates_pass() -> None:
    assert rendered("<{{ x }}>", x="\ud83d") == "<\ud83d>"


def test_refusal_of_the_template() -> None:
    with pytest.raises(JinjaRefused) as caught:
        rendered("\n\n{{ raise_exception('Roles must alternate') }}")
    assert (caught.value.message, caught.value.line) == ("Roles must alternate", 3)


def test_unknown_name() -> None:
    with pytest.raises(JinjaRenderError) as caught:
        rendered("a\n{{ thing.part }}")
    assert (caught.value.message, caught.value.line) == ("UndefinedError: 'thing' is undefined", 2)


@pytest.mark.parametrize(
    ("source", "line", "column"),
    [
        ("a\n{% for", 2, None),
        ("{{ messages", 1, None),
        ("x\n\n{% if x %}", 3, None),
        ("{{ a b }}", 1, 6),
        ("{% nope %}", 1, 4),
    ],
)
def test_syntax_errors_have_a_place(source: str, line: int, column: int | None) -> None:
    with pytest.raises(JinjaSyntaxError) as caught:
        compile_chat_template(source)
    assert caught.value.line == line
    assert column is None or caught.value.column == column


def test_many_calls_in_one_exchange() -> None:
    template = compile_chat_template("{% if x == 2 %}{{ raise_exception('two') }}{% endif %}{{ x }}")
    first, second, third = template.render_all([{"x": 1}, {"x": 2}, {"x": 3}])
    assert (first, third) == ("1", "3")
    assert isinstance(second, JinjaRefused)


def test_this_process_loads_no_engine() -> None:
    code = (
        "import sys\n"
        "from formats.jinja import compile_chat_template\n"
        "text = compile_chat_template('{{ x }}').render({'x': 1})\n"
        "print(text, sorted({'jinja2', 'minijinja'} & sys.modules.keys()))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (run.stdout.strip(), run.stderr) == ("1 []", "")
