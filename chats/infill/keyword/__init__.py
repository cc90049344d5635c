"""The keyword engine: cheap signals of words, names and time, which need no model."""
