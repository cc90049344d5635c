"""A kind made up for the tests, and a document for every registered kind."""

from __future__ import annotations

from typing import Any

from neotavern.ground.errors import invalid
from neotavern.library import kinds
from neotavern.library.kinds import CheckReport, Detected, Exported, Finding, Kind, Mention, ValidDocument
from neotavern.library.pointers import parse_pointer


def validate_note(document: Any) -> ValidDocument:
    """A note has id and text; `see` names another note."""
    if not isinstance(document, dict) or not isinstance(document.get("text"), str):
        raise invalid("text", "A note needs a text.")
    see = document.get("see")
    return ValidDocument(
        document=document,
        name=document.get("name", "Note"),
        slug=document["id"],
        tags=document.get("tags", []),
        search_text=document["text"],
        mentions=[Mention("see", "note", parse_pointer(see))] if see else [],
    )


def check_note(document: dict[str, Any]) -> CheckReport:
    """A note that says `bad` is red."""
    if "bad" not in document["text"]:
        return CheckReport()
    return CheckReport("red", [Finding("error", "bad-word", "It says bad.", "text", 1, 1)])


def export_note(document: dict[str, Any], version: str | None) -> Exported:
    """The text alone."""
    return Exported(document["text"].encode(), "text/plain", "txt")


NOTE = Kind(
    name="note",
    title="note",
    plural_path="notes",
    validate=validate_note,
    checks=check_note,
    detect=lambda value: Detected("note 1") if isinstance(value, dict) and value.get("kind") == "note" else None,
    exporters={"text": export_note},
)


def note(slug: str = "shop", text: str = "milk", **fields: Any) -> dict[str, Any]:
    """A note document."""
    return {"kind": "note", "id": slug, "text": text, **fields}


def instruct_format(slug: str = "house", text: str = "", **fields: Any) -> dict[str, Any]:
    """A small format document, version 2; `text` makes it differ."""
    return {
        "kind": "instruct-format",
        "version": 2,
        "id": slug,
        "name": "House",
        "system": "S:" + text + "{{{content}}}\n",
        "user": "U:{{{content}}}\n",
        "assistant": "A:{{{content}}}\n",
        "tool": "T:{{{content}}}\n",
        "promptSuffix": "A:",
        **fields,
    }


def preset(slug: str = "writing", **fields: Any) -> dict[str, Any]:
    """A small preset document."""
    return {"kind": "preset", "version": 1, "id": slug, "name": "Writing", **fields}


TURNS = (
    "{{#each chatMessages}}{{#if (eq role 'user')}}{{#userBlock}}{{message}}{{/userBlock}}{{else}}"
    "{{#assistantBlock}}{{name}}: {{message}}{{/assistantBlock}}{{/if}}{{/each}}"
)
"""The smallest template that loses nothing of a chat."""

STORIES: dict[str, dict[str, Any]] = {
    "character": {"name": "Keeper"},
    "persona": {"name": "Bob", "shared": True},
    "lorebook": {"name": "Quay"},
    "memory": {"name": "Storm"},
    "interceptor": {"name": "Softer"},
    "chat": {"name": "Night", "shared": True},
    "prompt-config": {"name": "Calm"},
    "context-template": {"name": "Order", "template": TURNS},
}
"""Kinds of the floor above, prompt configs and context templates: what their smallest document needs besides a text."""

_TEXT_FIELD = {"memory": "content", "prompt-config": "systemPrompt"}


def story_text(kind: Kind, variant: int) -> dict[str, Any]:
    """The field that makes two documents of `kind` differ."""
    return {_TEXT_FIELD.get(kind.name, "description"): f"text {variant}"}


def document_of(kind: Kind, variant: int) -> tuple[str | None, dict[str, Any]]:
    """Return a slug (None: the document has it) and a document of `kind`; another one for each variant."""
    if kind.name == "app-settings":
        return "team", {"variables": {"place": f"room {variant}"}}
    if kind.name == "note":
        return None, note(text=f"milk {variant}")
    if kind.name == "instruct-format":
        return None, instruct_format(text=f"{variant}")
    if kind.name == "preset":
        return None, preset(stopStrings=[f"stop {variant}"])
    if kind.name in STORIES:
        return None, {"kind": kind.name, "version": 1, "id": "lamp", **STORIES[kind.name], **story_text(kind, variant)}
    raise AssertionError(f"tests/library/samples.py needs a document of kind {kind.name}")


def all_kinds() -> list[Kind]:
    """Every registered kind and the one made up here."""
    return [*(kind for kind in kinds.kinds() if kind.name != NOTE.name), NOTE]


class NoteKind:
    """Registers the made-up kind for the tests of a class."""

    @classmethod
    def setUpClass(cls) -> None:
        kinds.unregister(NOTE.name)
        kinds.register(NOTE)
        super().setUpClass()  # type: ignore[misc]

    @classmethod
    def tearDownClass(cls) -> None:
        super().tearDownClass()  # type: ignore[misc]
        kinds.unregister(NOTE.name)
