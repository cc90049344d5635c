"""One stage a file. A stage takes a frozen value and returns a `Step`; it never changes what it was given."""
