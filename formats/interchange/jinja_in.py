"""Jinja chat templates in: tokenizer_config.json, `.jinja` files, GGUF metadata.

A template is tried on the probes. When a built-in format, or a layout worked out from what it prints, prints the same
on all of them, that is what is kept, and the report says so; else the template itself is kept, and the report says
what the nearest layout prints differently.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from formats.builtin import builtin, builtin_document
from formats.interchange import gguf
from formats.interchange.jinja_derive import derived
from formats.interchange.likeness import BARE, Likeness, carrying, likenesses, prints, tokens_of
from formats.interchange.reading import Document, Loss, Part, Reader, heading, is_object, stem
from formats.interchange.wording import stops_of, tokens_in
from formats.jinja.probes import PROBES
from formats.prompt import InstructFormat
from formats.prompt.errors import Fault, FormatError

KIND: Final = "instruct-format"
SOURCE: Final = "$chatTemplate"
VARIANT: Final = "$variant"
_JINJA: Final = re.compile(r"\{%-?\s*(?:for|if|set|macro|generation)\b")
# What a file is called says nothing about the model.
_FILES: Final = frozenset({"tokenizer_config", "chat_template", "processor_config", "template", ""})
_ABOUT: Final = ("id", "name", "description", "tests", "kind", "version")


def read_jinja(text: str) -> list[Any] | None:
    """A text file that is a chat template, as a document for `read_source`; None for any other."""
    if text.lstrip()[:1] in ("[", "") or _JINJA.search(text) is None or "messages" not in text:
        return None
    return [{SOURCE: text}] if not text.lstrip().startswith('{"') else None


def split_named(document: Any) -> list[Part] | None:
    """The named templates of a tokenizer_config.json, or of GGUF metadata, as files of one each."""
    if is_object(document, "chat_template") and isinstance(document["chat_template"], list):
        named = [one for one in document["chat_template"] if isinstance(one, Mapping)]
        return [
            Part("", {**document, "chat_template": one.get("template"), VARIANT: one.get("name")}) for one in named
        ] or None
    if not _is_metadata(document):
        return None
    values = gguf.flattened(document)
    others = {key: value for key, value in values.items() if key.startswith(f"{gguf.TEMPLATE}.")}
    if not others:
        return None
    plain = {key: value for key, value in values.items() if key not in others}
    named_parts = [
        Part("", {**plain, gguf.TEMPLATE: source, VARIANT: key.rpartition(".")[2]}) for key, source in others.items()
    ]
    return [Part("", plain), *named_parts]


def _is_tokenizer(document: Any) -> bool:
    return is_object(document, "chat_template") and isinstance(document["chat_template"], str)


def _is_metadata(document: Any) -> bool:
    return is_object(document) and gguf.TEMPLATE in gguf.flattened(document)


def _is_source(document: Any) -> bool:
    return is_object(document, SOURCE)


def _read_tokenizer(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    model = document.get("name_or_path")
    shown = model.rstrip("/").rpartition("/")[2] if isinstance(model, str) else ""
    tokens = (_token(document, "bos_token"), _token(document, "eos_token"))
    made, losses = _read(document["chat_template"], shown or name, document.get(VARIANT), tokens)
    taken = {"chat_template", "bos_token", "eos_token", "name_or_path", VARIANT}
    rest = ", ".join(f"`{key}`" for key in document if key not in taken)
    if rest:
        losses.append(Loss("", f"these fields are the tokenizer's and no part of a prompt: {rest}"))
    return made, losses


def _read_metadata(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    values = gguf.flattened(document)
    source, shown = values[gguf.TEMPLATE], values.get(gguf.NAME)
    if not isinstance(source, str):
        raise FormatError(Fault(gguf.TEMPLATE, "must be a string"))
    tokens = (gguf.token_text(values, gguf.BOS), gguf.token_text(values, gguf.EOS))
    known = gguf.TOKENS in values
    variant = document.get(VARIANT)
    return _read(source, shown if isinstance(shown, str) else name, variant, tokens if known else None)


def _read_source(document: Mapping[str, Any], name: str = "") -> tuple[Document, list[Loss]]:
    return _read(document[SOURCE], name, None, None)


def _token(document: Mapping[str, Any], key: str) -> str:
    value = document.get(key)
    if isinstance(value, Mapping):
        value = value.get("content")
    return value if isinstance(value, str) else ""


def _read(source: str, name: str, variant: Any, tokens: tuple[str, str] | None) -> tuple[Document, list[Loss]]:
    """The document of a template; `tokens` are BOS and EOS where the file tells them."""
    found = likenesses(source)
    same = next((one for one in found if one.is_same and _fits(one.slug, source, tokens)), None)
    shown = "" if stem(name).casefold() in _FILES else stem(name)
    if isinstance(variant, str) and variant not in ("", "default"):
        shown = f"{shown or 'Chat template'} {variant}"
    if same is not None:
        return _of_builtin(same, shown)
    bos, eos = tokens or ("", "")
    made = heading(KIND, 2, shown, "Chat template") | _jinja(source, bos, eos)
    layout = derived(source, bos, eos)
    if layout is not None:
        return _of_layout(made, layout)
    losses = [Loss("chatTemplate", _nearest(found))]
    losses += [
        Loss(field, f"the template prints `{asked}`, and the file does not say what it is: fill in `{field}`")
        for field, asked, value in (("bos", "bos_token", bos), ("eos", "eos_token", eos))
        if asked in source and not value
    ]
    return made, losses


def _fits(slug: str, source: str, tokens: tuple[str, str] | None) -> bool:
    """Whether the format has the tokens that the file names, as far as the template prints them."""
    if tokens is None:
        return True
    own = tokens_of(builtin(slug))
    return all(
        asked not in source or mine == given
        for asked, mine, given in zip(("bos_token", "eos_token"), own, tokens, strict=True)
    )


def _of_builtin(same: Likeness, shown: str) -> tuple[Document, list[Loss]]:
    document = {key: value for key, value in builtin_document(same.slug).items() if key not in _ABOUT}
    name = shown or builtin(same.slug).name
    proof = f"It prints what the built-in format `{same.slug}` prints on all {same.equal} conversations tried."
    made = heading(KIND, 2, name, same.slug) | {"description": proof} | document
    return made, [Loss("chatTemplate", f"{proof} Its fields are kept in place of the Jinja source.")]


def _of_layout(made: Document, layout: Document) -> tuple[Document, list[Loss]]:
    count = layout.pop("tried")
    proof = f"Worked out from a chat template: it prints the same on all {count} conversations tried."
    about = {key: value for key, value in made.items() if key in _ABOUT}
    kept = {key: made[key] for key in ("stopStrings", "specialTokens")}
    return about | {"description": proof} | kept | layout, [
        Loss("chatTemplate", f"{proof} The fields are kept in place of the Jinja source.")
    ]


def _nearest(found: list[Likeness]) -> str:
    nearest = max(found, key=lambda one: (one.equal, -one.tried), default=None)
    if nearest is None or not nearest.equal:
        return "is kept as Jinja: no built-in format prints what it prints on any conversation tried"
    return f"is kept as Jinja: the nearest built-in format, `{nearest.slug}`, differs in {nearest.differs}"


def _jinja(source: str, bos: str, eos: str) -> Document:
    """The fields of a format that keeps the template, with the tokens and stop strings that its markup shows."""
    fmt = carrying(source, bos, eos)
    listed = [{"token": token, "meaning": meaning} for token, meaning in ((bos, "bos"), (eos, "eos")) if token]
    markup = tokens_in(one.text for one in prints(fmt) if one.text)
    tokens: list[Any] = [*listed, *(token for token in markup if token not in (bos, eos))]
    return BARE | {
        "bos": bos,
        "eos": eos,
        "stopStrings": stops_of([*_ends(fmt), eos]),
        "specialTokens": tokens[:64],
        "chatTemplate": source,
    }


def _ends(fmt: InstructFormat) -> list[str]:
    """The token behind an assistant's text, which is where a reply ends."""
    at = next(at for at, probe in enumerate(PROBES) if probe.name == "three turns")
    text, reply = prints(fmt, at + 1)[at].text or "", PROBES[at].messages[1]["content"]
    return tokens_in([text.partition(reply)[2]])[:1]


READERS: Final = (
    Reader(KIND, "tokenizer_config.json", "huggingface", _is_tokenizer, _read_tokenizer),
    Reader(KIND, "GGUF metadata", "gguf", _is_metadata, _read_metadata),
    Reader(KIND, "Jinja chat template", "jinja", _is_source, _read_source),
)
