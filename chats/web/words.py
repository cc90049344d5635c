"""Names of the sample conversations."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as lazy

SAMPLE_TITLES = {
    "ferry": lazy("Ferry at dusk"),
    "short": lazy("One short turn"),
    "no-system": lazy("No system message"),
    "names": lazy("Several speakers"),
    "tools": lazy("Tools and skills"),
    "unicode": lazy("Many scripts"),
    "forged": lazy("Special tokens inside a message"),
    "edges": lazy("White space and empty turns"),
    "open": lazy("Open assistant turn, to continue"),
    "long": lazy("A long night (122 messages)"),
}
