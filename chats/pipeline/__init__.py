"""From sources to a rendered prompt: stages that take and return frozen values. No Django, no clock, no randomness."""
