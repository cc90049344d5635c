"""The providers by kind of adapter."""

from __future__ import annotations

from typing import Final

TEXT_ADAPTERS: Final = frozenset({"text-completion", "novelai", "ai-horde", "koboldai"})
"""Adapters that send one string."""

CHAT_ADAPTERS: Final = frozenset({"openai-compatible", "anthropic"})
"""Adapters that send an array of messages, to which the back end applies its own template."""
