"""The context templates and prompt configs that come with the program."""

from __future__ import annotations

from typing import Any

import pytest

from formats.context import CompiledContext, PromptConfig, read_context_template
from formats.context.catalogue import DEFAULT_TEMPLATE, built_in
from formats.context.variables import VARIABLES
from formats.lint.context import context_checks
from formats.stored import context_template, prompt_config

TEMPLATES = [pytest.param(document, id=document["id"]) for document in built_in("context_templates")]
CONFIGS = [pytest.param(document, id=document["id"]) for document in built_in("prompt_configs")]


@pytest.mark.parametrize("document", TEMPLATES)
def test_a_template_has_no_finding_and_is_stored_as_it_is(document: dict[str, Any]) -> None:
    report = context_checks(read_context_template(document))
    assert (report.colour, report.findings) == ("green", [])
    assert context_template.validate(document).document == document


def test_the_default_template_reads_every_fact_and_directive() -> None:
    default = next(one for one in built_in("context_templates") if one["id"] == DEFAULT_TEMPLATE)
    names = {"char", "character", "user", "persona", "characterNames", "personaNames"}
    assert CompiledContext(read_context_template(default)).roots == VARIABLES - names


@pytest.mark.parametrize("document", TEMPLATES)
def test_an_empty_context_gives_no_headings(document: dict[str, Any]) -> None:
    blocks = CompiledContext(read_context_template(document)).render({"chatMessages": [], "postHistory": {}}).blocks
    assert [one.text for one in blocks if one.text] == []


@pytest.mark.parametrize("document", CONFIGS)
def test_a_config_is_stored_as_it_is(document: dict[str, Any]) -> None:
    assert prompt_config.validate(document).document == document
    assert PromptConfig.model_validate(document).post_history_depth == 0


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(ValueError, match="greater than or equal to 0"):
        PromptConfig.model_validate({"name": "x", "postHistoryDepth": -1})
