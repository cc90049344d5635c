"""Images, videos and sounds inside messages: the text that stands for one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

_LONGEST_SIDE: Final = 1_000_000

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


def media_entry(part: Mapping[str, Any], vision: Vision, path: str) -> dict[str, Any]:
    """What the answer says of a medium: `type`, `path`, and its tokens, by the family's rule or by its figure.

    `approximate` unless the rule could be used, which takes the part's `width` and `height` in pixels.
    """
    sides = [part.get(side) for side in ("width", "height")]
    if vision.patch is not None and all(isinstance(side, int) and 0 < side <= _LONGEST_SIDE for side in sides):
        width, height = (-(-int(side or 0) // vision.patch) for side in sides)
        return {"type": part["type"], "path": path, "tokens": width * height, "approximate": False}
    return {"type": part["type"], "path": path, "tokens": vision.tokens, "approximate": True}


def media_token(vision: Vision | None, kind: str) -> str:
    """The token of a part of this type (`image`, `image_url`, `video_url`, `input_audio` …); empty without one."""
    if vision is None:
        return ""
    if "video" in kind:
        return vision.video_token or ""
    if "audio" in kind:
        return vision.audio_token or ""
    return vision.image_token if "image" in kind else ""
