"""Token counts: exact and offline where the vocabulary is known, an estimate that says so elsewhere."""

from formats.tokens.errors import EngineMissing, TokenizerError, UnknownProfile
from formats.tokens.models import for_model
from formats.tokens.profiles import ALIASES, EXTRAS, PROFILES, load, loaded, profile
from formats.tokens.tokenizer import Tokenizer

__all__ = [
    "ALIASES",
    "EXTRAS",
    "PROFILES",
    "EngineMissing",
    "Tokenizer",
    "TokenizerError",
    "UnknownProfile",
    "for_model",
    "load",
    "loaded",
    "profile",
]
