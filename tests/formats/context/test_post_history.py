"""The reminder's place and its gate."""

from __future__ import annotations

import pytest

from formats.context import PostHistory, target_index


@pytest.mark.parametrize(
    ("depth", "index"), [(0, 6), (1, 5), (2, 4), (5, 1), (6, 0), (7, 0), (99, 0), (-1, 6)], ids=str
)
def test_the_index_counts_from_the_seed_and_clamps(depth: int, index: int) -> None:
    assert target_index(7, depth) == index


def test_an_empty_chat_has_its_seed() -> None:
    assert target_index(1, 3) == 0


@pytest.mark.parametrize(("tokens", "gate"), [(278, "belowTrigger"), (2_999, "belowTrigger"), (3_000, "included")])
def test_the_trigger_holds_back_the_instructions_alone(tokens: int, gate: str) -> None:
    post = PostHistory("Stay.", "No sorry.", "Mira: Hm.", trigger=3_000)
    value = post.value(7, tokens)
    assert post.gate(tokens) == gate
    assert value.get("instructions") == ("Stay." if gate == "included" else None)
    assert (value["charInstructions"], value["exampleDialogue"], value["hasContent"]) == (
        "No sorry.",
        "Mira: Hm.",
        True,
    )


def test_content_is_asked_for_after_the_gate() -> None:
    assert PostHistory("Stay.", trigger=10).value(3, 9) == {"targetIndex": 2, "hasContent": False}
    assert PostHistory("Stay.", trigger=10).value(3, 10)["hasContent"] is True


def test_trigger_zero_is_always_and_blank_is_empty() -> None:
    assert PostHistory("Stay.").gate(0) == "included"
    assert PostHistory(" \n").gate(0) == "empty"
    assert PostHistory(" \n").value(1, 0) == {"targetIndex": 0, "hasContent": False}
