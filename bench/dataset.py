"""Rendering a data set: `manage.py render_dataset`'s rows beside transformers' apply_chat_template and chat_bricks.

Every contender reads the same lines of JSON and writes the same lines of JSON, one process each. The layout is ChatML.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "neotavern.settings")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
django.setup()

import orjson  # noqa: E402

from bench.common import QUICK, Contender, race  # noqa: E402
from chats.services.dataset.plan import DatasetPlan  # noqa: E402
from chats.services.dataset.rows import RowRenderer  # noqa: E402
from chats.services.dataset.run import render_file  # noqa: E402
from formats.builtin import builtin_document  # noqa: E402

JINJA = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
PLAN = DatasetPlan(document=builtin_document("chatml"))
ROWS = 100 if QUICK else 400


def rows(turns: int) -> list[bytes]:
    """Lines of so many exchanges under a system message."""
    made = []
    for number in range(ROWS):
        messages = [{"role": "system", "content": f"You keep ferry {number}."}]
        for turn in range(turns):
            messages.append({"role": "user", "content": f"Question {turn} of {number}? " + "word " * 30})
            messages.append({"role": "assistant", "content": f"Answer {turn}. " + "text " * 40})
        made.append(orjson.dumps({"id": number, "messages": messages}))
    return made


def ours(lines: list[bytes]) -> Contender:
    renderer = RowRenderer(PLAN)
    return lambda: renderer.chunk(1, lines).lines


def rewritten(lines: list[bytes], render: Any) -> bytes:
    """What a script around a renderer does."""
    out = []
    for line in lines:
        row = orjson.loads(line)
        out.append(orjson.dumps({"id": row["id"], "text": render(row["messages"])}) + b"\n")
    return b"".join(out)


def with_transformers(lines: list[bytes]) -> Contender | None:
    try:
        from tokenizers import Tokenizer, models
        from transformers import PreTrainedTokenizerFast
    except ImportError:
        print("transformers is not installed: left out")
        return None
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.BPE()))
    tokenizer.chat_template = JINJA
    return lambda: rewritten(lines, lambda messages: tokenizer.apply_chat_template(messages, tokenize=False))


def with_chat_bricks(lines: list[bytes]) -> Contender | None:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            from chat_bricks import Chat, Template, register_template
    except ImportError:
        print("chat_bricks is not installed: left out")
        return None
    with contextlib.suppress(AssertionError):  # registered by an earlier file
        register_template(
            Template(
                name="bench-chatml",
                system_template="<|im_start|>system\n{system_message}<|im_end|>\n",
                user_template="<|im_start|>user\n{content}<|im_end|>\n",
                assistant_template="<|im_start|>assistant\n{content}<|im_end|>\n",
                stop_words=["<|im_end|>"],
            )
        )
    return lambda: rewritten(lines, lambda messages: Chat("bench-chatml", messages).prompt())


def main() -> None:
    logging.disable(logging.WARNING)
    for turns in (1, 10):
        lines = rows(turns)
        made = {
            "render_dataset": ours(lines),
            "transformers apply_chat_template": with_transformers(lines),
            "chat_bricks": with_chat_bricks(lines),
        }
        contenders = {name: contender for name, contender in made.items() if contender is not None}
        results = race(
            f"{ROWS} rows of {2 * turns + 1} messages, JSON lines to JSON lines",
            contenders,
            "render_dataset",
            rounds=5 if QUICK else 11,
        )
        for result in results.values():
            print(f"  {result.name:<34}{ROWS / result.median:12,.0f} rows a second, one process")
    processes()


def processes() -> None:
    """The command itself: a whole file with one process and with one for each core."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "in.jsonl"
        source.write_bytes(b"\n".join(rows(10) * (5 if QUICK else 50)))
        for count in sorted({1, os.cpu_count() or 1}):
            started = time.perf_counter()
            made = render_file(PLAN, source, Path(folder) / f"out-{count}.jsonl", processes=count)
            taken = time.perf_counter() - started
            rate = made.rows / taken
            print(f"  a file of {made.rows:,} rows, processes: {count}, start included: {rate:,.0f} rows a second")


if __name__ == "__main__":
    main()
