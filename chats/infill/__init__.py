"""PURE infill: which lore and which older messages a prompt gets, out of everything that could, and why."""
