"""Context shifting: what leaves a prompt that is too long. One strategy a file, and a registry of them."""

from __future__ import annotations

from chats.pipeline.shifting.registry import STRATEGIES
from chats.pipeline.shifting.shift import Shifted, shift
from chats.pipeline.shifting.units import Unit, units_of

__all__ = ["STRATEGIES", "Shifted", "Unit", "shift", "units_of"]
