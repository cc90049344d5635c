"""Every string of the pages is translated, and the compiled catalogues are those of the .po files."""

from __future__ import annotations

import gettext
import importlib.util
import io
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.utils import translation


def _load() -> ModuleType:
    path = Path(__file__).parents[2] / "locale" / "catalogues.py"
    spec = importlib.util.spec_from_file_location("catalogues", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["catalogues"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


catalogues = _load()
WANTED = catalogues.collect()
ADVICE = "run `python locale/catalogues.py` and translate what it added"


def known(language: str) -> dict[str, Any]:
    found: dict[str, Any] = catalogues.read_po(catalogues.folder(language) / "django.po")
    found.pop("")
    return found


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_no_string_is_missing(language: str) -> None:
    assert sorted(WANTED.keys() - known(language).keys()) == [], ADVICE


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_no_translation_is_empty_or_fuzzy(language: str) -> None:
    bad = [key for key, one in known(language).items() if one.is_fuzzy or not one.texts or not all(one.texts)]
    assert bad == [], ADVICE


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_no_string_is_left_over(language: str) -> None:
    assert sorted(known(language).keys() - WANTED.keys()) == [], ADVICE


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_plurals_have_both_forms(language: str) -> None:
    assert [key for key, one in known(language).items() if one.plural and len(one.texts) != 2] == []


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_placeholders_and_field_names_survive(language: str) -> None:
    def marks(text: str) -> list[str]:
        return sorted(re.findall(r"%\(\w+\)[sd]|</?\w+>|\{\{\w+\}\}|manage\.py \w+", text))

    bad = [key for key, one in known(language).items() if any(marks(text) != marks(one.id) for text in one.texts)]
    assert bad == []


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_the_compiled_catalogue_is_that_of_the_source(language: str) -> None:
    folder = catalogues.folder(language)
    assert (folder / "django.mo").read_bytes() == catalogues.compiled(known(language).values(), language), ADVICE


def test_python_reads_what_is_compiled() -> None:
    message = catalogues.Message("one\n", "many\n", texts=["une é\n", "plusieurs\n"])
    single = catalogues.Message("x", context="y", texts=["z"])
    read = gettext.GNUTranslations(io.BytesIO(catalogues.compiled([message, single], "fr")))
    assert [read.ngettext("one\n", "many\n", n) for n in (0, 1, 2)] == ["une é\n", "une é\n", "plusieurs\n"]
    assert read.pgettext("y", "x") == "z"


def test_a_po_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    message = catalogues.Message('a "quoted"\nline\\', "plural\t%(n)d", places={"a.py"}, texts=["ü", "→"])
    catalogues.write_po(tmp_path / "x.po", [message], "fr")
    read = catalogues.read_po(tmp_path / "x.po")[message.key]
    assert (read.id, read.plural, read.texts) == (message.id, message.plural, message.texts)


@pytest.mark.parametrize(("language", "word"), [("en", "Formats"), ("es", "Formatos"), ("fr", "Réglages")])
def test_pages_speak_the_language(language: str, word: str) -> None:
    with translation.override(language):
        assert translation.gettext({"Réglages": "Settings"}.get(word, "Formats")) == word
