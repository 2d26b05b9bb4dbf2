"""Items a bounded number at a time, and a bounded size: so much is held together. Spark tasks get this by value."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def pieces(
    items: Iterable[T],
    *,
    number: int = sys.maxsize,
    size: Callable[[T], int] = lambda _: 0,
    in_bytes: int = sys.maxsize,
) -> Iterator[list[T]]:
    """All items in their order, none of the lists empty.

    Args:
        items: any; each is asked for when its list is made.
        number: of items in a list, at most.
        size: of an item, in bytes.
        in_bytes: a list ends with the item by which it comes to so many.
    """
    piece, held = list[T](), 0
    for item in items:
        piece.append(item)
        held += size(item)
        if len(piece) >= number or held >= in_bytes:
            yield piece
            piece, held = [], 0
    if piece:
        yield piece


def shares(items: Sequence[T], count: int) -> Iterator[Sequence[T]]:
    """All items in their order, in so many lists of nearly the same length; of few items some are empty."""
    return (items[len(items) * n // count : len(items) * (n + 1) // count] for n in range(count))
