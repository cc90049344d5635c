"""Compiling and rendering from many threads at once; and what ten thousand compiles leave behind."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import tracemalloc
from pathlib import Path

import pybars
from pymeta.runtime import InputStream

from formats.handlebars import compile_template
from formats.handlebars.engine import Compiler
from formats.handlebars.grammar import grammar_class

ROOT = Path(__file__).resolve().parents[3]
THREADS, ROUNDS, COMPILED_EACH = 8, 10_000, 400


def test_eight_threads_never_mix() -> None:
    """80,000 renders of 16 templates that change hands, with 3,200 compiles of new ones between them."""
    wrong: list[str] = []
    start = threading.Barrier(THREADS)
    compiler = Compiler()

    def work(number: int) -> None:
        start.wait()
        for turn in range(ROUNDS):
            mark = f"{number}.{turn}"
            shared = compile_template("%d<{{#each a}}{{this}}{{@index}}{{/each}}>" % (turn % 16))  # noqa: UP031
            if shared.render({"a": [mark]}) != f"{turn % 16}<{mark}0>":
                wrong.append(mark)
            if turn % (ROUNDS // COMPILED_EACH) == 0:
                own = compiler.compile(mark + "{{#if x}}" + mark + "{{y}}{{/if}}")
                if own({"x": 1, "y": mark}) != mark * 3:
                    wrong.append(mark)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert wrong == []


def test_ten_thousand_compiles_leave_no_module_and_less_than_a_megabyte() -> None:
    compiler = Compiler()
    compiler.compile("{{warm}}")
    gc.collect()
    modules = set(sys.modules)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for number in range(10_000):
            # One in ten with tags: parsing under tracemalloc is slow. `bench/handlebars.py` has them in all.
            compiler.compile(f"x{number}" if number % 10 else "x{{#if a}}{{b%d}}{{/if}}" % number)  # noqa: UP031
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert set(sys.modules) == modules
    assert after - before < 1024 * 1024


def test_the_grammar_is_built_once_however_many_ask_first() -> None:
    script = """
import threading
from formats.handlebars import compile_template, grammar
assert not grammar._built
texts = []
threads = [threading.Thread(target=lambda: texts.append(compile_template("{{a}}!").render({"a": 1}))) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert texts == ["1!"] * 8 and len(grammar._built) == 1, (texts, grammar._built)
"""
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, timeout=60)


def test_what_is_used_of_pybars_is_there() -> None:
    """The private names this engine builds on: what to look at before moving pybars3's pin."""
    stock = pybars.Compiler._handlebars
    for rule in ("expression_inner", "arguments", "subexpression", "partial_inner", "kwliteral", "partialname"):
        assert hasattr(stock, f"rule_{rule}"), rule
    assert issubclass(grammar_class(), stock)
    for inherited in ("expression_inner", "arguments", "partial_inner"):
        assert getattr(grammar_class(), f"rule_{inherited}") is getattr(stock, f"rule_{inherited}")
    assert InputStream("abc", 1).head()[0] == "b"
    assert issubclass(Compiler, pybars.Compiler)
