"""Images, videos and sounds inside messages: the text that stands for one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from formats.prompt.sections import Vision


def in_order(parts: Sequence[Mapping[str, Any]], vision: Vision | None) -> list[tuple[int, Mapping[str, Any]]]:
    """The parts with their places, in the order that the format prints them."""
    numbered = list(enumerate(parts))
    order = "given" if vision is None else vision.order
    texts = sum(part["type"] == "text" for part in parts)
    if order == "first" or (order == "pair" and len(parts) == 2 and texts == 1):
        numbered.sort(key=lambda one: one[1]["type"] == "text")
    return numbered


def media_token(vision: Vision | None, kind: str) -> str:
    """The token of a part of this type (`image`, `image_url`, `video_url`, `input_audio` …); empty without one."""
    if vision is None:
        return ""
    if "video" in kind:
        return vision.video_token or ""
    if "audio" in kind:
        return vision.audio_token or ""
    return vision.image_token if "image" in kind else ""
