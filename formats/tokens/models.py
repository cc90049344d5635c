"""Which profile counts for a model, by the model's name. Names of hosters and of fine-tunes say the family too."""

from __future__ import annotations

import re

ESTIMATE = "estimate"
START = r"(?:^|[/:])(?:ft:)?"
END = r"(?![a-z0-9.])"
RULES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (profile, re.compile(pattern))
    for profile, pattern in (
        ("o200k_harmony", r"(?<![a-z0-9])gpt-oss" + END),
        ("o200k_base", START + r"(?:chatgpt-4o|gpt-4o|gpt-4\.[15]|gpt-5(?:\.\d+)?|o[134]|codex-mini)" + END),
        ("cl100k_base", START + r"(?:gpt-4|gpt-3\.?5|text-embedding-3|text-embedding-ada-002)" + END),
        ("llama3", r"(?<![a-z])llama-?v?3(?:[.p]\d)?" + END),
        ("mistral-tekken", r"(?<![a-z])(?:mistral-nemo|pixtral|ministral|devstral|magistral)"),
        ("mistral-tekken", r"(?<![a-z])mistral-(?:small|medium|large)-(?:3|240[7-9]|241[0-2]|2[56])"),
        ("mistral-spm", r"(?<![a-z])(?:mistral-7b|mixtral|codestral-22b)"),
        # Qwen 1.5 to 3 share one vocabulary; 3.5 has a larger one
        ("qwen3", r"(?<![a-z])(?:qwen-?(?:1\.5|2|2\.5|3)" + END + r"|qwq" + END + r"|distill-qwen" + END + ")"),
    )
)
"""First match wins. A name that none matches gets the estimate, which is better than another family's exact count."""


def for_model(model: str | None) -> str:
    """Return the profile for a model's name, `estimate` when the family is not known."""
    if not model:
        return ESTIMATE
    name = model.strip().lower()
    return next((profile for profile, pattern in RULES if pattern.search(name)), ESTIMATE)
