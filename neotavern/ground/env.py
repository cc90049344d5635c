"""Typed readers of environment variables: a wrong value is one line at start that names the variable."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

API_KEY_PATTERN = re.compile(r"nt_[A-Za-z0-9_-]{20,200}")
_HOST = re.compile(r"\*|\.?[A-Za-z0-9_][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\]")


class SettingsError(SystemExit):
    """A wrong environment value; ends the program with one line and exit status 1."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}")


@dataclass(frozen=True, slots=True)
class Environment:
    """Typed access to `values` (normally os.environ). Empty text counts as not given."""

    values: Mapping[str, str]

    def text(self, name: str, default: str = "") -> str:
        """Return the value as it stands."""
        return self.values.get(name) or default

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Return True for 1, true, yes, on; False for 0, false, no, off."""
        raw = self.text(name).strip().lower()
        if not raw:
            return default
        if raw in {"1", "true", "yes", "on"}:
            return True
        if raw in {"0", "false", "no", "off"}:
            return False
        raise SettingsError(name, f"{raw!r} is neither on (1, true, yes, on) nor off (0, false, no, off)")

    def integer(self, name: str, default: int, *, least: int, most: int) -> int:
        """Return a whole number from `least` to `most`."""
        raw = self.text(name).strip()
        if not raw:
            return default
        if not re.fullmatch(r"-?[0-9]{1,18}", raw):
            raise SettingsError(name, f"{raw!r} is not a whole number")
        value = int(raw)
        if not least <= value <= most:
            raise SettingsError(name, f"{value} is not between {least} and {most}")
        return value

    def names(self, name: str, default: str = "") -> list[str]:
        """Return a comma-separated list without empty parts."""
        return [part.strip() for part in self.text(name, default).split(",") if part.strip()]

    def hosts(self, name: str, default: str) -> list[str]:
        """Return comma-separated host names: `a.example`, `.example` (with all below it), `[::1]`, `*`."""
        found = self.names(name, default)
        wrong = [host for host in found if not _HOST.fullmatch(host)]
        if wrong or not found:
            what = repr(wrong[0] if wrong else self.text(name))
            raise SettingsError(name, f"{what} is no host name (without scheme, port and path)")
        return found

    def url(self, name: str, default: str, *, schemes: tuple[str, ...]) -> str:
        """Return a URL whose scheme is one of `schemes`."""
        value = self.text(name, default)
        scheme = value.partition(":")[0]
        if scheme not in schemes:
            raise SettingsError(name, f"{scheme!r} is not one of the schemes {', '.join(schemes)}")
        return value

    def api_key(self, name: str) -> str:
        """Return an API key or empty text."""
        value = self.text(name)
        if value and not API_KEY_PATTERN.fullmatch(value):
            raise SettingsError(name, "an API key is nt_ and 20 to 200 of A-Z a-z 0-9 _ -")
        return value
