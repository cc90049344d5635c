"""Building the hot path of a format: which conversations it takes, and the joints between their contents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from formats.prompt.hot import AFTER, BEFORE, CLOSED, GENERATE, NEITHER, OPEN, HotPath, Joint, Label, LabelRow, TextRow
from formats.prompt.hot_frames import Around, Texts, around_by_neighbours
from formats.prompt.message_input import ROLES

if TYPE_CHECKING:
    from formats.prompt.compiled import CompiledFormat
    from formats.prompt.document import InstructFormat

_FOLDS: Final[Mapping[str, str]] = {"fold_first_user": "first", "fold_last_user": "last"}
_START: Final = ""


def build_hot(compiled: CompiledFormat, *, bos: bool) -> HotPath | None:
    """The hot path, or None for a format that always needs the careful one."""
    fmt = compiled.format
    if (
        fmt.chat_template is not None
        or fmt.processors
        or fmt.names == "prefix"
        or any(p.startswith("variants.") for p in compiled.frames)
    ):
        return None
    around = {role: found for role in ROLES if (found := _around(compiled, role)) is not None}
    if compiled.has_tool_results:
        around.pop("tool", None)
    folds = _FOLDS.get(fmt.system_policy.first) if fmt.system_policy.wrap is None else None
    joints = _joints(fmt, around, bos=bos, opens=folds is None)
    strips = frozenset(role for role in ROLES if getattr(fmt.trim, role))
    ends = _ends(compiled, around, bos=bos)
    labels = _rows(joints, around)
    return HotPath(
        texts=_texts(labels, strips),
        labels=labels[_START],
        ends=ends,
        end_texts={ending: {role: joint.text for role, joint in row.items()} for ending, row in ends.items()},
        merges=fmt.alternation == "merge",
        folds=folds,
        separator=fmt.merge_separator,
        strips=strips,
        needs_text=frozenset(role for role, found in around.items() if found.needs_text),
        mark=fmt.reasoning.end.strip() if fmt.reasoning is not None and fmt.reasoning.parse is not None else "",
    )


def _around(compiled: CompiledFormat, role: str) -> Around | None:
    frame = compiled.frames[role]
    if frame.template.folded is None:
        return around_by_neighbours(frame, role)
    pair = frame.around(role)
    return Around.constant(pair) if pair is not None else None


def _joint(labels: Iterable[Label], *, is_merge: bool = False) -> Joint:
    kept = tuple(label for label in labels if label[0])
    return Joint("".join(text for text, _, _ in kept), kept, is_merge)


def _head(fmt: InstructFormat, *, bos: bool) -> list[Label]:
    return [(fmt.prefix, "prefix", NEITHER), (fmt.bos if bos else "", "bos", NEITHER)]


def _closing(fmt: InstructFormat, around: Mapping[str, Around], role: str, behind: str) -> list[Label]:
    eos = fmt.eos if role == "assistant" else ""
    return [*((text, role, BEFORE) for text in around[role].closings[behind]), (eos, "eos", BEFORE)]


def _joints(
    fmt: InstructFormat, around: Mapping[str, Around], *, bos: bool, opens: bool
) -> dict[tuple[str, str], Joint]:
    joints: dict[tuple[str, str], Joint] = {}
    for after in around:
        first = around[after].openings.get(_START)
        if first is not None and _may_open(fmt, after, opens=opens):
            joints[_START, after] = _joint([*_head(fmt, bos=bos), *_opening(first, after)])
        for before in around:
            if before == after and before in ("user", "assistant") and fmt.alternation != "none":
                if fmt.alternation == "merge":
                    joints[before, after] = _joint([(fmt.merge_separator, "mergeSeparator", NEITHER)], is_merge=True)
            elif _may_follow(fmt, before, after) and _are_settled(around, before, after):
                opening = [(fmt.separator, "separator", NEITHER), *_opening(around[after].openings[before], after)]
                joints[before, after] = _joint([*_closing(fmt, around, before, after), *opening])
    return joints


def _opening(texts: Texts, role: str) -> list[Label]:
    return [(text, role, AFTER) for text in texts]


def _are_settled(around: Mapping[str, Around], before: str, after: str) -> bool:
    return after in around[before].closings and before in around[after].openings


def _may_open(fmt: InstructFormat, role: str, *, opens: bool) -> bool:
    """A conversation that begins with `role` needs no system turn added, and no policy but `block`."""
    if role == "system":
        return opens and fmt.system_policy.first == "block"
    if fmt.default_system is not None:
        return False
    return role != "assistant" or fmt.alternation not in ("filler", "error")


def _may_follow(fmt: InstructFormat, before: str, after: str) -> bool:
    if after == "system":
        return fmt.system_policy.later == "block"
    return not (after == "assistant" and before == "system" and fmt.alternation in ("filler", "error"))


def _ends(compiled: CompiledFormat, around: Mapping[str, Around], *, bos: bool) -> dict[str, dict[str, Joint]]:
    """What follows the last content, by ending and role; the role is empty for no message at all."""
    fmt = compiled.format
    finished = {role: _closing(fmt, around, role, CLOSED) for role in around if CLOSED in around[role].closings}
    generate: dict[str, list[Label]] = {}
    for role in around:
        if GENERATE not in around[role].closings:
            continue
        closing = _closing(fmt, around, role, GENERATE)
        suffix = compiled.suffix(None, role)
        separator = fmt.separator if suffix else ""
        generate[role] = [*closing, (separator, "separator", NEITHER), (suffix, "promptSuffix", NEITHER)]
    if fmt.default_system is None:
        finished[_START] = _head(fmt, bos=bos)
        generate[_START] = [*_head(fmt, bos=bos), (compiled.suffix(None), "promptSuffix", NEITHER)]
    mark: Label = (compiled.closing, "promptSuffixVariants.closed", NEITHER)
    closed = {role: [*labels, mark] for role, labels in finished.items()}
    still_open: dict[str, list[Label]] = {"assistant": []} if "assistant" in finished else {}
    endings = {CLOSED: closed, GENERATE: generate, OPEN: still_open}
    return {ending: {role: _joint(labels) for role, labels in row.items()} for ending, row in endings.items()}


def _rows(joints: Mapping[tuple[str, str], Joint], roles: Iterable[str]) -> dict[str, LabelRow]:
    rows: dict[str, LabelRow] = {role: {} for role in (_START, *roles)}
    for (before, after), joint in joints.items():
        rows[before][after] = (joint, rows[after])
    return rows


def _texts(labels: Mapping[str, LabelRow], strips: frozenset[str]) -> TextRow:
    """The same automaton over bare strings."""
    rows: dict[str, TextRow] = {role: {} for role in labels}
    for role, row in labels.items():
        for after, (joint, _) in row.items():
            rows[role][after] = (joint.text, after in strips, rows[after])
    return rows[_START]
