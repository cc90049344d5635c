"""Names of profiles and models, loading, and the counts that are kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from formats.tokens import ALIASES, EXTRAS, PROFILES, EngineMissing, UnknownProfile, exact, for_model, load, profile
from formats.tokens.profiles import _load
from formats.tokens.stored import COST_OF_AN_ENTRY, MAX_TEXT, StoredCounts

ROOT = Path(__file__).resolve().parents[3]


def test_every_profile_answers_by_its_own_name() -> None:
    assert [profile(name).name for name in PROFILES] == list(PROFILES)


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_an_alias_is_the_same_tokenizer(alias: str, name: str) -> None:
    assert profile(alias) is profile(name)


def test_an_unknown_profile_is_refused_and_the_known_ones_are_named() -> None:
    with pytest.raises(UnknownProfile) as caught:
        profile("claude")
    assert (caught.value.name, caught.value.known) == ("claude", (*PROFILES, *EXTRAS))
    assert str(caught.value) == (
        "no tokenizer profile is called 'claude'; there are: "
        "cl100k_base, o200k_base, o200k_harmony, llama3, qwen3, estimate, mistral-spm, mistral-tekken"
    )


def test_loading_is_once() -> None:
    load(["o200k", "estimate"])
    assert profile("o200k_base") is _load("o200k_base", lambda name: pytest.fail(f"{name} was loaded twice"))


def test_a_missing_engine_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "quicktok", None)
    with pytest.raises(EngineMissing) as caught:
        exact.load_exact("llama3")
    assert str(caught.value) == "the tokenizer profile 'llama3' needs the package quicktok-v1, which is not installed"


def test_importing_the_package_imports_no_engine() -> None:
    code = (
        "import sys, formats.tokens\n"
        "formats.tokens.profile('estimate')\n"
        "print({'quicktok', 'numpy', 'django'} & {*sys.modules})"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout == "set()\n"


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gpt-4o", "o200k_base"),
        ("gpt-4o-mini", "o200k_base"),
        ("openai/gpt-4o-2024-08-06", "o200k_base"),
        ("chatgpt-4o-latest", "o200k_base"),
        ("gpt-4.1-nano", "o200k_base"),
        ("gpt-5", "o200k_base"),
        ("gpt-5.1", "o200k_base"),
        ("o1", "o200k_base"),
        ("o3-mini", "o200k_base"),
        ("ft:gpt-4o-mini:team::id", "o200k_base"),
        ("gpt-oss-20b", "o200k_harmony"),
        ("openai/gpt-oss:120b", "o200k_harmony"),
        ("gpt-4", "cl100k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("gpt-3.5-turbo", "cl100k_base"),
        ("gpt-35-turbo", "cl100k_base"),
        ("text-embedding-3-small", "cl100k_base"),
        ("llama-3", "llama3"),
        ("llama3:8b", "llama3"),
        ("llama3.2:1b", "llama3"),
        ("meta-llama/Meta-Llama-3.1-8B-Instruct", "llama3"),
        ("Hermes-3-Llama-3.1-405B", "llama3"),
        ("llama-v3p1-70b-instruct", "llama3"),
        ("DeepSeek-R1-Distill-Llama-8B", "estimate"),
        ("Qwen/Qwen3-8B", "qwen3"),
        ("qwen2.5-coder:7b", "qwen3"),
        ("Qwen1.5-7B", "qwen3"),
        ("QwQ-32B", "qwen3"),
        ("DeepSeek-R1-Distill-Qwen-7B", "qwen3"),
        ("qwen3.5", "estimate"),
        ("llama-4-scout", "estimate"),
        ("llama-2-7b", "estimate"),
        ("tinyllama3", "estimate"),
        ("claude-3-opus", "estimate"),
        ("mistral-small", "estimate"),
        ("yo1", "estimate"),
        ("", "estimate"),
        (None, "estimate"),
    ],
)
def test_the_profile_of_a_model(model: str | None, name: str) -> None:
    assert for_model(model) == name


def test_counts_are_kept_up_to_a_bound() -> None:
    stored = StoredCounts(max_characters=2 * (COST_OF_AN_ENTRY + 1))
    for number, text in enumerate("ab"):
        stored.put(text, number)
    assert (stored.get("a"), stored.get("b"), len(stored)) == (0, 1, 2)
    stored.put("c", 2)
    assert (stored.get("a"), stored.get("c"), len(stored)) == (None, 2, 1)


def test_a_very_long_text_is_not_kept() -> None:
    stored = StoredCounts()
    stored.put("x" * (MAX_TEXT + 1), 1)
    assert len(stored) == 0
