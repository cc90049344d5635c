"""Rule `python-repr`: an object printed as Python writes it, which no model expects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from formats.lint.rule import Probe, Remark, rule

_REPR: Final = re.compile(r"\{'\w+':|\[object Object\]|<[\w.]+ object at 0x")


@rule("python-repr", severity="error")
def python_repr(probe: Probe) -> Iterator[Remark]:
    found = _REPR.search(probe.text)
    if found is not None:
        yield Remark(
            "", f"The prompt shows {found[0]!r}: an object was printed. Use the `json` helper, or a field of it."
        )
