"""Rendering 20 and 100 messages in every built-in, against a Python loop that joins the same strings.

Targets: at most 1.3 times the loop for the text, at most 3 times with segments.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from bench.common import race
from formats.builtin import builtin, builtin_slugs
from formats.prompt import InstructFormat, Message, render

TEXT_TARGET, SEGMENTS_TARGET = 1.3, 3.0
SENTENCE = "The lighthouse keeper climbs the stairs, counts them once more and writes the number down. "


def conversation(count: int) -> list[Message]:
    """A system message, then user and assistant in turn, some 300 characters each."""
    turns = [Message(("user", "assistant")[at % 2], f"{at}: " + SENTENCE * 3) for at in range(count - 1)]
    return [Message("system", "You are a lighthouse keeper."), *turns]


def join_loop(fmt: InstructFormat) -> Callable[[list[Message]], str]:
    """The same prompt by the obvious loop: before, content, after."""
    around = {role: fmt.compiled.frames[role].around(role) or ("", "") for role in ("system", "user", "assistant")}
    before = {role: pair[0] for role, pair in around.items()}
    after = {role: pair[1] + (fmt.eos if role == "assistant" else "") for role, pair in around.items()}
    strips = {role for role in around if getattr(fmt.trim, role)}
    folds = fmt.system_policy.first == "fold_last_user"

    def loop(messages: list[Message]) -> str:
        parts = [fmt.bos]
        if folds:
            system, messages = messages[0], messages[1:]
            last = max(at for at, message in enumerate(messages) if message.role == "user")
        for at, message in enumerate(messages):
            role = message.role
            text = message.text.strip() if role in strips else message.text
            parts.append(before[role])
            if folds and at == last:
                parts.append(f"{system.text}{fmt.merge_separator}")
            parts.append(text)
            parts.append(after[role])
        parts.append(fmt.prompt_suffix)
        return "".join(parts)

    return loop


def main(*, quick: bool) -> int:
    """Race; the exit status is 1 when a target is missed."""
    missed: list[str] = []
    for slug in builtin_slugs():
        fmt = builtin(slug)
        loop = join_loop(fmt)
        for count in (20, 100):
            messages = conversation(count)
            results = race(
                f"{slug}, {count} messages",
                {
                    "join loop": lambda loop=loop, messages=messages: loop(messages),
                    "render": lambda fmt=fmt, messages=messages: render(fmt, messages).text,
                    "render and segments": lambda fmt=fmt, messages=messages: with_segments(fmt, messages),
                },
                "join loop",
                rounds=9 if quick else 41,
                target_seconds=0.002 if quick else 0.005,
            )
            for name, target in (("render", TEXT_TARGET), ("render and segments", SEGMENTS_TARGET)):
                if results[name].ratio > target:
                    missed.append(f"{slug} {count} {name}: {results[name].ratio:.2f} > {target}")
    print("\n" + ("targets missed: " + "; ".join(missed) if missed else "all targets met"))
    return 1 if missed else 0


def with_segments(fmt: InstructFormat, messages: list[Message]) -> str:
    """The text, after its segments were asked for."""
    out = render(fmt, messages)
    assert out.segments
    return out.text


if __name__ == "__main__":
    sys.exit(main(quick="--quick" in sys.argv))
