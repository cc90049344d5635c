"""Handlebars engine against jinja2's sandbox and hand-written Python, on equal bytes: `python -m bench.handlebars`."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2.sandbox import ImmutableSandboxedEnvironment

from bench.common import QUICK, race
from formats.handlebars import CONTEXT_HELPERS, compile_template
from formats.handlebars.engine import Compiler

SEED_TEMPLATE = Path(__file__).resolve().parents[1] / ".." / "shared" / "data" / "serene_pub" / "seed_template.hbs"
WORDS = "the ferry is late and nobody on the quay would say why, so we waited under the lamp until the tide turned"

CHATML = "{{#each messages}}<|im_start|>{{role}}\n{{{content}}}<|im_end|>\n{{/each}}<|im_start|>assistant\n"
CHATML_JINJA = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "<|im_start|>assistant\n"
)
PARAMS = (
    '{{#each messages as |message index|}}{{#if (eq message.role "user")}}[INST] {{message.content}} [/INST]'
    '{{else if (eq message.role "assistant")}} {{message.content}}</s>{{else}}<<{{index}}>>{{message.content}}'
    "{{/if}}{{/each}}"
)
PARAMS_JINJA = (
    '{% for message in messages %}{% if message.role == "user" %}[INST] {{ message.content }} [/INST]'
    '{% elif message.role == "assistant" %} {{ message.content }}</s>{% else %}<<{{ loop.index0 }}>>'
    "{{ message.content }}{% endif %}{% endfor %}"
)
SECTIONS = [
    ("currentDate", "The current date in the story is ", ".\n"),
    ("instructions", 'Instructions:\n"""\n', '\n"""\n'),
    ("characters", "Assistant Characters (AI-controlled):\n```json\n", "\n```\n"),
    ("personas", "User Characters (player-controlled):\n```json\n", "\n```\n"),
    ("scenario", 'Scenario:\n"""\n', '\n"""\n'),
    ("worldLore", "World lore:\n```json\n", "\n```\n"),
    ("history", "Story history:\n```json\n", "\n```\n"),
    ("narrativeGraph", "Story relationships:\n```json\n", "\n```\n"),
]
REMINDERS = [
    ("instructions", "Response reminder:\n```text\n"),
    ("charInstructions", "Character reminder:\n```text\n"),
    ("exampleDialogue", "Example dialogue:\n```text\n"),
]
SERENE_JINJA = (
    "".join(f"{{% if {name} %}}{before}{{{{ {name} }}}}{after}{{% endif %}}\n" for name, before, after in SECTIONS)
    + "\n{% for m in chatMessages %}{% if loop.index0 == postHistory.targetIndex and postHistory.hasContent %}"
    + "".join(
        f"{{% if postHistory.{name} %}}{before}{{{{ postHistory.{name} }}}}\n```\n{{% endif %}}"
        for name, before in REMINDERS
    )
    + '{% endif %}{% if m.role == "assistant" %}{{ m.name }}: {{ m.message }}\n{% endif %}'
    + '{% if m.role == "user" %}{{ m.name }}: {{ m.message }}\n{% endif %}{% endfor %}'
)
TURN = "<|start_header_id|>{{role}}<|end_header_id|>\n\n{{{content}}}<|eot_id|>"


def conversation(count: int = 100) -> list[dict[str, Any]]:
    """Alternating messages of about 300 characters."""
    roles = ["system"] + ["user", "assistant"] * count
    return [{"role": roles[number], "content": f"{number}. {WORDS} {WORDS} {WORDS}"} for number in range(count)]


def story(count: int = 100) -> dict[str, Any]:
    """A context of the published default template."""
    chat = [
        {"id": number, "role": "user" if number % 2 else "assistant", "name": "Mira", "message": f"{WORDS} {WORDS}"}
        for number in range(count)
    ]
    reminder = {name: WORDS for name, _ in REMINDERS} | {"targetIndex": count - 2, "hasContent": True}
    return {name: WORDS for name, _, _ in SECTIONS} | {"chatMessages": chat, "postHistory": reminder}


def jinja(source: str) -> Callable[..., str]:
    """jinja2's sandbox, compiled once."""
    return ImmutableSandboxedEnvironment(keep_trailing_newline=True).from_string(source).render


def bench_loops() -> None:
    """The three conversations of 100 messages."""
    messages = {"messages": conversation()}
    for title, ours, theirs in (("ChatML loop", CHATML, CHATML_JINJA), ("block parameters", PARAMS, PARAMS_JINJA)):
        render, other = compile_template(ours).render, jinja(theirs)
        race(
            f"{title}, 100 messages",
            {
                "jinja2 sandbox": lambda other=other: other(messages),
                "handlebars": lambda render=render: render(messages),
            },
            "jinja2 sandbox",
        )
    if not SEED_TEMPLATE.exists():
        print("\nskipped: the published default template is not here (../shared/data/serene_pub)")
        return
    context = story()
    template = compile_template(SEED_TEMPLATE.read_text("utf-8"), CONTEXT_HELPERS)
    other = jinja(SERENE_JINJA)
    race(
        "published default context template, 100 messages",
        {"jinja2 sandbox": lambda: other(context), "handlebars": lambda: template.render(context)},
        "jinja2 sandbox",
    )
    race(
        "the same, with its regions",
        {"render": lambda: template.render(context), "regions": lambda: template.regions(context)},
        "render",
        same=False,
    )


def bench_plain() -> None:
    """A template of literals and plain variables against a join written by hand."""
    messages = conversation()
    message = messages[1]
    render = compile_template(TURN).render

    def by_hand(message: dict[str, Any]) -> str:
        return "".join(
            ("<|start_header_id|>", message["role"], "<|end_header_id|>\n\n", message["content"], "<|eot_id|>")
        )

    race(
        "literals and plain variables, one message",
        {"join by hand": lambda: by_hand(message), "handlebars": lambda: render(message)},
        "join by hand",
    )
    race(
        "literals and plain variables, 100 messages",
        {
            "join by hand": lambda: "".join([by_hand(message) for message in messages]),
            "handlebars": lambda: "".join([render(message) for message in messages]),
        },
        "join by hand",
    )


def bench_compile() -> None:
    """Parse and compile, without the cache."""
    sources = {"ChatML loop": CHATML, "one turn": TURN}
    if SEED_TEMPLATE.exists():
        sources["published default"] = SEED_TEMPLATE.read_text("utf-8")
    compiler = Compiler(CONTEXT_HELPERS)
    for title, source in sources.items():
        race(
            f"compile: {title}",
            {"handlebars": lambda source=source: compiler.compile(source)},
            "handlebars",
            same=False,
        )


def bench_memory(count: int = 1_000 if QUICK else 10_000) -> None:
    """What many compiles leave behind."""
    compiler = Compiler()
    compiler.compile(TURN)
    modules = len(sys.modules)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for number in range(count):
        compiler.compile(f"{{{{a{number}}}}}x")
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"\n{count:,} compiles: {len(sys.modules) - modules} modules, {(after - before) / 1024:.0f} KB left")


if __name__ == "__main__":
    bench_loops()
    bench_plain()
    bench_compile()
    bench_memory()
