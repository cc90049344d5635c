"""Message catalogues without gettext's tools: `python locale/catalogues.py` collects strings and compiles.

Strings come from Python (`_`, `gettext`, `lazy`, `ngettext` and their kind) and from templates. New ones are added to
each .po file with an empty translation, unused ones are taken out, and each .mo is written anew. The tests of messages
fail while a translation is missing or a .mo is older than its .po.
"""

from __future__ import annotations

import ast
import re
import struct
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("en", "es", "fr")
PLURALS = {"en": "(n != 1)", "es": "(n != 1)", "fr": "(n > 1)"}
SOURCES = ("neotavern", "formats", "chats")
SINGLE = frozenset({"_", "gettext", "gettext_lazy", "gettext_noop", "lazy"})
PLURAL = frozenset({"ngettext", "ngettext_lazy"})
CONTEXT = "\x04"


@dataclass
class Message:
    """A string to translate; `texts` are its translations, one for each plural form."""

    id: str
    plural: str | None = None
    context: str | None = None
    places: set[str] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)
    is_fuzzy: bool = False

    @property
    def key(self) -> str:
        """What tells messages apart."""
        return self.id if self.context is None else f"{self.context}{CONTEXT}{self.id}"


def collect(root: Path = ROOT) -> dict[str, Message]:
    """Return every translatable string of the project."""
    found: dict[str, Message] = {}
    for path in sorted(path for source in SOURCES for path in (root / source).rglob("*.py")):
        if "migrations" not in path.parts:
            _add(found, _python(path.read_text("utf-8")), path.relative_to(root))
    for path in sorted((root / "templates").rglob("*.html")):
        _add(found, _template(path), path.relative_to(root))
    return found


def _add(found: dict[str, Message], messages: Iterable[Message], place: Path) -> None:
    for message in messages:
        known = found.setdefault(message.key, message)
        known.plural = known.plural or message.plural
        known.places.add(place.as_posix())


def _python(text: str) -> Iterator[Message]:
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        words = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        if name in SINGLE and words:
            yield Message(words[0])
        elif name in PLURAL and len(words) >= 2:
            yield Message(words[0], words[1])
        elif name == "pgettext" and len(words) >= 2:
            yield Message(words[1], context=words[0])


def _template(path: Path) -> Iterator[Message]:
    """Django turns a template into something like Python for xgettext; its calls are read from there."""
    from django.utils.translation.template import templatize

    text = templatize(path.read_text("utf-8"), origin=str(path))
    for call in re.finditer(r"\b(_|gettext|ngettext|pgettext)\(", text):
        source = _call(text, call.start())
        if source is not None:
            yield from _python(source)


def _call(text: str, start: int) -> str | None:
    """Return the call that begins at `start`, up to the bracket that closes it."""
    for end in (match.end() for match in re.finditer(r"\)", text[start:])):
        source = text[start : start + end]
        try:
            ast.parse(source)
        except SyntaxError:
            continue
        return source
    return None


def read_po(path: Path) -> dict[str, Message]:
    """Return the messages of a .po file, the header under the empty key."""
    found: dict[str, Message] = {}
    for block in re.split(r"\n\s*\n", path.read_text("utf-8")) if path.exists() else []:
        message = _block(block)
        if message is not None:
            found[message.key] = message
    return found


def _block(block: str) -> Message | None:
    parts: dict[str, str] = {}
    now = ""
    for line in block.splitlines():
        match = re.match(r'(msg[a-z_]+(?:\[\d+\])?)\s+(".*")$', line)
        if match:
            now = match[1]
            parts[now] = ast.literal_eval(match[2])
        elif line.startswith('"') and now:
            parts[now] += ast.literal_eval(line)
    if "msgid" not in parts:
        return None
    texts = [text for key, text in sorted(parts.items()) if key.startswith("msgstr")]
    is_fuzzy = re.search(r"^#,.*\bfuzzy\b", block, re.MULTILINE) is not None
    return Message(parts["msgid"], parts.get("msgid_plural"), parts.get("msgctxt"), set(), texts, is_fuzzy)


def header(language: str) -> str:
    """Return the header of a catalogue."""
    return (
        f"Language: {language}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
        f"Content-Transfer-Encoding: 8bit\nPlural-Forms: nplurals=2; plural={PLURALS[language]};\n"
    )


def write_po(path: Path, messages: Iterable[Message], language: str) -> None:
    """Write a .po file in the order of the ids."""
    blocks = [f'msgid ""\nmsgstr {_quoted(header(language))}']
    for message in sorted(messages, key=lambda one: one.key):
        lines = [f"#: {' '.join(sorted(message.places))}"] if message.places else []
        if message.context is not None:
            lines.append(f"msgctxt {_quoted(message.context)}")
        lines.append(f"msgid {_quoted(message.id)}")
        if message.plural is None:
            lines.append(f"msgstr {_quoted(message.texts[0] if message.texts else '')}")
        else:
            lines.append(f"msgid_plural {_quoted(message.plural)}")
            forms = [*message.texts, "", ""][:2]
            lines += [f"msgstr[{number}] {_quoted(text)}" for number, text in enumerate(forms)]
        blocks.append("\n".join(lines))
    path.write_text("\n\n".join(blocks) + "\n", "utf-8")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def compiled(messages: Iterable[Message], language: str) -> bytes:
    """Return the .mo file of a catalogue."""
    pairs = {"": header(language)}
    for message in messages:
        key = message.key if message.plural is None else f"{message.key}\0{message.plural}"
        pairs[key] = "\0".join(message.texts)
    entries = sorted((key.encode(), text.encode()) for key, text in pairs.items())
    ids = b"".join(key + b"\0" for key, _ in entries)
    texts = b"".join(text + b"\0" for _, text in entries)
    tables = 28 + 16 * len(entries)
    id_table, text_table, at_id, at_text = b"", b"", tables, tables + len(ids)
    for key, text in entries:
        id_table += struct.pack("<II", len(key), at_id)
        text_table += struct.pack("<II", len(text), at_text)
        at_id, at_text = at_id + len(key) + 1, at_text + len(text) + 1
    head = struct.pack("<7I", 0x950412DE, 0, len(entries), 28, 28 + 8 * len(entries), 0, tables)
    return head + id_table + text_table + ids + texts


def folder(language: str, root: Path = ROOT) -> Path:
    """Return where the catalogue of a language is."""
    return root / "locale" / language / "LC_MESSAGES"


def update() -> int:
    """Bring all catalogues up to date; return how many translations are missing."""
    wanted = collect()
    missing = 0
    for language in LANGUAGES:
        path = folder(language) / "django.po"
        known = read_po(path)
        for key, message in wanted.items():
            message.texts = known[key].texts if key in known else []
            if language == "en" and not any(message.texts):
                message.texts = [message.id] if message.plural is None else [message.id, message.plural]
        write_po(path, wanted.values(), language)
        bare = [message.id for message in wanted.values() if not message.texts or not all(message.texts)]
        missing += len(bare)
        print(f"{language}: {len(wanted)} strings, {len(bare)} without translation")
        done = [message for message in wanted.values() if message.texts and all(message.texts)]
        (folder(language) / "django.mo").write_bytes(compiled(done, language))
    return missing


if __name__ == "__main__":
    import django
    from django.conf import settings

    settings.configure(USE_I18N=True, TEMPLATES=[])
    django.setup()
    sys.exit(1 if update() else 0)
