"""YAML files: read as plain values, without anchors, which could make a small file a huge one."""

from __future__ import annotations

import re
from typing import Any, Final

from formats.prompt.errors import Fault, FormatError

MAX_BYTES: Final = 1024 * 1024
_KNOWN: Final = re.compile(r"^(?:instruction_template|turn_template|your_name|model_list)\s*:", re.MULTILINE)


def read_yaml(text: str) -> list[Any] | None:
    """Return the document of a YAML file of a known sort, None for other texts. Raises FormatError with the line."""
    if text.lstrip()[:1] in ("{", "[") or _KNOWN.search(text) is None:
        return None
    if len(text) > MAX_BYTES:
        raise FormatError(Fault("", f"a YAML file has at most {MAX_BYTES:,} characters"))
    import yaml

    try:
        _refuse_anchors(text)
        value = yaml.load(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (None, None) if mark is None else (mark.line + 1, mark.column + 1)
        raise FormatError(Fault("", f"is no YAML: {error.problem}", line=line, column=column)) from None
    except FormatError:
        raise
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise FormatError(Fault("", f"is no YAML: {error}")) from None
    return value if isinstance(value, list) else [value]


def _refuse_anchors(text: str) -> None:
    import yaml

    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        if isinstance(token, yaml.AliasToken | yaml.AnchorToken | yaml.TagToken):
            mark = token.start_mark
            why = "anchors, aliases and tags are not read"
            raise FormatError(Fault("", why, line=mark.line + 1, column=mark.column + 1))
