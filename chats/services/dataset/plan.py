"""`DatasetPlan`: how every row of a data set is rendered; small, and the same in every process."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from formats.prompt.loss_mask import Turns
from neotavern.ground.canonical import content_hash

OUTPUT_VERSION = 1
"""Raised whenever the same plan would write other bytes: a half-made file of an older version is not gone on with."""


@dataclass(frozen=True, slots=True)
class DatasetPlan:
    """`document` is the format. `loss` says which turns are trained on, `tokenizer` whether ids are written.

    The generation prompt is off unless asked for: a training text ends in the assistant's last turn.
    """

    document: dict[str, Any]
    text_field: str = "text"
    add_generation_prompt: bool = False
    loss: Turns | None = None
    spans: bool = False
    tokenizer: str | None = None
    offsets: bool = False
    findings: bool = False
    thinking: bool | None = None
    bos: Literal["keep", "omit"] = "keep"
    special_token_policy: Literal["keep", "escape", "reject"] = "keep"  # noqa: S105 - no password
    strict: bool = False
    now: str | None = None

    @property
    def needs_segments(self) -> bool:
        """Whether more than the text is asked for."""
        return self.spans or self.loss is not None or self.tokenizer is not None

    def fingerprint(self) -> str:
        """Return what two runs must share to write one file."""
        return content_hash({"version": OUTPUT_VERSION, **asdict(self)})
