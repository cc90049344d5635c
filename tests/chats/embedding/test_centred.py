"""Vectors around a common centre, and how much a process keeps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chats.infill.semantic.centred import EVERYDAY, CentredEmbedder
from chats.services.embedding.memory import Kept


def raw(texts: Sequence[str], is_query: bool) -> np.ndarray:
    """Everything in one corner, everyday sentences in the middle of it."""
    return np.array([[10.0, 0.0 if text in EVERYDAY else (1.0 if "a" in text else -1.0)] for text in texts], np.float32)


def test_what_looked_alike_no_longer_does() -> None:
    embedder = CentredEmbedder("m", raw)
    left, right = embedder.passages(["a", "b"])
    assert float(raw(["a"], False)[0] @ raw(["b"], False)[0]) > 0
    assert float(left @ right) < -0.9


def test_every_vector_has_length_one_and_the_name_tells_the_edition() -> None:
    embedder = CentredEmbedder("m", raw)
    assert np.allclose(np.linalg.norm(embedder.queries(["a", "b"]), axis=1), 1)
    assert (embedder.model, embedder.queries([]).shape) == ("m+centred1", (0, 2))


def test_a_process_keeps_what_was_used_last_up_to_a_weight() -> None:
    kept: Kept[str] = Kept(3)
    kept.put("a", "A", 2)
    kept.put("b", "B")
    kept.get("a")
    kept.put("c", "C")
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == ("A", None, "C")
    kept.put("huge", "H", 4)
    assert kept.get("huge") is None
