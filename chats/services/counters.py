"""Which tokenizer counts for a request, by its name or by the model's."""

from __future__ import annotations

from formats.tokens import Tokenizer, TokenizerError, for_model, profile
from neotavern.ground.errors import invalid


def counter_for(name: str | None, model: str | None) -> Tokenizer:
    """Return the tokenizer of profile or alias `name`; without one that of the model, the estimate for unknown ones.

    A vocabulary is loaded by the first request of a process that needs it: about a second and up to 80 MB each, so
    none is loaded that nobody asks for. Raises VALIDATION at `tokenizer` for an unknown profile.
    """
    try:
        return profile(name if name is not None else for_model(model))
    except TokenizerError as error:
        text = str(error)
        raise invalid("tokenizer", f"{text[0].upper()}{text[1:]}.") from error
