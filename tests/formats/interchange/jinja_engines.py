"""Both Jinja engines on one conversation, and our own renderer beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from formats.interchange.jinja_out import chat_template
from formats.jinja.child.failure import Failure
from formats.jinja.child.python import PythonTemplate
from formats.jinja.child.rust import RustTemplate
from formats.jinja.child.values import clock
from formats.jinja.probes import PROBES, Probe
from formats.prompt import InstructFormat, Message, PromptError, render

SKILLS = ({"name": "fish", "description": "Casts <a> net."}, {"name": "row", "description": ""})
REFUSED = "refused"


def ours(fmt: InstructFormat, probe: Probe, skills: Sequence[Any] = ()) -> str:
    """What our renderer makes of a probe."""
    options = {"thinking": probe.thinking, "now": probe.now}
    try:
        messages = Message.read_all([dict(message) for message in probe.messages])
        return render(
            fmt, messages, tools=probe.tools, skills=skills, add_generation_prompt=probe.generate, options=options
        ).text
    except PromptError:
        return REFUSED


def theirs(source: str, probe: Probe, skills: Sequence[Any] = ()) -> dict[str, str]:
    """What each engine makes of it."""
    variables = probe.variables("", "") | {"skills": list(skills) or None}
    texts = {}
    for template in (PythonTemplate(source), RustTemplate(source)):
        try:
            text = template.render(json.loads(json.dumps(variables)) | clock(probe.now))
        except Failure as failure:
            text = REFUSED if failure.kind == "refused" else f"{failure.kind}: {failure.message}"
        texts[type(template).__name__] = text
    return texts


def differences(fmt: InstructFormat, probes: Sequence[Probe] = PROBES) -> Iterator[tuple[str, str, str, str]]:
    """Probe, engine, our text and the engine's, where they differ."""
    source, _ = chat_template(fmt)
    engines = {"jinja2": PythonTemplate(source), "minijinja": RustTemplate(source)}
    for probe in probes:
        for skills in ((), SKILLS) if fmt.skills is not None else ((),):
            expected = ours(fmt, probe, skills)
            variables = json.dumps(probe.variables("", "") | {"skills": list(skills) or None})
            for name, template in engines.items():
                try:
                    text = template.render(json.loads(variables) | clock(probe.now))
                except Failure as failure:
                    text = REFUSED if failure.kind == "refused" else f"{failure.kind}: {failure.message}"
                if text != expected:
                    yield probe.name, name, expected, text
