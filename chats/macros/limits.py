"""What one text and one render may cost. Beyond a limit a macro stays as typed, and a finding says so."""

MAX_NESTING = 32
"""Macros in macros, blocks counted too. A deeper one stays as typed as a whole."""

MAX_PRODUCED = 4_000_000
"""Characters that all macros of one render may make."""

MAX_FINDINGS = 50
"""Findings of one text."""

MAX_REPEAT = 1_000
"""Of `{{newline::n}}` and `{{space::n}}`."""

MAX_DICE = 1_000
MAX_SIDES = 1_000_000
COST_OF_A_DIE = 20
"""Of `{{roll}}`; a die costs as much as so many characters."""

MAX_EXCERPT = 200
"""Characters of a macro that a finding quotes."""
