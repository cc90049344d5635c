"""The profiles by name. Each is loaded once a process, at the latest when it is first asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from formats.tokens import mistral
from formats.tokens.errors import UnknownProfile
from formats.tokens.estimate import Estimate
from formats.tokens.exact import load_exact
from formats.tokens.tokenizer import Tokenizer

PROFILES = ("cl100k_base", "o200k_base", "o200k_harmony", "llama3", "qwen3", "estimate")
EXTRAS = tuple(mistral.FILES)
"""Profiles of packages that are not installed with the server."""
ALIASES = {"cl100k": "cl100k_base", "o200k": "o200k_base"}

_loaded: dict[str, Tokenizer] = {"estimate": Estimate()}
_locks = {name: threading.Lock() for name in (*PROFILES, *EXTRAS)}


def profile(name: str) -> Tokenizer:
    """Return the tokenizer of a profile or alias.

    Raises UnknownProfile, or EngineMissing where the package for it is not installed.
    """
    canonical = ALIASES.get(name, name)
    return _loaded.get(canonical) or _load(canonical, mistral.load_mistral if canonical in EXTRAS else load_exact)


def load(names: Iterable[str]) -> None:
    """Load the tokenizers of these profiles, so that no request has to: call it when a worker starts."""
    for name in names:
        profile(name)


def loaded() -> list[Tokenizer]:
    """Return the tokenizers that this process has ready: the estimate, and those that somebody asked for."""
    return list(_loaded.values())


def _load(name: str, loader: Callable[[str], Tokenizer]) -> Tokenizer:
    lock = _locks.get(name)
    if lock is None:
        raise UnknownProfile(name, (*PROFILES, *EXTRAS))
    with lock:
        if name not in _loaded:
            _loaded[name] = loader(name)
        return _loaded[name]
