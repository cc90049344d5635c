"""The pages of a chat: its messages, its settings, the prompt that it makes, and the trace of it."""
