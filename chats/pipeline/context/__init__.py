"""The second way of putting a prompt together: a context template over facts, lore that an engine chose, and turns."""
