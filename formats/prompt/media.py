"""Images, videos and sounds inside messages: the text that stands for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from formats.prompt.sections import Vision


def media_token(vision: Vision | None, kind: str) -> str:
    """The token of a part of this type (`image`, `image_url`, `video_url`, `input_audio` …); empty without one."""
    if vision is None:
        return ""
    if "video" in kind:
        return vision.video_token or ""
    if "audio" in kind:
        return vision.audio_token or ""
    return vision.image_token if "image" in kind else ""
