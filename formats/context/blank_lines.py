"""Takes away the heap of blank lines that absent sections leave between those that are there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from formats.handlebars import Piece


def collapsed(pieces: Iterable[Piece]) -> list[Piece]:
    """Return `pieces` with no more blank lines between two texts than the template writes there in any one place.

    Only the template's own white space is touched, and only where several bits of it have come to stand side by side
    because nothing was printed between them. What a variable holds stays, and so does what stands in one bit.
    """
    kept: list[Piece] = []
    gap: list[str] = []
    for text, root in pieces:
        if root is not None:
            kept += _closed(gap)
            kept.append((text, root))
            continue
        body = text.strip()
        if not body:
            gap.append(text)
            continue
        start = text.index(body)
        head, tail = text[:start], text[start + len(body) :]
        kept += _closed([*gap, head] if head else gap)
        kept.append((body, None))
        gap.clear()
        if tail:
            gap.append(tail)
    return [*kept, *_closed(gap)]


def _closed(gap: list[str]) -> list[Piece]:
    """Return a gap as one piece, and begin a new one."""
    made: list[Piece] = [(_white_space(gap), None)] if gap else []
    gap.clear()
    return made


def _white_space(bits: Sequence[str]) -> str:
    """Return what stands for bits of white space: a line end, the most blank lines of any bit, the last indent."""
    whole = "".join(bits)
    if len(bits) == 1 or "\n" not in whole:
        return whole
    first = next(at for at, bit in enumerate(bits) if "\n" in bit)
    blank = max(bit.count("\n") - (at == first) for at, bit in enumerate(bits))
    return "\n" * (1 + blank) + whole[whole.rindex("\n") + 1 :]
