"""A prompt as the chat's pages show it: its text in pieces, the parts they belong to, and the bar of the window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from chats.pipeline.parts import Part, runs_of
from chats.pipeline.trace import Change
from chats.services.render import RenderAnswer
from chats.web.bars import MOST_RECTS, WIDTH, Stretch
from chats.web.chat.reasons import INFILL, Reasons
from chats.web.pieces import MOST_MARKED, Marker, plain_html
from neotavern.library import kinds

EXCERPT: Final = 160
MOST_PARTS: Final = 80
"""Parts that are shown one by one while somebody types; of more than these the two ends, and the trace shows all."""

HEAD, TAIL = 20, 40
"""Parts at the ends of a long prompt. Of the history itself only its beginning is among the first."""

MOST_LEFT: Final = 100


@dataclass(frozen=True, slots=True)
class ShownPart:
    """One part: `role` is its colour, `share` its share of the window in tenths of a percent, `href` where it is."""

    number: int
    role: str
    speaker: str
    title: str
    excerpt: str
    tokens: int
    share: str
    why: list[str]
    href: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Left:
    """Something that the prompt does not have."""

    title: str
    reason: str
    excerpt: str
    href: str


@dataclass(frozen=True, slots=True)
class WindowBar:
    """The window as a bar: a stretch for each part, what the reply keeps at the end. `limit` None: no window is set."""

    stretches: list[Stretch]
    reserved: Stretch | None
    limit: int | None
    used: int
    kept: int
    free: int
    is_over: bool


@dataclass(frozen=True, slots=True)
class Links:
    """Where things are: the team and chat, and which objects the chat names."""

    team: str
    slug: str = ""
    document: Mapping[str, Any] | None = None

    def of(self, part: Part) -> str:
        """Return the address of what a part is made of; empty for what has none."""
        sort, _sep, rest = part.origin.partition(":")
        if sort == "history":
            return self.message(part.id)
        named = self.document or {}
        if sort == "character":
            return self._object("character", named.get("character"))
        if sort == "persona":
            return self._object("persona", named.get("persona"))
        if sort == "lore":
            entries = part.why.get("entries") or ()
            return self.entry(str(entries[0].get("book")), str(entries[0].get("uid"))) if entries else ""
        if sort == "memory":
            return self._object("memory", rest if rest in (named.get("memories") or ()) else None)
        return ""

    def message(self, identity: str | None) -> str:
        """Return the address of a message of the chat."""
        if not self.slug or not identity:
            return ""
        return reverse("chat-page", args=[self.team, self.slug]) + f"?at={identity}#m-{identity}"

    def entry(self, book: str, uid: str) -> str:
        """Return the address of a lorebook's entry."""
        if not self._object("lorebook", book):
            return ""
        return reverse("book-entry", args=[self.team, book]) + "?" + urlencode({"uid": uid})

    def _object(self, kind: str, pointer: Any) -> str:
        slug = str(pointer or "").partition("@")[0]
        if not slug or any(letter in slug for letter in " '/?#"):
            return ""  # a book inside a card is no object
        return reverse("kind-page", args=[self.team, kinds.get(kind).plural_path, slug])


@dataclass(slots=True)
class ShownPrompt:
    """Everything that the pages show of one answer."""

    answer: RenderAnswer
    all_parts: Sequence[Part]
    parts: list[ShownPart]
    html: SafeString
    bar: WindowBar
    left: list[Left]
    left_count: int
    left_tokens: int
    reasons: Reasons


def shown_prompt(answer: RenderAnswer, links: Links, *, whole: bool = False) -> ShownPrompt:
    """Return the prompt of an answer; of a long one only the two ends are taken apart, unless `whole`."""
    reasons = Reasons(answer.rendered)
    parts = answer.parts
    texts = _texts(answer, parts)
    window = answer.token_budget.context_limit or max(answer.token_budget.prompt_tokens, 1)
    folded = range(0) if whole else _folded(parts)
    words = _Words(reasons, links, window)
    messages = answer.rendered.assembled.messages
    shown = [
        words.part(at, part, texts[at] if part.place is None else messages[part.place].plain)
        for at, part in enumerate(parts)
        if at not in folded
    ]
    if folded:
        shown.insert(folded.start, words.joined(folded, parts))
    left, count, spent = _left(answer, reasons, links)
    html = prompt_html(answer, texts, folded) if answer.prompt is not None else SafeString("")
    return ShownPrompt(answer, parts, shown, html, _bar(answer, parts), left, count, spent, reasons)


def _texts(answer: RenderAnswer, parts: Sequence[Part]) -> list[str]:
    """Return the text of each part: that of the prompt, or of the message where there is only an array."""
    rendered = answer.rendered
    if rendered.segments is not None:
        return [text for _place, _source, text in runs_of(rendered)]
    messages = rendered.assembled.messages
    return [messages[part.place].plain if part.place is not None else "" for part in parts]


def _folded(parts: Sequence[Part]) -> range:
    """Return the places of the parts in the middle of a long prompt, which are shown as one."""
    if len(parts) <= MOST_PARTS:
        return range(0)
    first = next((at for at, part in enumerate(parts) if part.message is not None), 0)
    return range(min(first + 1, HEAD), len(parts) - TAIL)


@dataclass(frozen=True, slots=True)
class _Words:
    """Puts parts into words."""

    reasons: Reasons
    links: Links
    window: int

    def part(self, at: int, part: Part, text: str) -> ShownPart:
        return ShownPart(
            number=at,
            role=_colour(part),
            speaker=part.role or "",
            title=self.reasons.title(part),
            excerpt=excerpt(text),
            tokens=part.tokens,
            share=self._share(part.tokens),
            why=self.reasons.why(part),
            href=self.links.of(part),
        )

    def joined(self, folded: range, parts: Sequence[Part]) -> ShownPart:
        inside = [parts[at] for at in folded]
        tokens = sum(part.tokens for part in inside)
        title = f"{self.reasons.title(inside[0])} – {self.reasons.title(inside[-1])}"
        return ShownPart(folded.start, "markup", "", title, "", tokens, self._share(tokens), [], count=len(inside))

    def _share(self, tokens: int) -> str:
        return f"{100 * tokens / self.window:.1f}"


def is_chosen(change: Change) -> bool:
    """Whether a change is the decision about an entry of an engine that fills a context template."""
    return change.origin.startswith("lore:") and change.reason in INFILL and "kind" in (change.data or {})


def excerpt(text: str) -> str:
    """Return the beginning of a text on one line."""
    flat = " ".join(text[: 4 * EXCERPT].split())
    return flat[:EXCERPT] + "…" if len(flat) > EXCERPT or len(text) > 4 * EXCERPT else flat


def _colour(part: Part) -> str:
    return part.role if part.role is not None else "markup"


def _left(answer: RenderAnswer, reasons: Reasons, links: Links) -> tuple[list[Left], int, int]:
    """Return what left or was kept out, with its count and the tokens that are known."""
    found: list[Left] = []
    tokens = count = 0
    history = answer.rendered.sources.history if answer.rendered.sources is not None else ()
    for record in answer.rendered.trace:
        if record.stage == "lore":
            continue
        for change in record.changes:
            if change.kind != "dropped" or is_chosen(change):
                continue
            count += 1
            figures = change.data or {}
            tokens += int(figures.get("tokens") or 0)
            if len(found) < MOST_LEFT:
                at = change.message
                text = history[at].plain if at is not None and at < len(history) else ""
                title = reasons.origin(change.origin, at, figures)
                href = links.message(change.id) if at is not None else ""
                found.append(Left(title, reasons.left(change.reason, figures), excerpt(text), href))
    return found, count, tokens


def _bar(answer: RenderAnswer, parts: Sequence[Part]) -> WindowBar:
    budget = answer.token_budget
    kept = (budget.reserved_for_reply or 0) if budget.context_limit is not None else 0
    total = max(budget.context_limit or 0, budget.prompt_tokens + kept, 1)
    runs = [(_colour(part), part.tokens) for part in parts if part.tokens]
    while len(runs) > MOST_RECTS:
        pairs = [runs[at : at + 2] for at in range(0, len(runs), 2)]
        runs = [(max(pair, key=lambda run: run[1])[0], sum(run[1] for run in pair)) for pair in pairs]
    scale = budget.prompt_tokens / max(sum(tokens for _role, tokens in runs), 1)
    stretches, at = [], 0.0
    for role, tokens in runs:
        width = WIDTH * tokens * scale / total
        stretches.append(Stretch(f"{at:.2f}", f"{width:.2f}", role, is_markup=role == "markup"))
        at += width
    width = WIDTH * kept / total
    reserved = Stretch(f"{WIDTH - width:.2f}", f"{width:.2f}", "reserved", is_markup=True) if kept else None
    limit = budget.context_limit
    free = max(0, limit - kept - budget.prompt_tokens) if limit is not None else 0
    is_over = limit is not None and budget.prompt_tokens + kept > limit
    return WindowBar(stretches, reserved, limit, budget.prompt_tokens, kept, free, is_over)


def prompt_html(answer: RenderAnswer, texts: Sequence[str], folded: range) -> SafeString:
    """Return the labelled prompt; its text content is the prompt. Each piece names its part."""
    is_marked = len(answer.prompt or "") - sum(len(texts[at]) for at in folded) <= MOST_MARKED
    stops = [stop for stop in answer.stop if stop.strip() == stop and " " not in stop]
    marker = Marker.of([*answer.token_texts, *stops] if is_marked else ())
    return format_html_join("", "{}", ((one,) for one in _pieces(answer, texts, marker, folded, is_marked=is_marked)))


def _pieces(
    answer: RenderAnswer, texts: Sequence[str], marker: Marker, folded: range, *, is_marked: bool
) -> Iterator[SafeString]:
    number, here = -1, None
    for segment, place in zip(answer.segments, answer.rendered.turns, strict=True):
        key = (place, "" if place is not None else segment.source)
        if key != here:
            number, here = number + 1, key
            if number == folded.start and folded:
                text = "".join(texts[at] for at in folded)
                yield format_html('<span class="seg ct" data-turn="{}">{}</span>', number, plain_html(text))
        if number in folded or not segment.text:
            continue
        is_content = segment.kind == "content"
        inner = marker.html(segment.text, is_content=is_content) if is_marked else plain_html(segment.text)
        yield format_html('<span class="seg {}" data-turn="{}">{}</span>', "ct" if is_content else "mk", number, inner)
