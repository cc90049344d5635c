"""The nested objects of a format document (contract, "Format document, version 2")."""

from __future__ import annotations

from typing import Any, Final

from pydantic import ConfigDict, Field, field_validator

from formats.prompt.fields import (
    DocumentModel,
    FirstSystem,
    LaterSystem,
    Literal_,
    MediaOrder,
    Parse,
    Placement,
    StopString,
    Template,
    Text,
    ToolFormat,
)

# The later runtime registers what each does; a document may only name what is known here.
PROCESSORS: Final = ("date", "date_header")


class SpecialToken(DocumentModel):
    """A token that content must not forge; `meaning` says what it is, e.g. `bos` or `eos`."""

    token: StopString
    meaning: Text | None = None


class SystemPolicy(DocumentModel):
    """Where the system text goes: `first` for one that opens the conversation, `later` for every other.

    `keepEmpty`: an empty text is wrapped and folded like any other.
    """

    first: FirstSystem = "block"
    later: LaterSystem = "block"
    keep_empty: bool = False
    wrap: Template | None = None


class Trim(DocumentModel):
    """Roles whose content is stripped of white space at both ends."""

    system: bool = False
    user: bool = False
    assistant: bool = False
    tool: bool = False


class Variants(DocumentModel):
    """Templates for turns in special positions; the role's own template serves where one is null."""

    first_user: Template | None = None
    last_user: Template | None = None
    first_assistant: Template | None = None
    last_assistant: Template | None = None
    last_assistant_closed: Template | None = None


class Tools(DocumentModel):
    """How the tool catalogue is written, and where."""

    section: Template = "{{{tools}}}"
    item: Template = "{{{tool}}}"
    placement: Placement = "system"
    format: ToolFormat = "json"
    indent: int | None = Field(default=None, ge=0, le=16)
    joiner: Literal_ = "\n"
    as_list: bool = False
    user_with: Template | None = None


class ToolCalls(DocumentModel):
    """How the calls of one assistant turn are written."""

    section: Template = "{{{toolCalls}}}"
    item: Template = "{{{toolCall}}}"
    joiner: Literal_ = ""


class ToolResults(DocumentModel):
    """How a run of tool messages is written; the result is the content of one `tool` turn."""

    section: Template = "{{{toolResults}}}"
    item: Template = "{{{content}}}"
    joiner: Literal_ = ""


class Skills(DocumentModel):
    """How the list of skills is written; it stands in the system turn."""

    section: Template = "{{{skills}}}"
    item: Template = "- {{name}}: {{description}}"
    joiner: Literal_ = "\n"


class Vision(DocumentModel):
    """Placeholders for images and videos: start, token, end, at the place of the part.

    `order`: `given`; `first`: a message's media stand before its text; `pair`: only where it is one text and one
    medium. `number`: a literal before each medium in which `{n}` is
    its number, e.g. `Picture {n}: `. `tokens` is how many tokens one medium takes, a figure, so counts are approximate;
    `patch` is how many pixels a side one token covers, where a part says its width and height.
    """

    start: Literal_ = ""
    end: Literal_ = ""
    image_token: Literal_ = ""
    video_token: Literal_ | None = None
    audio_token: Literal_ | None = None
    order: MediaOrder = "given"
    number: Literal_ = ""
    tokens: int | None = Field(default=None, ge=0, le=1_000_000)
    patch: int | None = Field(default=None, ge=1, le=4_096)


class Reasoning(DocumentModel):
    """Marks around a message's reasoning; history drops it unless `keepInHistory`.

    `keepInCurrent` keeps it behind the last user turn, where an exchange with tools still goes on. `parse` reads the
    marks inside a content as reasoning: `exact` as it stands, `lines` without the line ends beside the marks, `blanks`
    without any white space there.
    """

    start: Literal_ = ""
    end: Literal_ = ""
    keep_in_history: bool = False
    keep_in_current: bool = False
    parse: Parse | None = None


class Processor(DocumentModel):
    """A named step with parameters, as data; what it does is in the runtime."""

    model_config = ConfigDict(extra="allow")

    name: str

    @field_validator("name")
    @classmethod
    def _is_known(cls, name: str) -> str:
        if name not in PROCESSORS:
            raise ValueError(f"unknown processor {name!r}; known are {', '.join(PROCESSORS)}")
        return name


class FormatTest(DocumentModel):
    """A conversation and the exact text it must render to; run on every save."""

    name: Text = Field(min_length=1, max_length=200)
    messages: tuple[dict[str, Any], ...] = Field(strict=False)
    options: dict[str, Any] = Field(default_factory=dict)
    expected: Text
