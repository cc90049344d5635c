"""Renders rows, one line in and one line out; a row that can not be rendered is a line with its error."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from chats.services.dataset.plan import DatasetPlan
from chats.services.dataset.reading import MESSAGES, Row, columns_kept, read_row
from chats.services.errors import app_errors
from chats.services.formats import inline_format
from chats.services.spans import spans_of
from formats.prompt.compiled import render_compiled
from formats.prompt.loss_mask import LossMarks, Stretch, loss_stretches
from formats.prompt.rendered import Rendered
from formats.tokens import TokenizerError, profile
from formats.tokens.exact import Exact
from formats.tokens.prompt_ids import prompt_ids
from neotavern.ground.errors import AppError, ErrorCode, invalid

logger = logging.getLogger("neotavern.dataset")

MARKS: Final = ("spans", "loss", "input_ids", "assistant_masks", "offsets", "findings")
ERROR: Final = "error"
LINE: Final = "line"


@dataclass(slots=True)
class Chunk:
    """The lines of some rows, and what there is to say of them."""

    lines: bytes = b""
    rows: int = 0
    refused: int = 0
    findings: Counter[str] = field(default_factory=Counter)


class RowRenderer:
    """Renders the rows of one plan; made once a process."""

    def __init__(self, plan: DatasetPlan) -> None:
        """Raises AppError for a format that does not compile and a tokenizer that has no ids."""
        self._plan = plan
        self._compiled = inline_format(plan.document).format.compiled
        self._marks = LossMarks.of(self._compiled)
        self._tokenizer = _exact(plan.tokenizer)
        given: dict[str, Any] = {
            "bos": plan.bos,
            "specialTokenPolicy": plan.special_token_policy,
            "thinking": plan.thinking,
        }
        defaults = {"bos": "keep", "specialTokenPolicy": "keep", "thinking": None}
        self._options = {name: value for name, value in given.items() if value != defaults[name]}
        self._options |= {"strict": True} if plan.strict else {}
        self._written = {plan.text_field, *MARKS, ERROR, LINE}
        self._options |= {"now": plan.now} if plan.now is not None else {}

    def chunk(self, first: int, lines: Sequence[bytes]) -> Chunk:
        """Return the rows of `lines`; `first` is the number of the first line, from 1."""
        made = Chunk()
        made.lines = b"".join(self._line(first + index, line, made) for index, line in enumerate(lines))
        return made

    def _line(self, number: int, line: bytes, made: Chunk) -> bytes:
        made.rows += 1
        try:
            with app_errors():
                row = self._row(read_row(line), made)
        except AppError as error:
            row = _refused(made, number, line, error)
        except Exception as error:
            logger.error("unexpected error in a data set", exc_info=error, extra={"fields": {"line": number}})
            row = _refused(made, number, line, AppError(ErrorCode.INTERNAL, "Something went wrong here; see the log."))
        return orjson.dumps(row) + b"\n"

    def _row(self, row: Row, made: Chunk) -> dict[str, Any]:
        plan = self._plan
        if clash := self._written & row.columns.keys():
            raise invalid(min(clash), "The row has this column, and the result would hide it: rename one of the two.")
        rendered = render_compiled(
            self._compiled, row.messages, row.tools, row.skills, plan.add_generation_prompt, False, "", self._options
        )
        made.findings.update(finding.code for finding in rendered.findings)
        values = {**row.columns, plan.text_field: rendered.text}
        if plan.needs_segments:
            values |= self._marked(rendered, {index: one.role for index, one in enumerate(row.messages)})
        if plan.findings:
            values["findings"] = [finding.to_dict() for finding in rendered.findings]
        return values

    def _marked(self, rendered: Rendered, roles: dict[int, str]) -> dict[str, Any]:
        plan, segments = self._plan, rendered.segments
        marked: dict[str, Any] = {"spans": spans_of(segments, roles)} if plan.spans else {}
        stretches = loss_stretches(segments, roles, self._marks, plan.loss) if plan.loss is not None else None
        if stretches == [] and "assistant" in roles.values() and self._compiled.format.chat_template is not None:
            raise invalid(MESSAGES, "The chat template changes the assistant's text: where it stands is not known.")
        if stretches is not None:
            marked["loss"] = [list(stretch) for stretch in stretches]
        if self._tokenizer is not None:
            ids, offsets = prompt_ids(self._tokenizer, segments)
            marked["input_ids"] = ids
            if stretches is not None:
                marked["assistant_masks"] = token_mask(offsets, stretches)
            if plan.offsets:
                marked["offsets"] = offsets
        return marked


def _refused(made: Chunk, number: int, line: bytes, error: AppError) -> dict[str, Any]:
    made.refused += 1
    return {**columns_kept(line), **error.body(), LINE: number}


def token_mask(offsets: Sequence[tuple[int, int]], stretches: Sequence[Stretch]) -> list[int]:
    """Return 1 for every token that begins inside a stretch, 0 for the others."""
    mask: list[int] = []
    waiting = iter(stretches)
    current = next(waiting, None)
    for start, _ in offsets:
        while current is not None and start >= current.end:
            current = next(waiting, None)
        mask.append(int(current is not None and start >= current.start))
    return mask


def _exact(name: str | None) -> Exact | None:
    if name is None:
        return None
    try:
        found = profile(name)
    except TokenizerError as error:
        raise invalid("tokenizer", f"{error}.") from error
    if not isinstance(found, Exact):
        raise invalid("tokenizer", f"{name} is an estimate and has no token ids.")
    return found
