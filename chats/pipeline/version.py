"""The engine's version, part of every fingerprint and cache key."""

from __future__ import annotations

from typing import Final

ENGINE_VERSION: Final = "2"
"""Raised whenever the same request may give other bytes than before."""
