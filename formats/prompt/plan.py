"""The turn plan: from messages to labelled turns, then to segments. Its text is the join of its segments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from formats.prompt.alternation import alternate
from formats.prompt.errors import RENDER_REFUSED, Fault, RenderRefused
from formats.prompt.facts import Places, date_text, request_facts
from formats.prompt.fill import fill
from formats.prompt.findings import Finding, Severity
from formats.prompt.lost_names import lost_names
from formats.prompt.message import Message
from formats.prompt.options import KEEP, RenderSettings
from formats.prompt.reading import read_turns
from formats.prompt.segments import Segment
from formats.prompt.skills import skills_section
from formats.prompt.special_tokens import guarded, refuse_straddling, token_findings
from formats.prompt.system_policy import arrange_system, fold
from formats.prompt.tools import calls_section, catalogue, tools_section
from formats.prompt.turns import Turn, content, markup

if TYPE_CHECKING:
    from formats.prompt.compiled import CompiledFormat


class Plan:
    """The careful path: every policy of the format, every finding. `segments` is the result."""

    def __init__(self, compiled: CompiledFormat, messages: Sequence[Message], settings: RenderSettings) -> None:
        self.compiled = compiled
        self.settings = settings
        self.notes: list[Finding] = []
        self.system_tools: list[Segment] = []
        self.system_skills: list[Segment] = []
        self.media: list[dict[str, Any]] = []
        self.has_system = False
        self.date = date_text(self)
        turns = self._arranged(messages)
        self.segments = self._segments(turns, messages)
        self._close(messages)

    def guard(self, text: str, path: str) -> str:
        """`text` as the policy for special tokens lets it in."""
        safe = guarded(text, self.compiled.tokens, self.settings.special_token_policy, path)
        if safe != text:
            self.note("info", "SPECIAL_TOKEN_ESCAPED", "A special token in content was made harmless.", path)
        return safe

    def note(self, severity: Severity, code: str, message: str, path: str) -> None:
        """Remember a finding."""
        self.notes.append(Finding(severity, code, message, path))

    def _arranged(self, messages: Sequence[Message]) -> list[Turn]:
        read = read_turns(self, messages)
        # Known before the tools are written: their section may ask for it.
        self.has_system = any(turn.role == "system" for turn in read)
        self._place_in_system()
        turns, folded = arrange_system(self, read)
        # Merged first, then folded: the system text stands before the whole last user turn (mistral-common v3).
        turns = alternate(self, turns)
        if folded is not None:
            turns = fold(self, turns, folded)
        turns = self._with_tools(turns)
        self._choose_frames(turns)
        return turns

    def _tools(self) -> list[Segment]:
        return tools_section(self.compiled, self.settings.tools, self.guard, request_facts(self))

    def _place_in_system(self) -> None:
        spec, settings = self.compiled.tools, self.settings
        if settings.tools and spec.placement == "system":
            if self.compiled.has_system_slot("tools"):
                self.system_tools = self._tools()
            else:
                self._lost("TOOLS_NOT_PLACED", "tools")
        if settings.skills:
            if self.compiled.has_system_slot("skills"):
                self.system_skills = skills_section(self.compiled, settings.skills, self.guard, request_facts(self))
            else:
                self._lost("SKILLS_NOT_PLACED", "skills")

    def _lost(self, code: str, what: str) -> None:
        self.note("warning", code, f"The format has no place for {what}: they are not in the prompt.", what)

    def _with_tools(self, turns: list[Turn]) -> list[Turn]:
        spec, tools = self.compiled.tools, self.settings.tools
        if not tools or spec.placement == "system":
            return turns
        if spec.placement == "separate":
            at = 1 if turns and turns[0].role == "system" else 0
            return [*turns[:at], Turn("system", self._tools()), *turns[at:]]
        users = [turn for turn in turns if turn.role == "user"]
        if not users:
            self._tools_without_user(turns)
            return turns
        target = users[0 if spec.placement == "first_user" else -1]
        if spec.user_with is not None:
            # The catalogue without its section, as chat_bricks' `user_template_with_tools` gets it.
            target.path, target.tools = "tools.userWith", catalogue(self.compiled, tools, self.guard)
        else:
            target.tools = self._tools()
        return turns

    def _tools_without_user(self, turns: list[Turn]) -> None:
        """No turn of the user's to put the tools into: the system turn takes them, where it has a place."""
        if turns and turns[0].role == "system" and self.compiled.frames["system"].uses("tools"):
            turns[0].tools = self._tools()
        else:
            self._lost("TOOLS_NOT_PLACED", "tools")

    def _choose_frames(self, turns: list[Turn]) -> None:
        for role, name in (("user", "User"), ("assistant", "Assistant")):
            own = [turn for turn in turns if turn.role == role]
            if own:
                self._choose(own[0], f"variants.first{name}")
                self._choose(own[-1], f"variants.last{name}")
        if turns and turns[-1].role == "assistant" and not turns[-1].is_open:
            self._choose(turns[-1], "variants.lastAssistantClosed")
        for turn in turns:
            turn.path = turn.path or turn.role

    def _choose(self, turn: Turn, path: str) -> None:
        if path in self.compiled.frames and turn.path != "tools.userWith":
            turn.path = path

    def _segments(self, turns: list[Turn], messages: Sequence[Message]) -> list[Segment]:
        fmt = self.compiled.format
        out = [markup(fmt.prefix, "prefix")]
        if self.settings.bos == "keep":
            out.append(markup(fmt.bos, "bos"))
        places, calls_before = Places(self, turns), 0
        for at, turn in enumerate(turns):
            if at:
                out.append(markup(fmt.separator, "separator"))
            out += self._framed(turn, places, at, calls_before)
            calls_before += len(turn.tool_calls)
        if self.settings.add_generation_prompt and not self.settings.continue_final_message:
            suffix = self._generation_prompt(messages, turns)
            if suffix and turns:
                out.append(markup(fmt.separator, "separator"))
            out += suffix
        elif not self.settings.continue_final_message:
            out.append(markup(self.compiled.closing, "promptSuffixVariants.closed"))
        out.append(content(self.guard(self.settings.prefill, "prefill"), "prefill"))
        return [segment for segment in out if segment.text]

    def _framed(self, turn: Turn, places: Places, at: int, calls_before: int) -> list[Segment]:
        frame, fmt = self.compiled.frame(turn.path), self.compiled.format
        calls: list[Segment] = []
        if turn.tool_calls and turn.role == "assistant":
            calls = calls_section(self.compiled, turn, self.guard, before=calls_before)
        inside = {
            "content": turn.pieces, "tools": turn.tools, "skills": turn.skills, "toolCalls": calls,
            "reasoning": turn.reasoning,
        }  # fmt: skip
        others = {"role": turn.role, "name": turn.name}
        if frame.asks_for_facts:
            others |= places.of(at)
        framed = fill(frame, inside, others, index=turn.index, is_open=turn.is_open)
        if calls and not frame.uses("toolCalls"):
            self._lost("TOOL_CALLS_NOT_PLACED", "tool calls")
        if turn.tools and not frame.uses("tools"):
            self._lost("TOOLS_NOT_PLACED", "tools")
        self._note_lost_content(turn, framed)
        if turn.role == "assistant" and not turn.is_open:
            framed.append(markup(fmt.eos, "eos", turn.index))
        return framed

    def _note_lost_content(self, turn: Turn, framed: list[Segment]) -> None:
        given = any(piece.kind == "content" and piece.text.strip() for piece in turn.pieces)
        if given and not any(segment.kind == "content" for segment in framed):
            what = f"The template {turn.path!r} does not print the content."
            self.note("error", "CONTENT_LOST", what, _path_of(turn))

    def _generation_prompt(self, messages: Sequence[Message], turns: list[Turn]) -> list[Segment]:
        fmt = self.compiled.format
        last = turns[-1].role if turns else ""
        out = [markup(self.compiled.suffix(self.settings.thinking, last), "promptSuffix")]
        if fmt.names == "prefix":
            own = self.settings.speaker
            speaker = _last_speaker(messages) if own is None else own
            gap = " " if self.settings.prefill and not self.settings.prefill[0].isspace() else ""
            if speaker:
                out += [content(f"{self.guard(speaker, 'speaker')}:", "name"), markup(gap, "names")]
        return [segment for segment in out if segment.text]

    def _close(self, messages: Sequence[Message]) -> None:
        for index, message in enumerate(messages):
            self.notes.extend(message.findings(f"messages[{index}]"))
        if self.compiled.drops_names:
            self.notes.extend(lost_names(messages))
        if self.settings.special_token_policy != KEEP:
            refuse_straddling(self.segments, self.compiled.tokens)
        if self.settings.strict:
            self._refuse_findings()

    def _refuse_findings(self) -> None:
        found = [*self.notes, *token_findings(self.segments, self.compiled.tokens)]
        faults = [Fault(note.path, note.message, RENDER_REFUSED) for note in found if note.severity != "info"]
        if faults:
            raise RenderRefused(faults)


def _path_of(turn: Turn) -> str:
    return turn.path if turn.index is None else f"messages[{turn.index}]"


def _last_speaker(messages: Sequence[Message]) -> str | None:
    return next((message.name for message in reversed(messages) if message.role == "assistant" and message.name), None)
