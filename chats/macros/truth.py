"""What a condition takes for false."""

FALSE = frozenset({"", "false", "0", "off", "no"})
TRUE = frozenset({"true", "1", "on", "yes"})


def is_true(value: str) -> bool:
    """Return whether a value is none of those that mean no, in any case and with white space around."""
    return value.strip().casefold() not in FALSE
