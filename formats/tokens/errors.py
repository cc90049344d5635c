"""What can go wrong when a tokenizer is asked for by name. Counting itself never fails."""

from __future__ import annotations

from collections.abc import Sequence


class TokenizerError(ValueError):
    """A tokenizer that can not be had."""


class UnknownProfile(TokenizerError):
    """No profile has that name; `known` are those there are."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"no tokenizer profile is called {name!r}; there are: {', '.join(known)}")
        self.name = name
        self.known = tuple(known)


class EngineMissing(TokenizerError):
    """The profile is known, and the package that counts for it is not installed."""

    def __init__(self, name: str, package: str) -> None:
        super().__init__(f"the tokenizer profile {name!r} needs the package {package}, which is not installed")
        self.name = name
        self.package = package
