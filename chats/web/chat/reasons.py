"""Why something is in a prompt or not, in words: codes and figures of the pipeline become sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from chats.pipeline.parts import Part
from chats.pipeline.sources import Rendered
from chats.web.places import LABELS, label_of

Figures = Mapping[str, Any]

FIELDS: Final = {
    "description": lazy("description"),
    "personality": lazy("personality"),
    "scenario": lazy("scenario"),
    "mes_example": lazy("example dialogue"),
    "depth_prompt": lazy("note at a depth"),
}
BLOCKS: Final = {
    "main-prompt": lazy("main prompt"),
    "world-info-before": lazy("lore before the character"),
    "persona": lazy("persona"),
    "character-description": lazy("description of the character"),
    "character-personality": lazy("personality of the character"),
    "scenario": lazy("scenario"),
    "world-info-after": lazy("lore after the character"),
    "dialogue-examples": lazy("example dialogue"),
    "memory": lazy("memory"),
    "authors-note": lazy("author's note"),
    "chat-history": lazy("history"),
    "post-history-instructions": lazy("instructions after the history"),
    "summary": lazy("summary of what left"),
    "impersonation": lazy("request to write as the user"),
    "context-template": lazy("context template"),
    "narrative-graph": lazy("relationships of the cast"),
}
POSITIONS: Final = {
    "before_character": lazy("before the character"),
    "after_character": lazy("after the character"),
    "note_top": lazy("above the author's note"),
    "note_bottom": lazy("below the author's note"),
    "examples_top": lazy("above the examples"),
    "examples_bottom": lazy("below the examples"),
}
PLACES: Final = {
    "scenario": lazy("the scenario"),
    "persona": lazy("the persona"),
    "description": lazy("the description"),
    "personality": lazy("the personality"),
    "creator_notes": lazy("the creator's notes"),
    "character_note": lazy("the character's note"),
}
LOGICS: Final = {
    "and_any": lazy("any of them has to be there"),
    "and_all": lazy("all of them have to be there"),
    "not_any": lazy("none of them may be there"),
    "not_all": lazy("not all of them may be there"),
}
GROUPS: Final = {
    "held": lazy("it was in already"),
    "score": lazy("more of its keys matched"),
    "override": lazy("it goes first in its group"),
    "weight": lazy("the dice chose it by weight"),
}
LEFT: Final = {
    "context-shift": lazy("It did not fit: what may leave first left."),
    "manual": lazy("It is marked as left out."),
    "regenerate": lazy("It is the reply that is made again."),
    "tool-pair": lazy("Its tool call or its results are out, and they stay together."),
    "disabled": lazy("Its block is switched off."),
    "trigger": lazy("Its block is not for this generation type."),
    "model-mismatch": lazy("Its block is for another model."),
    "interceptor": lazy("An interceptor took it out."),
    "template": lazy("The context template has no place for it."),
    "tokenLimit": lazy("It was too long for the place it has."),
    "belowTrigger": lazy("The chat is too short for it yet."),
}
INFILL: Final = {
    "pinned": lazy("In: it is pinned."),
    "scored": lazy("In: what is said now speaks of it."),
    "zeroScore": lazy("In: there was room left."),
    "recent": lazy("In: it is one of the newest."),
    "disabled": lazy("Out: it is switched off."),
    "hidden": lazy("Out: it is not for this speaker, or not for this kind of generation."),
    "lowScore": lazy("Out: what is said now says too little of it."),
    "unlike": lazy("Out: its meaning is too far from what is said now."),
    "repeated": lazy("Out: something that says the same is in."),
    "cap": lazy("Out: enough of its kind is in."),
    "budget": lazy("Out: there was no room left for it."),
    "tokenLimit": lazy("Out: it is too long."),
}
"""Why something that a context template may print is in or out; docs/infill.md explains each."""


class Reasons:
    """The words for one render: numbers of messages are those of the chat, its first message is 1."""

    def __init__(self, rendered: Rendered) -> None:
        history = rendered.sources.history if rendered.sources is not None else ()
        self._numbers = [at for at, message in enumerate(history, 1) if not message.excluded]

    # where a part of the prompt comes from

    def title(self, part: Part) -> str:
        """Return in a few words what a part is."""
        if part.place is None:
            return _field(part.origin)
        return self.origin(part.origin, part.message, part.why)

    def origin(self, origin: str, message: int | None, why: Figures | None = None) -> str:
        """Return what an origin is called."""
        why = why or {}
        sort, _sep, rest = origin.partition(":")
        if sort == "history" and message is not None:
            return _("message %(n)d") % {"n": message + 1}
        if sort == "lore":
            names = [str(one.get("name") or one.get("uid")) for one in why.get("entries") or ()]
            return _("lore “%(name)s”") % {"name": "”, “".join(names) or str(why.get("name") or rest)}
        if sort == "character":
            field = str(FIELDS.get(str(why.get("field")), why.get("field") or _("character")))
            return f"{why['of']}: {field}" if why.get("of") else field
        known: dict[str, Callable[[], str]] = {
            "input": lambda: _("what you are writing"),
            "persona": lambda: _("persona"),
            "infill": lambda: _("choice of lore"),
            "memory": lambda: _("memory “%(name)s”") % {"name": rest},
            "block": lambda: _block(rest),
            "interceptor": lambda: _("interceptor “%(name)s”") % {"name": rest},
        }
        return known[sort]() if sort in known else origin

    def why(self, part: Part) -> list[str]:
        """Return why a part is in the prompt, and what was done to it, a sentence each."""
        facts = part.why
        told = [_own_text() if part.place is None else self.whence(part.origin, facts)]
        for entry in facts.get("entries") or ():
            told += self._entry(entry)
        if "rank" in facts and part.origin.startswith("memory:"):
            told.append(self.memory(str(facts["rank"]), facts))
        told += [self.changed(one) for one in facts.get("changed") or ()]
        if facts.get("pinned") and part.origin in ("history", "input"):
            told.append(_("It is pinned, so it never leaves."))
        return [one for one in told if one]

    def _entry(self, entry: Figures) -> list[str]:
        """Return why an entry is in: called by its keys, or chosen for a context template that holds many."""
        reason = str(entry.get("reason", ""))
        if "kind" in entry:
            return [f"{self.origin('lore:', None, entry)} – {self.infill(reason, entry)}"]
        return [self.lore(reason, entry), self.matched(entry)]

    def whence(self, origin: str, facts: Figures) -> str:
        """Return what put a message where it stands."""
        if origin == "history":
            return _("It is in the chat.")
        if origin == "input":
            return _("It is not in the chat yet: you are writing it.")
        if origin == "block:context-template":
            return _("The context template made it.")
        if "insertedAt" in facts:
            n = int(facts["insertedAt"])
            return ngettext("Put %(n)d message before the end.", "Put %(n)d messages before the end.", n) % {"n": n}
        if facts.get("block"):
            return _("Block “%(block)s” of the prompt put it here.") % {"block": _block(str(facts["block"]))}
        return ""

    # lore

    def lore(self, code: str, figures: Figures) -> str:
        """Return why an entry is in or out. Codes and figures are those of docs/lorebooks.md."""
        made = _LORE.get(code)
        return made(self, figures) if made is not None else code

    def matched(self, figures: Figures) -> str:
        """Return the figures of an entry that is in: keys, score, order, place, tokens."""
        return _matched(figures)

    def message(self, figures: Figures) -> str:
        """Return which message a depth means."""
        depth = figures.get("depth")
        if not isinstance(depth, int) or depth >= len(self._numbers):
            return _("a message")
        return _("message %(n)d") % {"n": self._numbers[-1 - depth]}

    # other stages

    def memory(self, reason: str, figures: Figures) -> str:
        """Return why a memory stands where it does."""
        if reason == "pinned":
            return _("A pinned memory: it is always first.")
        return _("Ranked by what the newest messages speak of: %(score)s.") % {"score": figures.get("score", "")}

    def changed(self, figures: Figures) -> str:
        """Return what a stage did to a message."""
        if figures.get("stage") in ("assemble", "lore"):
            asked = {"engine": figures.get("engine") or figures.get("asked"), "n": figures.get("tokens")}
            return _("Engine “%(engine)s” chose lore and messages of %(n)s tokens.") % asked
        if figures.get("stage") == "interceptors" or figures.get("interceptor"):
            return _("Interceptor “%(name)s” changed it.") % {"name": figures.get("interceptor", "")}
        return _("Macros in it were replaced.")

    def infill(self, reason: str, figures: Figures) -> str:
        """Return why a candidate of a context template is in or out, with its score."""
        text = str(INFILL.get(reason, reason))
        score, tokens = figures.get("score"), figures.get("tokens")
        words = [_("score %(n)s") % {"n": score}] if score is not None else []
        words += [ngettext("%(n)d token", "%(n)d tokens", int(tokens)) % {"n": int(tokens)}] if tokens else []
        return f"{text} ({', '.join(words)})" if words else text

    def left(self, reason: str, figures: Figures) -> str:
        """Return why a message or block is out."""
        text = str(LEFT.get(reason, reason))
        if figures.get("interceptor"):
            text = _("Interceptor “%(name)s” took it out.") % {"name": figures["interceptor"]}
        tokens = figures.get("tokens")
        return text if tokens is None else f"{text} {_tokens(int(tokens))}"


def _tokens(n: int) -> str:
    return ngettext("It would take %(n)d token.", "It would take %(n)d tokens.", n) % {"n": n}


def _block(name: str) -> str:
    return str(BLOCKS.get(name, name))


def _field(source: str) -> str:
    known = {
        "prefill": _("prefill"),
        "tools": _("list of tools"),
        "skills": _("list of skills"),
        "format": _("what every prompt has"),
    }
    if source in known:
        return known[source]
    return f"{label_of(source)} ({source})" if source in LABELS else source


def _own_text() -> str:
    return _("Text of the format, or of the request, that belongs to no message.")


def _matched(entry: Figures) -> str:
    words: list[str] = []
    keys = entry.get("keys") or ()
    if len(keys) > 1:
        words.append(_("keys that matched: %(keys)s") % {"keys": ", ".join(f"“{key}”" for key in keys)})
    if keys:
        words.append(_("score %(n)s") % {"n": entry.get("score")})
    words.append(_("order %(n)s") % {"n": entry.get("order")})
    if entry.get("position") == "at_depth":
        words.append(_("at depth %(n)s as %(role)s") % {"n": entry.get("insertedAt"), "role": entry.get("role")})
    else:
        words.append(str(POSITIONS.get(str(entry.get("position")), entry.get("position"))))
    if entry.get("tokens") is not None:
        words.append(ngettext("%(n)d token", "%(n)d tokens", int(entry["tokens"])) % {"n": int(entry["tokens"])})
    return _("Lorebook “%(book)s”: %(words)s.") % {"book": entry.get("book"), "words": ", ".join(words)}


def _near(told: Reasons, figures: Figures) -> str:
    names = {"key": figures.get("key"), "word": figures.get("word"), "place": told.message(figures)}
    if figures.get("near") == "inside":
        return (
            _("Out: key “%(key)s” stands only inside “%(word)s” in %(place)s; the entry asks for whole words.") % names
        )
    if figures.get("near") == "case":
        return (
            _("Out: key “%(key)s” stands in %(place)s in other letters; the entry minds capital and small ones.")
            % names
        )
    return _("Out: none of its keys is in the messages that it looks at.")


def _budget(told: Reasons, figures: Figures) -> str:
    whose = _("for all lore") if figures.get("scope") == "lore" else _("of its book")
    return _("Out: it needs %(tokens)s tokens, and %(used)s of the %(budget)s tokens %(whose)s were taken.") % {
        **{name: figures.get(name) for name in ("tokens", "used", "budget")},
        "whose": whose,
    }


def _group(told: Reasons, figures: Figures) -> str:
    return _("Out: of the group “%(group)s” only one is in, and that is “%(winner)s”: %(how)s.") % {
        "group": figures.get("group"),
        "winner": figures.get("winner"),
        "how": GROUPS.get(str(figures.get("by")), figures.get("by")),
    }


def _secondary(told: Reasons, figures: Figures) -> str:
    matched = figures.get("matched") or ()
    return _("Out: its key matched, its secondary keys do not fit: %(n)d of %(of)s matched, and %(logic)s.") % {
        "n": len(matched),
        "of": figures.get("of"),
        "logic": LOGICS.get(str(figures.get("logic")), figures.get("logic")),
    }


def _recursion_only(told: Reasons, figures: Figures) -> str:
    if not figures.get("recursive"):
        return _("Out: it waits for recursion, which is off in its book.")
    return _("Out: it waits for step %(level)s of recursion, and no entry led so far.") % {
        "level": figures.get("level")
    }


def _said(text: Any, *names: str) -> Callable[[Reasons, Figures], str]:
    """Return a sentence with figures under their own names."""
    return lambda told, figures: str(text) % {name: figures.get(name) for name in names} if names else str(text)


_LORE: Final[Mapping[str, Callable[[Reasons, Figures], str]]] = {
    "key": lambda told, one: _("In: key “%(key)s” in %(place)s.") % {"key": one.get("key"), "place": told.message(one)},
    "place": lambda told, one: (
        _("In: key “%(key)s” in %(place)s.")
        % {"key": one.get("key"), "place": PLACES.get(str(one.get("place")), one.get("place"))}
    ),
    "recursion": _said(lazy("In: key “%(key)s” in the text of the entry “%(by)s”."), "key", "by"),
    "ranked": lambda told, one: told.infill("scored", {"score": one.get("score")}),
    "constant": _said(lazy("In: it is constant.")),
    "pinned": _said(lazy("In: it is pinned.")),
    "sticky": _said(
        lazy("In: it was called before and stays until the chat has %(until)s messages; it has %(messages)s."),
        "until",
        "messages",
    ),
    "disabled": _said(lazy("Out: it is switched off.")),
    "noKeys": _said(lazy("Out: it has no keys, and is not constant.")),
    "notMatched": _near,
    "beyondDepth": lambda told, one: (
        _("Out: key “%(key)s” is in %(place)s, too far up: the entry looks at the newest %(n)s messages.")
        % {"key": one.get("key"), "place": told.message(one), "n": one.get("scanDepth")}
    ),
    "secondary": _secondary,
    "trigger": _said(lazy("Out: it is not for the generation type “%(generationType)s”."), "generationType"),
    "character": _said(lazy("Out: it is not for “%(speaker)s”, who speaks next."), "speaker"),
    "delay": _said(
        lazy("Out: it waits until the chat has %(from)s messages; it has %(messages)s."), "from", "messages"
    ),
    "cooldown": _said(
        lazy("Out: it was in recently, and rests until the chat has %(until)s messages; it has %(messages)s."),
        "until",
        "messages",
    ),
    "recursionOnly": _recursion_only,
    "recursionExcluded": _said(lazy("Out: its key is only in texts of other entries, and those may not call it.")),
    "recursionLimit": _said(lazy("Out: recursion ended after %(steps)s steps."), "steps"),
    "group": _group,
    "probability": _said(
        lazy("Out: the dice. It comes in %(probability)s %% of the time, and the roll was %(roll)s."),
        "probability",
        "roll",
    ),
    "budget": _budget,
    "duplicateBook": _said(lazy("Out: its book is the same as “%(of)s”, and used once."), "of"),
    "unknown": _said(lazy("There is no such entry.")),
}
CODES: Final = frozenset(_LORE)
"""Every code that has words."""
