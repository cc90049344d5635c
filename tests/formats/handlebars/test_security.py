"""Every known attack on pybars3, closed: one test each."""

# ruff: noqa: UP031 - templates are full of braces, which % leaves alone
from __future__ import annotations

import contextlib
import linecache
import sys
import threading
import time
from typing import Any

import pybars
import pytest

from formats.handlebars import TemplateError, TemplateLimitError, TemplateSyntaxError, compile_template
from formats.handlebars.engine import Compiler

CODE = "q') or 6*7 or ('y"
QUOTED = 'q") or 6*7 or ("y'


class Account:
    """An object with a secret, a method and an attribute a template must not reach."""

    password = "hunter2"

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, *arguments: Any) -> str:
        self.calls += 1
        return "called"

    def wipe(self, *arguments: Any) -> str:
        self.calls += 1
        return "wiped"

    def __getitem__(self, key: str) -> str:
        self.calls += 1
        return "item"

    def __str__(self) -> str:
        self.calls += 1
        return "printed"

    def __eq__(self, other: object) -> bool:
        self.calls += 1
        return True

    def __bool__(self) -> bool:
        self.calls += 1
        return True

    __hash__ = None


def render(source: str, context: Any = None, **options: Any) -> str:
    return compile_template(source, **options).render(context if context is not None else {})


@pytest.mark.parametrize("code", [CODE, QUOTED, "__import__('os').system('true')", "a\nimport os\nb", "x\\') or 1#"])
@pytest.mark.parametrize(
    "source",
    ["{{[%s]}}", "{{upper [%s]}}", "{{#if [%s]}}1{{/if}}", "{{json a indent=[%s]}}", "{{#with [%s]}}1{{/with}}"],
)
def test_a_bracketed_segment_is_a_key_and_never_source(source: str, code: str) -> None:
    assert render(source % code) in {"", "undefined"}
    assert render("{{[%s]}}" % code, {code.replace("\\'", "\\'"): "value"}) == "value"


@pytest.mark.parametrize("code", [CODE, QUOTED])
def test_a_sub_expressions_name_is_never_source(code: str) -> None:
    with pytest.raises(TemplateSyntaxError, match="unknown helper"):
        render("{{upper ([%s] 1)}}" % code)


@pytest.mark.parametrize("name", [r"\x61b", "ab\\", '[a"b]', "[a]b]", "'a b'", "[%s]" % CODE])
def test_a_partials_name_is_a_plain_string(name: str) -> None:
    with pytest.raises(TemplateSyntaxError):
        render("{{> %s}}" % name, partials={"ab": "reached"})


@pytest.mark.parametrize("key", ["class", "this", "options", "self", "context", "limit", "value", "function"])
def test_a_keyword_a_helper_does_not_declare_is_refused(key: str) -> None:
    with pytest.raises(TemplateSyntaxError, match="has no key"):
        render("{{upper content %s=99}}" % key)


@pytest.mark.parametrize(
    "path", ["content.__class__", "content.upper", "content.format", "list.append", "__class__", "this.clear"]
)
def test_attributes_of_json_values_are_not_there(path: str) -> None:
    assert (
        render("{{%s}}{{#with %s}}inside{{/with}}" % (path, path), {"content": "hi", "list": [1], "secret": "s"}) == ""
    )


@pytest.mark.parametrize(
    "source",
    [
        "{{user.password}}",
        "{{user.wipe}}",
        "{{#if user.wipe}}yes{{/if}}",
        "{{lookup user 'password'}}",
        "{{#with user.__init__.__globals__}}{{#with sys}}{{executable}}{{/with}}{{/with}}",
        "{{#each user}}x{{/each}}",
        "{{#with user}}{{password}}{{wipe}}{{/with}}",
        "{{user.[0]}}",
        "{{length user}}",
        "{{#if (eq user.calls 1)}}x{{/if}}",
        "{{#if user}}{{/if}}",
        "{{#if (and user user)}}{{/if}}",
        "{{#if (eq user 'x')}}same{{/if}}",
        "{{default user.calls ''}}",
        "{{#if (eq user 1)}}same{{/if}}",
        "{{#user}}{{/user}}",
        "{{#if (lt user 1)}}x{{/if}}",
        "{{#user}}{{password}}{{/user}}",
    ],
)
def test_objects_are_opaque_and_never_called(source: str) -> None:
    account = Account()
    assert render(source, {"user": account}) in {"", "0"}
    assert account.calls == 0


@pytest.mark.parametrize(
    "source", ["{{user}}", "{{upper user}}", "{{join list}}", "{{json user}}", "{{lookup names user}}", "{{list}}"]
)
def test_printing_what_is_not_json_is_an_error_with_a_place(source: str) -> None:
    account = Account()
    with pytest.raises(TemplateError, match="only JSON values can") as caught:
        render("\n" + source, {"user": account, "list": [account], "names": {"a": 1}})
    assert caught.value.line == 2
    assert account.calls == 0


def test_the_context_is_not_changed() -> None:
    context = {"items": [{"a": 1}], "dict": {"b": 2}, "text": "t"}
    source = "{{context.setdefault}}{{#each items}}{{@index}}{{/each}}{{#with dict}}{{pop}}{{/with}}{{> p x=1}}"
    render(source, context, partials={"p": "{{x}}"})
    assert context == {"items": [{"a": 1}], "dict": {"b": 2}, "text": "t"}


def test_a_dict_subclass_is_not_asked() -> None:
    class Loud(dict):
        def __getitem__(self, key: str) -> str:
            raise AssertionError("asked")

        get = __getitem__

    assert render("{{loud.a}}{{#each loud}}x{{/each}}", {"loud": Loud(a=1)}) == ""
    assert render("{{a}}", Loud(a=1)) == ""


def test_compiling_leaves_no_module_and_no_source_behind() -> None:
    render("{{warm}}")
    modules, lines = set(sys.modules), len(linecache.cache)
    for number in range(300):
        render("{{#if a%d}}{{b}}{{/if}}" % number, {"b": 1})
    assert set(sys.modules) == modules
    assert len(linecache.cache) == lines


def test_pybars_own_compiler_never_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = Compiler()
    for stock in ("_generate_code", "precompile", "clean_whitespace"):
        with pytest.raises(NotImplementedError):
            getattr(compiler, stock)("{{x}}")
    monkeypatch.setattr(pybars.Compiler, "_generate_code", lambda *_: pytest.fail("generated source"))
    assert compiler.compile("{{x}}")({"x": "y"}) == "y"


def test_threads_do_not_mix_templates() -> None:
    wrong: list[str] = []

    def work(number: int) -> None:
        for turn in range(40):
            mark = f"<{number}-{turn}>"
            if render("%s{{#if a}}%s{{/if}}" % (mark, mark), {"a": 1}) != mark * 2:
                wrong.append(mark)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize(
    "source",
    [
        "\n" + ("{{#a}}" + " " * 8) * 7 + "x",
        "{{#if a}}" + " " * 60_000 + "{{/if}}",
        "{{" + " " * 60_000 + "a}}",
        " " * 60_000 + "{{! x }}" + "\n",
        "{{" * 30_000,
        "{" * 60_000,
        "}" * 60_000,
        "{{{{" * 15_000,
        "{{a" + "." * 60_000 + "}}",
        "{{" + "a/" * 30_000 + "}}",
        '{{"' + '\\"' * 30_000,
        "{{!" + "-" * 60_000,
        "{{f " + "a=" * 30_000 + "}}",
        "\\{{" * 20_000,
        "{{[" + "\\]" * 30_000,
        "{{" + "(" * 60_000,
        "{{{{a}}}}" + "{{{{b}}}}" * 7_000,
        "{{" + "../" * 20_000 + "a}}",
        "{{#each a as |" + "x " * 30_000 + "|}}{{/each}}",
    ],
    ids=range(19),
)
def test_no_source_takes_long(source: str) -> None:
    start = time.perf_counter()
    with contextlib.suppress(TemplateError):
        render(source, {"a": 1})
    assert time.perf_counter() - start < 10  # quadratic ones would take minutes; a slow machine does not


def test_nested_sub_expressions_are_limited() -> None:
    with pytest.raises(TemplateLimitError, match="nested 16 deep"):
        render("{{" + "upper (" * 80 + "upper a" + ")" * 80 + "}}")


@pytest.mark.parametrize("inside", ["0123456789", ""])
def test_nested_loops_are_stopped(inside: str) -> None:
    source = "{{#each a}}" * 4 + inside + "{{/each}}" * 4
    loop = [list(range(100))] * 100
    source = (
        "{{#each a}}{{#each @root.a}}{{#each @root.a}}{{#each @root.a}}%s{{/each}}{{/each}}{{/each}}{{/each}}" % inside
    )
    with pytest.raises(TemplateLimitError, match="steps|characters"):
        render(source, {"a": loop})


def test_partials_that_include_themselves_are_stopped() -> None:
    for text in ("{{> p}}", "{{> p}}{{> p}}", "{{#if true}}" * 20 + "{{> p}}" + "{{/if}}" * 20):
        with pytest.raises(TemplateLimitError):
            render("{{> p}}", partials={"p": text})


def test_partials_that_double_are_stopped() -> None:
    partials = {f"p{number}": "{{> p%d}}{{> p%d}}" % (number + 1, number + 1) for number in range(30)} | {
        "p30": "x" * 1000
    }
    with pytest.raises(TemplateLimitError):
        render("{{> p0}}", partials=partials)


def test_a_missing_partial_is_refused_when_compiled() -> None:
    with pytest.raises(TemplateSyntaxError, match="The partial nope could not be found"):
        compile_template("{{#if false}}{{> nope}}{{/if}}")


@pytest.mark.parametrize(
    "source",
    [
        "A{{#if a}}B",
        "A{{x",
        "{{!-- x",
        '{{"x',
        "{{{{raw}}}} x",
        "{{#each a}}{{#if b}}{{/if}}",
        "{{#*inline 'x'}}",
        "{{#> p}}x",
        "{{{x",
    ],
)
def test_an_open_end_is_an_error_and_never_cuts_the_text(source: str) -> None:
    with pytest.raises(TemplateSyntaxError, match="never closed"):
        compile_template(source)
