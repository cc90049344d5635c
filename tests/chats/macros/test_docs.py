"""docs/macros.md names every macro and every finding."""

from __future__ import annotations

import re
from pathlib import Path

from chats.macros.registry import BUILTIN, SYNTAX
from chats.macros.remarks import MESSAGES

DOCS = (Path(__file__).resolve().parents[3] / "docs" / "macros.md").read_text("utf-8")
FAMILIES = ("instruct", "reasoning")


BY_EXAMPLE = {"maxcontexttokens", "maxresponsetokens"}


def test_every_macro_is_documented() -> None:
    words = set(re.findall(r"[a-z_]+", DOCS.lower())) | {"//", ".", "$"}
    families = {name for name in BUILTIN if name.startswith(FAMILIES) or "globalvar" in name}
    assert {*BUILTIN, *SYNTAX} - families - words == BY_EXAMPLE


def test_every_finding_is_documented() -> None:
    assert [code for code in MESSAGES if f"`{code}`" not in DOCS] == []
