"""Every limit of limits.py: what is just allowed works, and one more is an error with a place."""
# ruff: noqa: UP031 - templates are full of braces, which % leaves alone

from __future__ import annotations

import threading
import time
import tracemalloc

import pytest

from formats.handlebars import TemplateLimitError, compile_template, limits
from formats.handlebars.cache import Cache


def refused(source: str, context: object = None, **options: object) -> TemplateLimitError:
    with pytest.raises(TemplateLimitError) as caught:
        compile_template(source, **options).render({} if context is None else context)
    return caught.value


def render(source: str, context: object = None, **options: object) -> str:
    return compile_template(source, **options).render({} if context is None else context)


def test_source() -> None:
    longest = "x" * limits.SOURCE_CHARACTERS
    assert render(longest) == longest
    assert "65,536 characters" in refused(longest + "x").message


def test_source_with_its_partials() -> None:
    half = "x" * (limits.SOURCE_CHARACTERS // 2)
    assert render(half, partials={"p": half}) == half
    error = refused(half + "x", partials={"p": half})
    assert (error.name, error.line, error.column) == ("p", 1, 1)


def test_a_role_template_of_the_largest_size() -> None:
    source = "{{#if a}}" + "x" * (32_768 - 16) + "{{/if}}"
    assert len(source) == 32_768
    assert len(render(source, {"a": 1})) == 32_768 - 16


def test_tags() -> None:
    assert render("{{a}}" * limits.TAGS, {"a": "x"}) == "x" * limits.TAGS
    error = refused("{{a}}\n" * (limits.TAGS + 1))
    assert (error.line, error.column) == (limits.TAGS + 1, 1)


def test_terms() -> None:
    operands = "a " * (limits.TERMS - 1)
    assert render("{{or %s}}" % operands, {"a": ""}) == ""
    assert "4000 names and values" in refused("{{or %sa}}" % operands).message


def blocks(depth: int) -> str:
    return "{{#if a}}" * depth + "x" + "{{/if}}" * depth


def test_block_depth() -> None:
    assert render(blocks(limits.BLOCK_DEPTH), {"a": 1}) == "x"
    error = refused(blocks(limits.BLOCK_DEPTH + 1))
    assert "nested 32 deep" in error.message
    assert error.column == len("{{#if a}}") * limits.BLOCK_DEPTH + 1


def chain(links: int) -> str:
    return "{{#if z}}" + "".join("{{else if a%d}}%d" % (link, link) for link in range(links)) + "{{else}}none{{/if}}"


def test_else_links() -> None:
    last = limits.ELSE_LINKS - 1
    assert render(chain(limits.ELSE_LINKS), {f"a{last}": 1}) == str(last)
    assert render(chain(limits.ELSE_LINKS)) == "none"
    assert "links" in refused(chain(limits.ELSE_LINKS + 1)).message


def test_the_deepest_tree() -> None:
    inside = "{{#if a}}" * (limits.BLOCK_DEPTH - 1) + chain(limits.ELSE_LINKS) + "{{/if}}" * (limits.BLOCK_DEPTH - 1)
    assert render(inside, {"a": 1}) == "none"


def nested_calls(depth: int) -> str:
    return "{{upper " + "(upper " * depth + "a" + ")" * depth + "}}"


def test_sub_expression_depth() -> None:
    assert render(nested_calls(limits.SUBEXPRESSION_DEPTH), {"a": "x"}) == "X"
    assert "nested 16 deep" in refused(nested_calls(limits.SUBEXPRESSION_DEPTH + 1)).message


def counting_partials(depth: int) -> dict[str, str]:
    return {f"p{level}": "{{> p%d}}" % (level + 1) for level in range(1, depth)} | {f"p{depth}": "x"}


def test_partial_depth() -> None:
    assert render("{{> p1}}", partials=counting_partials(limits.PARTIAL_DEPTH)) == "x"
    error = refused("{{> p1}}", partials=counting_partials(limits.PARTIAL_DEPTH + 1))
    assert (error.name, error.line, error.column) == ("p32", 1, 1)


def test_output() -> None:
    half = "x" * (limits.OUTPUT_CHARACTERS // 2)
    assert len(render("{{#if a}}{{a}}{{a}}{{/if}}", {"a": half})) == limits.OUTPUT_CHARACTERS
    assert "5,000,000 characters" in refused("{{#if a}}{{a}}{{a}}.{{/if}}", {"a": half}).message
    assert "5,000,000 characters" in refused("{{a}}{{a}}{{b}}.", {"a": half, "b": ""}).message


def test_output_of_a_loop_is_told_at_the_loop() -> None:
    error = refused("\n  {{#each items}}{{@root.big}}{{/each}}", {"items": [1] * 200, "big": "x" * 100_000})
    assert (error.line, error.column) == (2, 3)


def test_a_template_of_two_variables_can_not_amplify_and_is_not_measured() -> None:
    long = "x" * (limits.OUTPUT_CHARACTERS + 1)
    template = compile_template("<{{a}}>")
    assert len(template.render({"a": long})) == len(template.pieces({"a": long})[1][0]) + 2


def test_steps_weigh_the_size_of_the_loops_body() -> None:
    body = "{{x}}" * 10  # ten steps an item
    items = [0] * (limits.STEPS // 10)
    assert render("{{#each items}}%s{{/each}}" % body, {"items": items}) == ""
    error = refused("ab\n{{#each items}}%s{{/each}}" % body, {"items": [*items, 0]})
    assert "2,000,000 steps" in error.message
    assert (error.line, error.column) == (2, 1)


def test_text_made_by_helpers_costs_steps() -> None:
    items, big = [0] * 10_000, "x" * 100_000
    assert (
        "steps"
        in refused("{{#each items}}{{#if (upper @root.big)}}{{/if}}{{/each}}", {"items": items, "big": big}).message
    )


def test_the_cache_holds_so_many() -> None:
    cache: Cache[int] = Cache(limits.CACHED_TEMPLATES, limits.CACHED_CHARACTERS)
    for number in range(limits.CACHED_TEMPLATES):
        cache.get(number, 1, lambda number=number: number)
    cache.get(0, 1, lambda: -1)
    cache.get("one more", 1, lambda: -1)
    assert len(cache) == limits.CACHED_TEMPLATES
    assert cache.get(0, 1, lambda: -2) == 0
    assert cache.get(1, 1, lambda: -2) == -2  # the least recently used went


def test_the_cache_holds_so_many_characters() -> None:
    cache: Cache[int] = Cache(limits.CACHED_TEMPLATES, 100)
    for number in range(10):
        cache.get(number, 10, lambda number=number: number)
    assert len(cache) == 10
    cache.get("more", 15, lambda: -1)
    assert len(cache) == 9
    assert cache.get("too much", 101, lambda: 5) == 5
    assert cache.get("too much", 101, lambda: 6) == 6
    assert len(cache) == 9


def test_deep_data_is_a_limit_error() -> None:
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    for source in ("{{a}}", "{{json a}}", "{{join a}}"):
        assert "too deeply" in refused(source, {"a": deep}).message


def test_deep_templates_on_a_small_stack() -> None:
    """The deepest that is allowed, and what is refused, in a thread with 128 KB: no crash, and the same answers."""
    answers: list[object] = []

    def work() -> None:
        answers.append(render(blocks(limits.BLOCK_DEPTH) + nested_calls(limits.SUBEXPRESSION_DEPTH), {"a": "y"}))
        answers.append(refused("{{" + "upper (" * 5_000 + "a" + ")" * 5_000 + "}}").line)
        answers.append(refused("{{#if a}}" * 5_000).line)
        answers.append(refused("{{> p}}", partials={"p": blocks(30).replace("x", "{{> p}}")}, context={"a": 1}).name)

    size = threading.stack_size(128 * 1024)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
    assert answers == ["xY", 1, 1, "p"]


MEGABYTE = "x" * 1_000_000
DEAR_CONTEXT = {
    "items": [0] * 200_000,
    "big": MEGABYTE,
    "twin": MEGABYTE[:-1] + "y",
    "list": list(range(100_000)),
    "empties": [""] * 100_000,
}
DEAR_PARTIALS = {"lines": "{{@root.big}}\n", "spread": "{{k}}"}


@pytest.mark.parametrize(
    "inside",
    [
        "{{@root.list}}",
        "{{#if (eq @root.big @root.twin)}}{{/if}}",
        "{{#if (lt @root.big @root.twin)}}{{/if}}",
        "{{#if (or %s)}}{{/if}}" % ("z " * 3_000),
        "{{#if %s}}{{/if}}" % ("z/" * 10_000 + "z"),
        "{{#if (join @root.empties '')}}{{/if}}",
        "{{#if (json @root.list)}}{{/if}}",
    ],
    ids=range(7),
)
def test_dear_things_in_a_loop_are_stopped_soon(inside: str) -> None:
    start = time.process_time()
    refused("{{#each items}}" + inside + "{{/each}}", DEAR_CONTEXT)
    assert time.process_time() - start < 20  # unstopped, hours


@pytest.mark.parametrize(
    "inside",
    [
        "<{{@root.big}}>" * 300,
        "{{upper @root.big}}",
        "\n  {{> lines}}\n" * 100,
        "{{#with @root.big as |b|}}{{> spread b k=1}}{{/with}}",
    ],
    ids=range(4),
)
@pytest.mark.parametrize("escape", [False, True])
def test_long_texts_in_a_loop_take_little_memory(inside: str, escape: bool) -> None:
    template = compile_template("{{#each items}}" + inside + "{{/each}}", partials=DEAR_PARTIALS, escape=escape)
    tracemalloc.start()
    try:
        with pytest.raises(TemplateLimitError):
            template.render(DEAR_CONTEXT)
        assert tracemalloc.get_traced_memory()[1] < 200_000_000
    finally:
        tracemalloc.stop()
