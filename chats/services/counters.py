"""Which tokenizer counts for a request, by its name or by the model's."""

from __future__ import annotations

from formats.services.tokenizers import find_tokenizer
from formats.tokens import EngineMissing, Tokenizer, TokenizerError, for_model, profile
from neotavern.ground.errors import invalid


def counter_for(name: str | None, model: str | None) -> Tokenizer:
    """Return the tokenizer of profile or alias `name`; without one that of the model, the estimate for unknown ones.

    A vocabulary is loaded by the first request of a process that needs it: about a second and up to 80 MB each, so
    none is loaded that nobody asks for. Raises VALIDATION at `tokenizer` for an unknown profile.
    """
    if name is None:
        return _of_model(model)
    try:
        return find_tokenizer(name)
    except TokenizerError as error:
        text = str(error)
        raise invalid("tokenizer", f"{text[0].upper()}{text[1:]}.") from error


def _of_model(model: str | None) -> Tokenizer:
    try:
        return profile(for_model(model))
    except EngineMissing:
        return profile("estimate")
