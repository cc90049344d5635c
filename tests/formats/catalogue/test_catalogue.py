"""Finding a format by a model's name or by its chat template."""

from __future__ import annotations

import pytest

from formats.builtin import builtin_slugs
from formats.catalogue import all_facts, facts, find_by_hash, find_by_name, template_hash


def test_every_sheet_belongs_to_a_built_in() -> None:
    assert set(all_facts()) <= set(builtin_slugs())


def test_every_hash_belongs_to_one_family() -> None:
    hashes = [digest for sheet in all_facts().values() for digest in sheet.templates]
    assert len(hashes) == len(set(hashes))
    assert all(len(digest) == 64 and digest == digest.lower() for digest in hashes)


def test_every_alias_belongs_to_one_family() -> None:
    names = [name.lower() for sheet in all_facts().values() for name in sheet.names]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("slug", ["chatml"])
def test_a_sheet_names_its_source_and_licence(slug: str) -> None:
    sheet = facts(slug)
    assert sheet is not None
    assert sheet.source.startswith("https://")
    assert sheet.licence


def test_an_unknown_hash_finds_nothing() -> None:
    assert find_by_hash("0" * 64) is None
    assert facts("no-such-format") is None


def test_an_unknown_name_finds_nothing() -> None:
    assert find_by_name("") == ()
    assert find_by_name("an-unheard-of-model") == ()


def test_a_name_is_found_with_its_owner_and_file_ending() -> None:
    assert find_by_name("somebody/ChatML-model.Q4_K_M.gguf")[0] == "chatml"


def test_the_hash_is_the_plain_one() -> None:
    assert template_hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
