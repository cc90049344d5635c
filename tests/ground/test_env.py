"""Environment values: typed, and one line that names the variable when wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from neotavern.ground.env import Environment, SettingsError

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("raw", "value"), [("1", True), ("yes", True), ("ON", True), ("0", False), ("off", False), ("", False)]
)
def test_a_flag_has_four_spellings_each_way(raw: str, value: bool) -> None:
    assert Environment({"X": raw}).flag("X") is value


def test_a_flag_that_is_neither_is_refused_by_name() -> None:
    with pytest.raises(SettingsError, match=r"^NEOTAVERN_DEBUG: 'maybe' is neither on"):
        Environment({"NEOTAVERN_DEBUG": "maybe"}).flag("NEOTAVERN_DEBUG")


@pytest.mark.parametrize("raw", ["x", "1.5", "0", "65536", "１２"])
def test_a_whole_number_outside_its_range_is_refused(raw: str) -> None:
    with pytest.raises(SettingsError, match="^PORT: "):
        Environment({"PORT": raw}).integer("PORT", 8000, least=1, most=65535)


@pytest.mark.parametrize("raw", ["1", "65535"])
def test_both_ends_of_a_range_are_in_it(raw: str) -> None:
    assert Environment({"PORT": raw}).integer("PORT", 8000, least=1, most=65535) == int(raw)


def test_empty_counts_as_not_given() -> None:
    assert Environment({"PORT": ""}).integer("PORT", 8000, least=1, most=65535) == 8000


def test_names_are_split_at_commas_and_stripped() -> None:
    assert Environment({"H": " a.example, ,b.example "}).names("H") == ["a.example", "b.example"]


def test_a_foreign_scheme_is_refused() -> None:
    with pytest.raises(SettingsError, match="^DATABASE_URL: 'mysql' is not one of the schemes sqlite, postgres$"):
        Environment({"DATABASE_URL": "mysql://x"}).url("DATABASE_URL", "sqlite://", schemes=("sqlite", "postgres"))


@pytest.mark.parametrize("key", ["nt_" + "a" * 20, "nt_" + "Z9_-" * 50])
def test_an_api_key_of_20_to_200_characters_is_taken(key: str) -> None:
    assert Environment({"K": key}).api_key("K") == key


@pytest.mark.parametrize("key", ["nt_" + "a" * 19, "nt_" + "a" * 201, "sk_" + "a" * 30, "nt_" + "a" * 20 + " "])
def test_other_keys_are_refused(key: str) -> None:
    with pytest.raises(SettingsError, match="^K: an API key is nt_ and 20 to 200"):
        Environment({"K": key}).api_key("K")


def test_hosts() -> None:
    given = Environment({"H": " tavern.example, .example,[::1],10.0.0.1,my_host,*"})
    assert given.hosts("H", "x") == ["tavern.example", ".example", "[::1]", "10.0.0.1", "my_host", "*"]
    assert Environment({}).hosts("H", "localhost,127.0.0.1") == ["localhost", "127.0.0.1"]


@pytest.mark.parametrize("value", ["http://a", "a:8000", "a/b", "a b", ","])
def test_other_hosts_are_refused(value: str) -> None:
    with pytest.raises(SettingsError, match="^H: .* is no host name"):
        Environment({"H": value}).hosts("H", "x")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "http"),
        ("NEOTAVERN_RATE_LIMIT", "-1"),
        ("NEOTAVERN_WORKERS", "0"),
        ("DATABASE_URL", "mysql://x"),
        ("CACHE_URL", "memcached://x"),
        ("NEOTAVERN_API_KEY", "short"),
        ("NEOTAVERN_DEBUG", "perhaps"),
        ("NEOTAVERN_HOSTS", "https://tavern.example"),
        ("NEOTAVERN_HOSTS", ","),
    ],
)
def test_a_wrong_value_ends_the_start_with_one_line(name: str, value: str) -> None:
    run = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**os.environ, name: value},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 1
    assert run.stderr.count("\n") == 1
    assert run.stderr.startswith(f"{name}: ")
