"""Data-only interceptors: find and replace, insert at a depth, drop. Patterns are RE2's, linear in the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Final, Literal

import re2
from pydantic import Field, ValidationError

from chats.documents.errors import error_of
from chats.documents.fields import Depth, FilledText, LongText, Name, Rank, Role, ShortText
from chats.pipeline.interceptors.port import InterceptorError
from formats.prompt.fields import Closed, sequence

AnyRole = Literal["system", "user", "assistant", "tool"]
MAX_RULES: Final = 64
MAX_TEXT: Final = 1_000_000
"""Characters that a replacement may make of one message."""

RULE_MEMORY: Final = 4 * 1024 * 1024


class Replace(Closed):
    """Replaces what `find` matches; a plain text unless `regex`. `\\1` in `replace` is the first group of a pattern."""

    type: Literal["replace"] = "replace"
    find: FilledText
    replace: LongText = ""
    regex: bool = False
    case_sensitive: bool = True
    roles: tuple[AnyRole, ...] = sequence(limit=8)
    origins: tuple[ShortText, ...] = sequence(limit=64)

    @cached_property
    def pattern(self) -> Any:
        """The compiled pattern."""
        options = re2.Options()
        options.log_errors = False
        options.max_mem = RULE_MEMORY
        options.case_sensitive = self.case_sensitive
        try:
            return re2.compile(self.find if self.regex else re2.escape(self.find), options)
        except re2.error as error:
            text = error.args[0] if error.args else error
            shown = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
            raise InterceptorError(f"the pattern {self.find[:80]!r} can not be compiled: {shown}") from None

    def apply(self, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the messages with the rule applied."""
        replacement = self.replace if self.regex else self.replace.replace("\\", "\\\\")
        for message in messages:
            text = message.get("content")
            if isinstance(text, str) and _is_meant(message, self.roles, self.origins):
                message["content"] = self.pattern.sub(replacement, text)
                if len(message["content"]) > MAX_TEXT:
                    raise InterceptorError(f"a message would have more than {MAX_TEXT:,} characters")
        return messages


class Insert(Closed):
    """Adds a message `depth` messages before the end."""

    type: Literal["insert"]
    content: FilledText
    role: Role = "system"
    depth: Depth = 0

    def apply(self, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the messages with the new one among them, never between a tool call and its result."""
        place = max(0, len(messages) - self.depth)
        while 0 < place < len(messages) and messages[place].get("role") == "tool":
            place -= 1
        return [*messages[:place], {"role": self.role, "content": self.content}, *messages[place:]]


class Drop(Closed):
    """Drops messages by role, by origin, or by both."""

    type: Literal["drop"]
    roles: tuple[AnyRole, ...] = sequence(limit=8)
    origins: tuple[ShortText, ...] = sequence(limit=64)

    def apply(self, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the messages without those meant. A rule that names neither role nor origin drops nothing."""
        if not self.roles and not self.origins:
            return messages
        return [message for message in messages if not _is_meant(message, self.roles, self.origins)]


Rule = Annotated[Replace | Insert | Drop, Field(discriminator="type")]


class Rules(Closed):
    """The document's part that says what an interceptor does."""

    name: Name
    priority: Rank = 100
    enabled: bool = True
    rules: tuple[Rule, ...] = sequence(limit=MAX_RULES)


@dataclass(frozen=True, slots=True)
class RuleInterceptor:
    """An interceptor that is data."""

    name: str
    priority: int
    rules: tuple[Replace | Insert | Drop, ...]

    def intercept(self, messages: list[dict[str, Any]]) -> Sequence[dict[str, Any]]:
        """Apply the rules in order."""
        for rule in self.rules:
            messages = rule.apply(messages)
        return messages


def read_interceptor(document: Mapping[str, Any], path: str = "") -> RuleInterceptor | None:
    """Return the interceptor of a document's `name`, `priority`, `enabled` and `rules`; None for one that is off.

    Raises DocumentError for what can not be read, InterceptorError for a pattern that does not compile.
    """
    known = {key: document[key] for key in ("name", "priority", "enabled", "rules") if key in document}
    try:
        rules = Rules.model_validate(known)
    except ValidationError as error:
        raise error_of(error, path) from None
    for rule in rules.rules:
        if isinstance(rule, Replace):
            rule.pattern  # noqa: B018 - compiles now
    return RuleInterceptor(rules.name, rules.priority, rules.rules) if rules.enabled else None


def _is_meant(message: Mapping[str, Any], roles: Sequence[str], origins: Sequence[str]) -> bool:
    origin = str(message.get("origin", ""))
    if roles and message.get("role") not in roles:
        return False
    return not origins or any(origin == one or origin.startswith(f"{one}:") for one in origins)
