"""Vectors around a common centre: models put all texts into one corner of the space, so that even texts that have
nothing to do with each other look alike. Less the mean of everyday sentences they do not.

Source: Mu and Viswanath, "All-but-the-Top", 2018 (the mean alone). Measured: `python -m bench.recall`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from chats.infill.semantic.ports import Matrix

FLOOR: Final = 0.31
"""For vectors around the centre of these sentences: 19 of 20 paraphrases are above, 16 of 17 strangers below."""

EVERYDAY: Final = (
    "The meeting starts at nine in the small room.",
    "She bought two tickets for the late train.",
    "Rain is expected in the north on Friday.",
    "Please send the invoice before the end of the month.",
    "The recipe needs three eggs and a little butter.",
    "Our team won the match by a single point.",
    "He painted the fence green last summer.",
    "The museum is closed on Mondays.",
    "La réunion commence à neuf heures dans la petite salle.",
    "Elle a acheté deux billets pour le dernier train.",
    "On attend de la pluie dans le nord vendredi.",
    "La recette demande trois œufs et un peu de beurre.",
    "La reunión empieza a las nueve en la sala pequeña.",
    "Compró dos billetes para el último tren.",
    "Se espera lluvia en el norte el viernes.",
    "La receta lleva tres huevos y un poco de mantequilla.",
    "会議は九時に小さな部屋で始まります。",
    "彼女は終電の切符を二枚買った。",
    "金曜日は北の方で雨の予報です。",
    "このレシピには卵が三つとバターが少し要る。",
    "Die Sitzung beginnt um neun im kleinen Raum.",
    "Встреча начинается в девять в маленькой комнате.",
    "会议九点在小房间开始。",
    "A reunião começa às nove na sala pequena.",
)
EDITION: Final = "centred1"
"""Part of the model's name: other sentences make other vectors."""

Raw = Callable[[Sequence[str], bool], "Matrix"]
"""Texts, and whether they are looked with → vectors as the model makes them."""


class CentredEmbedder:
    """An Embedder around whatever makes `raw` vectors. Safe for threads as far as `raw` is."""

    def __init__(self, name: str, raw: Raw, floor: float = FLOOR) -> None:
        self.model, self.floor = f"{name}+{EDITION}", floor
        self._raw = raw
        self._lock = threading.Lock()
        self._centre: Matrix | None = None

    def passages(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of texts that are looked for."""
        return self._around(texts, is_query=False)

    def queries(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of texts that are looked with."""
        return self._around(texts, is_query=True)

    def _around(self, texts: Sequence[str], *, is_query: bool) -> Matrix:
        if not texts:
            return _unit(self._middle()[:0])
        return _unit(_unit(self._raw(texts, is_query)) - self._middle())

    def _middle(self) -> Matrix:
        """Return the centre, one row; embedded once, when it is needed first."""
        with self._lock:
            if self._centre is None:
                self._centre = _unit(self._raw(EVERYDAY, False)).mean(axis=0, keepdims=True)
            return self._centre


def _unit(rows: Matrix) -> Matrix:
    """Return the rows at length 1; one of length 0 stays."""
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    made: Matrix = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return made
