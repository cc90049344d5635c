"""How tools are written: chat_bricks' formatters, which only say their parameters, and those of users, which run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Formatter:
    """Base of formatters. One of a user's own defines `format`, which gives the text of a list of tools."""

    def format(self, tools: Sequence[Any]) -> str:
        """Return the tools as text. The formatters of this module leave that to the renderer."""
        raise NotImplementedError

    def document(self) -> dict[str, Any] | None:
        """Return class and parameters as a template document has them; None for one that runs `format`."""
        return None

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # its parameters may be changed


class JsonFormatter(Formatter):
    """JSON, one tool a line, or one list of all."""

    def __init__(
        self,
        indent: int | None = None,
        separators: tuple[str, str] | None = None,
        joiner: str = "\n",
        format_as_list: bool = False,
        content_processor: Any = None,
    ) -> None:
        self.indent = indent
        self.separators = separators
        self.joiner = joiner
        self.format_as_list = format_as_list

    def document(self) -> dict[str, Any] | None:
        """Return class and parameters; None for a class of a user's own that has its own `format`."""
        if type(self).format is not Formatter.format:
            return None
        own = next(kind for kind in type(self).__mro__ if kind.__module__ == __name__)
        return {
            "class": own.__name__,
            "indent": self.indent,
            "separators": list(self.separators) if self.separators else None,
            "joiner": self.joiner,
            "format_as_list": self.format_as_list,
        }


class JsonQwenFormatter(JsonFormatter):
    """JSON with blanks, one tool a line."""

    def __init__(self) -> None:
        super().__init__()


class JsonFormatterNoBreakLine(JsonFormatter):
    """JSON with nothing between two tools."""

    def __init__(self) -> None:
        super().__init__(joiner="")


class JsonMinifiedFormatter(JsonFormatter):
    """JSON without blanks, keys by name, one tool a line."""

    def __init__(self, joiner: str = "\n") -> None:
        super().__init__(separators=(",", ":"), joiner=joiner)


class JsonIndentedFormatter(JsonFormatter):
    """JSON on several lines, a blank line between two tools."""

    def __init__(self, indent: int = 4, joiner: str = "\n\n", format_as_list: bool = False) -> None:
        super().__init__(indent=indent, joiner=joiner, format_as_list=format_as_list)


class JsonCompactFormatter(JsonFormatter):
    """JSON without blanks, keys by name, as one list."""

    def __init__(self, format_as_list: bool = True) -> None:
        super().__init__(separators=(",", ":"), format_as_list=format_as_list)


class YamlFormatter(Formatter):
    """YAML, one tool after the other."""

    def __init__(self, joiner: str = "\n") -> None:
        self.joiner = joiner

    def document(self) -> dict[str, Any] | None:
        """Return class and parameters."""
        return {"class": "YamlFormatter", "joiner": self.joiner}
