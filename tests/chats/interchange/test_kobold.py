"""A save of Kobold Lite is a chat, a book and a format; a story of KoboldAI a chat and a book."""

from __future__ import annotations

from typing import Any

from chats.interchange.kobold import split_save
from chats.interchange.registry import reader_of
from formats.interchange.registry import reader_of as format_reader_of
from formats.prompt import InstructFormat, Message, render

SAVE: dict[str, Any] = {
    "gamestarted": True,
    "prompt": "{{[INPUT]}}\nIs the ferry late?",
    "memory": "A quay at night.",
    "authorsnote": "Fog.",
    "anotetemplate": "[Mood: <|>]",
    "actions": ["\n{{[OUTPUT]}}\nBy an hour.", "\n{{[INPUT]}}\nI wait."],
    "worldinfo": [{"key": "ferry,boat", "keysecondary": "fog", "content": "It is small.", "selective": True, "num": 3}],
    "savedsettings": {
        "opmode": 4, "chatname": "Ada", "chatopponent": "Keeper||$||Clerk", "instruct_starttag": "\\n### Asks:\\n",
        "instruct_endtag": "\\n### Tells:\\n", "instruct_systag": "", "temperature": 0.7,
    },
    "story_id": 7,
}  # fmt: skip


def test_a_save_is_a_chat_a_book_and_a_layout() -> None:
    chat, book, layout = split_save(SAVE) or ()
    assert chat.document == {
        "kind": "chat",
        "version": 1,
        "name": "Keeper",
        "messages": [
            {"role": "user", "content": "Is the ferry late?", "name": "Ada"},
            {"role": "assistant", "content": "By an hour.", "name": "Keeper"},
            {"role": "user", "content": "I wait.", "name": "Ada"},
        ],
        "scenario": "A quay at night.",
        "authorsNote": {"content": "[Mood: Fog.]"},
    }
    assert [loss.path for loss in chat.losses] == [
        "story_id", "savedsettings.temperature", "savedsettings.chatopponent"
    ]  # fmt: skip
    reader = reader_of("lorebook", book.document)
    assert reader is not None
    entry = reader.read(book.document, "save.json")[0]["entries"][0]
    assert (entry["keys"], entry["secondaryKeys"], entry["content"]) == (["ferry", "boat"], ["fog"], "It is small.")
    made = format_reader_of("instruct-format", layout.document)
    assert made is not None
    fmt = InstructFormat.model_validate(made.read(layout.document, "save.json")[0])
    assert render(fmt, [Message("user", "Hi")]).text == "\n### Asks:\nHi\n### Tells:\n"


def test_a_story_without_marks_is_one_text() -> None:
    story = {"gamestarted": True, "prompt": "The quay is empty.", "actions": [" A bell rings."], "worldinfo": []}
    (chat,) = split_save(story) or ()
    assert chat.document["messages"] == [{"role": "assistant", "content": "The quay is empty. A bell rings."}]


def test_other_files_are_no_saves() -> None:
    assert split_save({"gamestarted": True}) is None
    assert split_save([1]) is None


def test_a_book_that_is_none_is_a_loss() -> None:
    parts = split_save({"gamestarted": True, "actions": ["Hi"], "prompt": "", "worldinfo": True})
    assert parts is not None
    assert [(loss.path, loss.reason) for loss in parts[0].losses] == [("worldinfo", "must be an array of entries")]
