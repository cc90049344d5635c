"""One rule a file. A new file here is a new rule: nothing else has to change."""
