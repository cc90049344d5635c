"""Renders data sets: a file of conversations, one a line, to a file of prompts for training."""
