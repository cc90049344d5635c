"""Rule `special-token-unlisted`: a token of the markup that content could forge without anybody noticing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from formats.lint.rule import Probe, Remark, rule

# The shapes model families use: <|im_end|>, [INST], </s>, <BOS_TOKEN>, <start_of_turn>, <｜User｜>.
_TOKEN: Final = re.compile(r"<[|｜][^<>\s]{1,40}[|｜]>|\[/?[A-Z][A-Z_]+\]|</?s>|<[A-Za-z]+(?:_[A-Za-z]+)+>")


@rule("special-token-unlisted", severity="warning")
def special_token_unlisted(probe: Probe) -> Iterator[Remark]:
    if probe.name != "many turns":
        return
    seen = dict.fromkeys(token for text in probe.markup() for token in _TOKEN.findall(text))
    missing = [token for token in seen if token not in probe.format.token_texts]
    if missing:
        yield Remark("specialTokens", f"These tokens of the markup are not listed: {', '.join(missing)}.")
