"""The `tests` of a format document as calls of `render`: messages and keyword arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.prompt.document import InstructFormat
from formats.prompt.errors import Fault, FormatError, MessageError, PromptError
from formats.prompt.message import Message
from formats.prompt.options import read_options
from formats.prompt.sections import FormatTest

# The request's names for `render`'s arguments; whatever else a test says is one of its options.
_ARGUMENTS: Final[Mapping[str, tuple[str, type, str]]] = {
    "addGenerationPrompt": ("add_generation_prompt", bool, "true or false"),
    "continueFinalMessage": ("continue_final_message", bool, "true or false"),
    "assistantPrefill": ("prefill", str, "a string"),
    "prefill": ("prefill", str, "a string"),
    "tools": ("tools", list, "an array"),
    "skills": ("skills", list, "an array"),
}
_SPELLINGS: Final = {name: key for key, (name, _, _) in _ARGUMENTS.items()}


def read_case(test: FormatTest) -> tuple[list[Message], dict[str, Any]]:
    """The messages and arguments of one test; MessageError located inside the test."""
    faults: list[Fault] = []
    messages: list[Message] = []
    try:
        messages = Message.read_all(list(test.messages))
    except MessageError as error:
        faults.extend(error.faults)
    arguments: dict[str, Any] = {}
    options: dict[str, Any] = {}
    for key, value in test.options.items():
        known = _ARGUMENTS.get(key) or _ARGUMENTS.get(_SPELLINGS.get(key, ""))
        if known is None:
            options[key] = value
            continue
        name, kind, words = known
        if not isinstance(value, kind):
            faults.append(Fault(f"options.{key}", f"must be {words}"))
        elif name in arguments:
            faults.append(Fault(f"options.{key}", "is given in two spellings"))
        arguments[name] = value
    try:
        read_options(options)
    except MessageError as error:
        faults.extend(error.faults)
    if faults:
        raise MessageError(faults)
    return messages, arguments | {"options": options}


def check_cases(fmt: InstructFormat) -> None:
    """FormatError for every test that can not be run."""
    faults: list[Fault] = []
    for index, test in enumerate(fmt.tests):
        try:
            read_case(test)
        except PromptError as error:
            faults.extend(fault.within(f"tests[{index}]") for fault in error.faults)
    if faults:
        raise FormatError(faults)
