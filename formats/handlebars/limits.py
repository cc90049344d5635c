"""How large, deep and slow a template may be: every limit of the engine, in one place."""

from __future__ import annotations

from typing import Final

SOURCE_CHARACTERS: Final = 65_536
"""Characters of a template and its named partials together; a role template has at most 32,768."""

TAGS: Final = 1_000
"""Tags of a template and its named partials together: keeps the slowest parse well under a second."""

TERMS: Final = 4_000
"""Names, literals and sub-expressions inside those tags."""

BLOCK_DEPTH: Final = 32
"""Blocks inside blocks."""

ELSE_LINKS: Final = 64
"""`{{else if}}` links of one block."""

SUBEXPRESSION_DEPTH: Final = 16
"""Sub-expressions inside sub-expressions."""

PARTIAL_DEPTH: Final = 32
"""Partials that call partials while rendering."""

OUTPUT_CHARACTERS: Final = 5_000_000
"""Characters of one render."""

STEPS: Final = 2_000_000
"""Work of one render: an item of a loop costs the static size of the loop's body, and so does text it makes."""

TEXT_CHARACTERS_PER_STEP: Final = 32
"""Characters of new text that cost one step, so that a render makes at most 64 MB of it."""

OUTPUT_CHECK_STEPS: Final = 1_024
"""Steps of a loop between two looks at the output's size."""

SHORT_TEXT: Final = 1_024
"""Longer values are written as they are; copying them together with the text around could use much memory."""

HINTS: Final = 20
"""Unknown names of one template for which the nearest known one is looked up."""

CACHED_TEMPLATES: Final = 256
"""Compiled templates kept."""

CACHED_CHARACTERS: Final = 1_000_000
"""Characters of their sources together; a compiled template takes some 60 bytes for each."""
