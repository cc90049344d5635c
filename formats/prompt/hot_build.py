"""Building the hot path of a format: which conversations it takes, and the joints between their contents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from formats.prompt.hot import AFTER, BEFORE, CLOSED, GENERATE, NEITHER, OPEN, HotPath, Joint, Label, LabelRow, TextRow
from formats.prompt.message_input import ROLES
from formats.prompt.plain import EMPTY_IN_PLAIN

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
    empty = EMPTY_IN_PLAIN if fmt.reasoning is None or fmt.reasoning.parse is None else EMPTY_IN_PLAIN - {"reasoning"}
    around = {role: pair for role in ROLES if (pair := compiled.frames[role].around(role, empty)) is not None}
    if fmt.reasoning is not None and fmt.reasoning.parse is not None:
        around.pop("assistant", None)  # its content may hold reasoning
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
    )


def _joint(labels: Iterable[Label], *, is_merge: bool = False) -> Joint:
    kept = tuple(label for label in labels if label[0])
    return Joint("".join(text for text, _, _ in kept), kept, is_merge)


def _head(fmt: InstructFormat, *, bos: bool) -> list[Label]:
    return [(fmt.prefix, "prefix", NEITHER), (fmt.bos if bos else "", "bos", NEITHER)]


def _closing(fmt: InstructFormat, around: Mapping[str, tuple[str, str]], role: str) -> list[Label]:
    eos = fmt.eos if role == "assistant" else ""
    return [(around[role][1], role, BEFORE), (eos, "eos", BEFORE)]


def _joints(
    fmt: InstructFormat, around: Mapping[str, tuple[str, str]], *, bos: bool, opens: bool
) -> dict[tuple[str, str], Joint]:
    joints: dict[tuple[str, str], Joint] = {}
    for after in around:
        if _may_open(fmt, after, opens=opens):
            joints[_START, after] = _joint([*_head(fmt, bos=bos), (around[after][0], after, AFTER)])
        for before in around:
            if before == after and before in ("user", "assistant") and fmt.alternation != "none":
                if fmt.alternation == "merge":
                    joints[before, after] = _joint([(fmt.merge_separator, "mergeSeparator", NEITHER)], is_merge=True)
            elif _may_follow(fmt, before, after):
                opening = [(fmt.separator, "separator", NEITHER), (around[after][0], after, AFTER)]
                joints[before, after] = _joint([*_closing(fmt, around, before), *opening])
    return joints


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


def _ends(compiled: CompiledFormat, around: Mapping[str, tuple[str, str]], *, bos: bool) -> dict[str, dict[str, Joint]]:
    """What follows the last content, by ending and role; the role is empty for no message at all."""
    fmt = compiled.format
    finished: dict[str, list[Label]] = {role: _closing(fmt, around, role) for role in around}
    generate: dict[str, list[Label]] = {}
    for role, closing in finished.items():
        suffix = compiled.suffix(None, role)
        separator = fmt.separator if suffix else ""
        generate[role] = [*closing, (separator, "separator", NEITHER), (suffix, "promptSuffix", NEITHER)]
    if fmt.default_system is None:
        finished[_START] = _head(fmt, bos=bos)
        generate[_START] = [*_head(fmt, bos=bos), (compiled.suffix(None), "promptSuffix", NEITHER)]
    mark: Label = (compiled.closing, "promptSuffixVariants.closed", NEITHER)
    closed = {role: [*labels, mark] for role, labels in finished.items()}
    still_open: dict[str, list[Label]] = {"assistant": []} if "assistant" in around else {}
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
