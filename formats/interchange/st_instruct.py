"""SillyTavern instruct templates in, of every shape from July 2023 on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.interchange.reading import Document, Fields, Loss, Part, Reader, heading, is_object, stem
from formats.interchange.st_sequences import Wrap, filler, stop_strings, suffix_of
from formats.interchange.st_small import REASONING, reasoning_of
from formats.interchange.wording import choice, literal, tokens_in

KIND: Final = "instruct-format"
LABEL: Final = "SillyTavern instruct template"
SEQUENCES: Final = (
    "input_sequence", "output_sequence", "system_sequence", "first_input_sequence", "last_input_sequence",
    "first_output_sequence", "last_output_sequence", "last_system_sequence", "input_suffix", "output_suffix",
    "system_suffix", "stop_sequence", "story_string_prefix", "story_string_suffix", "system_sequence_prefix",
    "system_sequence_suffix", "separator_sequence",
)  # fmt: skip
_WITHOUT_MEANING: Final = {
    "last_system_sequence": "opens the replies that SillyTavern asks for in the background; there are none here",
    "activation_regex": "chooses the template by the model's name; `POST /formats/find` does that here",
    "skip_examples": "a format knows no example dialogue; the prompt config places it",
    "derived": "is a setting of the program, not of the template",
    "bind_to_context": "is a setting of the program, not of the template",
    "enabled": "is a setting of the program, not of the template",
    "preset": "is a setting of the program, not of the template",
    "system_prompt": "is no part of a format: a system prompt comes from a prompt config",
}


def is_instruct(document: Any) -> bool:
    """Return whether `document` is an instruct template."""
    return is_object(document, "input_sequence", "output_sequence")


def split_instruct(document: Any) -> list[Part] | None:
    """Return an older template, which holds its system prompt, as the template and the system prompt."""
    if not is_instruct(document) or not isinstance(document.get("system_prompt"), str):
        return None
    if not document["system_prompt"].strip():
        return None
    name = document["name"] if isinstance(document.get("name"), str) else ""
    rest = {key: value for key, value in document.items() if key != "system_prompt"}
    return [Part(name, rest), Part(name, {"name": name, "content": document["system_prompt"]})]


def read_instruct(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    """Return the format of an instruct template. Raises FormatError for wrong types."""
    return _Reading(document, name).result()


class _Reading:
    """One template being read: `given` holds every sequence, older fields moved to where newer files have them."""

    def __init__(self, document: Mapping[str, Any], name: str) -> None:
        self.fields = Fields(document)
        self.name = self.fields.text("name") or stem(name)
        self.given = {key: self.fields.text(key) for key in SEQUENCES}
        self.shape = Wrap(self.fields.flag("wrap"), self.fields.flag("macro"))
        self.names = self._names()
        self.as_user = self.fields.flag("system_same_as_user")
        self._move_older(document)

    def _names(self) -> str:
        """`always`, `force` (in group chats) or `none`, from the newest field that says it."""
        behavior = self.fields.text("names_behavior")
        always, in_groups = self.fields.flag("names"), self.fields.flag("names_force_groups", default=True)
        if behavior:
            return behavior
        return "always" if always else "force" if in_groups else "none"

    def _move_older(self, document: Mapping[str, Any]) -> None:
        given = self.given
        if given["separator_sequence"] and not given["output_suffix"]:
            given["output_suffix"] = given["separator_sequence"]
        has_suffixes = any(key in document for key in ("input_suffix", "output_suffix", "system_suffix"))
        if not has_suffixes and given["system_sequence"] and not given["system_sequence_prefix"]:
            # July 2023: the field of this name stood before the system prompt.
            given["system_sequence_prefix"], given["system_sequence"] = given["system_sequence"], ""
        opening, output = given["first_output_sequence"], given["output_sequence"]
        if opening and output != opening and output.endswith(opening) and not given["input_suffix"]:
            # Until 2024 a reply's sequence could begin with the end of the user's turn: there it belongs.
            given["input_suffix"] = output.removesuffix(opening)
            last = given["last_output_sequence"]
            given["last_output_sequence"] = last.removeprefix(given["input_suffix"])
            given["output_sequence"], given["first_output_sequence"] = opening, ""

    def result(self) -> tuple[Document, list[Loss]]:
        given = self.given
        document = heading(KIND, 2, self.name, "SillyTavern template")
        user = self.shape.template(given["input_sequence"], given["input_suffix"], "user")
        system = self._system(document)
        document |= {
            "system": system,
            "user": user,
            "assistant": self.shape.template(given["output_sequence"], given["output_suffix"], "assistant"),
            "tool": user if self.as_user else system,
            "promptSuffix": self._prompt_suffix(),
            "names": self._names_field(),
            "stopStrings": self._stops(),
            "specialTokens": tokens_in(given.values()),
        }
        self._positions(document)
        self._filler(document)
        self._note_macros()
        self.fields.lose_unless_empty(_WITHOUT_MEANING)
        reasoning = self.fields.raw(REASONING)
        if isinstance(reasoning, Mapping):
            document["reasoning"] = reasoning_of(reasoning)
        return document, self.fields.finish("is no field of an instruct template that is known here")

    def _system(self, document: Document) -> str:
        """The frame of system messages: what stands around the story, and what around those inside a chat."""
        given, shape = self.given, self.shape
        inside = shape.template(given["system_sequence"], given["system_suffix"], "system")
        if self.as_user:
            document["systemPolicy"] = {"later": "as_user"}
        opening = self._around_story()
        if opening is None:
            if not given["system_sequence"] and self.as_user:
                document["systemPolicy"] = {"first": "as_user", "later": "as_user"}
            return inside
        if self.as_user or opening == inside:
            return opening
        return choice("first", opening, inside)

    def _around_story(self) -> str | None:
        """The frame of the text that opens a chat; None where the file leaves it to the context template."""
        given, shape = self.given, self.shape
        before, after = given["story_string_prefix"], given["story_string_suffix"]
        if before or after:
            return shape.template(before, after, "system")
        before, after = given["system_sequence_prefix"], given["system_sequence_suffix"]
        if (not before and not after) or before == given["system_sequence"]:
            return None
        closing = (shape.joint + after if after else "") + ("" if after.endswith("\n") else shape.joint)
        opening = shape.sequence(before, "system").source + (shape.joint if before else "")
        return opening + "{{{content}}}" + literal(closing, after=True)

    def _prompt_suffix(self) -> str:
        given, shape = self.given, self.shape
        key = "last_output_sequence" if given["last_output_sequence"] else "output_sequence"
        sequence = shape.sequence(given[key], "assistant")
        with_name = self.names == "always"
        if sequence.names:
            self.fields.lose(key, "the text that asks for a reply is literal: the speaker's name is left out of it")
        if key == "last_output_sequence" and given[key] != given["output_sequence"]:
            self.fields.lose(key, "opens a new reply; one that is continued keeps output_sequence")
        blank = filler(given["output_sequence"], given["last_output_sequence"]) if with_name else ""
        suffix = suffix_of(sequence.text, given["input_suffix"], wrap=shape.wrap, with_name=with_name)
        return suffix + blank

    def _names_field(self) -> str:
        uses = any(
            self.shape.sequence(self.given[key], role).names
            for key in SEQUENCES for role in ("user", "assistant")
        )  # fmt: skip
        if self.names == "force":
            key = "names_behavior" if self.fields.raw("names_behavior") else "names_force_groups"
            if self.fields.raw(key) is not None:
                self.fields.lose(key, "names are written before texts in group chats alone; here they are not")
        return "prefix" if self.names == "always" else "template" if uses else "none"

    def _stops(self) -> list[str]:
        given = self.given
        turns = ("input_sequence", "output_sequence", "first_output_sequence", "last_output_sequence")
        others = [given[key] for key in (*turns, "system_sequence", "last_system_sequence")]
        if not self.fields.flag("sequences_as_stop_strings", default=True):
            others = []
        return stop_strings(given["stop_sequence"], others, self.shape)

    def _positions(self, document: Document) -> None:
        """First and last sequences; the first ones stand where a chat opens with their role."""
        given, shape, variants = self.given, self.shape, {}
        for side, role, suffix in (("input", "user", "input_suffix"), ("output", "assistant", "output_suffix")):
            first = given[f"first_{side}_sequence"]
            if first and first != given[f"{side}_sequence"]:
                opening = shape.template(first, given[suffix], role)
                variants[f"first{role.capitalize()}"] = choice("(eq index 0)", opening, document[role])
        last = given["last_input_sequence"]
        if last and last != given["input_sequence"]:
            variants["lastUser"] = shape.template(last, given["input_suffix"], "user")
        if variants:
            document["variants"] = variants

    def _filler(self, document: Document) -> None:
        text = self.fields.text("user_alignment_message")
        if not text:
            return
        document |= {"alternation": "filler", "fillerUser": text}
        reason = "stands before every reply that no user turn precedes, and turns of one role are joined"
        self.fields.lose("user_alignment_message", reason)

    def _note_macros(self) -> None:
        roles = {"input": "user", "output": "assistant"}
        for key, text in self.given.items():
            role = next((role for part, role in roles.items() if f"{part}_s" in key), "system")
            lost = self.shape.sequence(text, role).lost
            if lost and self.fields.raw(key):
                self.fields.lose(key, f"{', '.join(dict.fromkeys(lost))} has no value in a format and is left out")


READERS: Final = (Reader(KIND, LABEL, "sillytavern", is_instruct, read_instruct),)
