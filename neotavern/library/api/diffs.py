"""GET and POST …/diff: what two revisions of an object differ in, and what their prompts differ in."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Router
from ninja.params.functions import Query
from pydantic import BaseModel, Field

from neotavern.accounts.auth import ApiRequest
from neotavern.ground.http import ERRORS
from neotavern.ground.limits import MAX_MESSAGES
from neotavern.ground.wire import WireModel
from neotavern.library import selectors
from neotavern.library.api.access import READ
from neotavern.library.comparing import compare, compare_prompts
from neotavern.library.kinds import Kind
from neotavern.library.rendering import Conversation, renderer_of


class WordOut(BaseModel):
    """A piece of text and what happened to it; all but the inserts are the old text, all but the deletes the new."""

    op: Literal["equal", "insert", "delete"]
    text: str


class RowOut(BaseModel):
    """One line of a side-by-side view; a side without such a line has no number."""

    leftNumber: int | None
    left: list[WordOut]
    rightNumber: int | None
    right: list[WordOut]


class ChangeOut(BaseModel):
    """What differs at one path. `words` is empty for what is no text; `rows` is there when asked for."""

    path: str
    kind: Literal["added", "removed", "changed"]
    before: Any
    after: Any
    words: list[WordOut]
    rows: list[RowOut] | None = None


class RenderedOut(BaseModel):
    """What the two revisions render on one conversation."""

    before: str
    after: str
    words: list[WordOut]
    unified: str


class DiffOut(BaseModel):
    """The difference of two revisions, by path and as one unified diff a path."""

    from_: int = Field(alias="from")
    to: int
    changes: list[ChangeOut]
    unified: str
    rendered: RenderedOut | None = None


class DiffIn(WireModel):
    """Two revisions, each by number or label, and the conversation that both are rendered on."""

    from_: int | str | None = Field(default=None, alias="from")
    to: int | str | None = None
    messages: list[dict[str, Any]] = Field(max_length=MAX_MESSAGES)
    tools: list[dict[str, Any]] = Field(default_factory=list)
    rows: bool = False


def add_diffs(router: Router, kind: Kind) -> None:
    """Add the comparisons of `kind`; that of prompts only where something renders the kind."""
    _add_get(router, kind)
    if renderer_of(kind.name) is not None:
        _add_post(router, kind)


def _add_get(router: Router, kind: Kind) -> None:
    @router.get(
        "/{slug}/diff",
        operation_id=f"{kind.plural_path}_diff",
        response={200: DiffOut, **ERRORS(403, 404, 422)},
        auth=READ,
        by_alias=True,
        exclude_unset=True,
    )
    def read_diff(
        request: ApiRequest,
        slug: str,
        from_: str | None = Query(None, alias="from"),
        to: str | None = None,
        rows: bool = False,
    ) -> Any:
        """Compare two revisions, each by number or label; by default the newest with the one before it."""
        item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
        return compare(item, from_ or None, to or None, rows=rows)


def _add_post(router: Router, kind: Kind) -> None:
    @router.post(
        "/{slug}/diff",
        operation_id=f"{kind.plural_path}_diff_rendered",
        response={200: DiffOut, **ERRORS(403, 404, 415, 422)},
        auth=READ,
        by_alias=True,
        exclude_unset=True,
    )
    def render_diff(request: ApiRequest, slug: str, body: DiffIn) -> Any:
        """Compare two revisions and the prompts that both render on one conversation."""
        item = selectors.get_item(request.actor, kind=kind.name, slug=slug, archived=True)
        compared = compare(item, _name(body.from_), _name(body.to), rows=body.rows)
        conversation = Conversation(body.messages, body.tools)
        return compared | {"rendered": compare_prompts(request.actor, item, compared, conversation)}


def _name(value: int | str | None) -> str | None:
    return None if value is None else str(value)
