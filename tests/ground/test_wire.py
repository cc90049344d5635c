"""Wire models: both spellings, never both at once, nothing unknown."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from neotavern.ground.wire import WireModel


class Example(WireModel):
    stop_strings: list[str] = []


def test_camel_case_is_read() -> None:
    assert Example.model_validate({"stopStrings": ["x"]}).stop_strings == ["x"]


def test_snake_case_is_read() -> None:
    assert Example.model_validate({"stop_strings": ["x"]}).stop_strings == ["x"]


def test_both_are_refused() -> None:
    with pytest.raises(ValidationError, match="both 'stopStrings' and 'stop_strings' are given: keep one"):
        Example.model_validate({"stop_strings": [], "stopStrings": []})


def test_an_unknown_key_is_named() -> None:
    with pytest.raises(ValidationError) as caught:
        Example.model_validate({"stopString": []})
    assert [fault["loc"] for fault in caught.value.errors()] == [("stopString",)]
