"""Building the hot path of a format: which conversations it takes, and the joints between their contents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from formats.prompt.hot import CLOSED, GENERATE, OPEN, HotPath, Joint, Label, Row
from formats.prompt.message_input import ROLES

if TYPE_CHECKING:
    from formats.prompt.compiled import CompiledFormat
    from formats.prompt.document import InstructFormat

_FOLDS: Final[Mapping[str, str]] = {"fold_first_user": "first", "fold_last_user": "last"}
_START: Final = ""


def build_hot(compiled: CompiledFormat, *, bos: bool, suffix: str) -> HotPath | None:
    """The hot path, or None for a format that always needs the careful one."""
    fmt = compiled.format
    if (
        fmt.chat_template is not None
        or fmt.processors
        or fmt.names == "prefix"
        or any(p.startswith("variants.") for p in compiled.frames)
    ):
        return None
    around = {role: pair for role in ROLES if (pair := compiled.frames[role].around(role)) is not None}
    if compiled.has_tool_results:
        around.pop("tool", None)
    folds = _FOLDS.get(fmt.system_policy.first) if fmt.system_policy.wrap is None else None
    joints = _joints(fmt, around, bos=bos, opens=folds is None)
    strips = frozenset(role for role in ROLES if getattr(fmt.trim, role))
    return HotPath(
        joints=joints,
        ends=_ends(fmt, around, suffix, bos=bos),
        start=_rows(joints, strips, around)[_START],
        merges=fmt.alternation == "merge",
        folds=folds,
        separator=fmt.merge_separator,
        strips=strips,
    )


def _joint(labels: Iterable[Label], *, is_merge: bool = False) -> Joint:
    kept = tuple(label for label in labels if label[0])
    return Joint("".join(text for text, _, _ in kept), kept, is_merge)


def _head(fmt: InstructFormat, *, bos: bool) -> list[Label]:
    return [(fmt.prefix, "prefix", 0), (fmt.bos if bos else "", "bos", 0)]


def _closing(fmt: InstructFormat, around: Mapping[str, tuple[str, str]], role: str) -> list[Label]:
    eos = fmt.eos if role == "assistant" else ""
    return [(around[role][1], role, -1), (eos, "eos", -1)]


def _joints(
    fmt: InstructFormat, around: Mapping[str, tuple[str, str]], *, bos: bool, opens: bool
) -> dict[tuple[str, str], Joint]:
    joints: dict[tuple[str, str], Joint] = {}
    for after in around:
        if _may_open(fmt, after, opens=opens):
            joints[_START, after] = _joint([*_head(fmt, bos=bos), (around[after][0], after, 1)])
        for before in around:
            if before == after and before in ("user", "assistant") and fmt.alternation != "none":
                if fmt.alternation == "merge":
                    joints[before, after] = _joint([(fmt.merge_separator, "mergeSeparator", 0)], is_merge=True)
            elif _may_follow(fmt, before, after):
                opening = [(fmt.separator, "separator", 0), (around[after][0], after, 1)]
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


def _ends(
    fmt: InstructFormat, around: Mapping[str, tuple[str, str]], suffix: str, *, bos: bool
) -> dict[tuple[str, str], Joint]:
    ends: dict[tuple[str, str], Joint] = {}
    for role in around:
        closing = _closing(fmt, around, role)
        generation = [(fmt.separator if suffix else "", "separator", 0), (suffix, "promptSuffix", 0)]
        ends[role, CLOSED] = _joint(closing)
        ends[role, GENERATE] = _joint([*closing, *generation])
    if "assistant" in around:
        ends["assistant", OPEN] = _joint([])
    if fmt.default_system is None:
        ends[_START, CLOSED] = _joint(_head(fmt, bos=bos))
        ends[_START, GENERATE] = _joint([*_head(fmt, bos=bos), (suffix, "promptSuffix", 0)])
    return ends


def _rows(joints: Mapping[tuple[str, str], Joint], strips: frozenset[str], roles: Iterable[str]) -> dict[str, Row]:
    rows: dict[str, Row] = {role: {} for role in (_START, *roles)}
    for (before, after), joint in joints.items():
        rows[before][after] = (joint.text, after in strips, rows[after])
    return rows
