"""Pieces of bounded number and size, by what may be said of them."""

from __future__ import annotations

import random

import pytest

from explorer.queries.pieces import pieces


@pytest.mark.parametrize("seed", range(20))
def test_a_piece_ends_as_soon_as_it_has_enough_and_nothing_is_lost(seed: int) -> None:
    draw = random.Random(seed)
    sizes = [draw.choice([0, 1, 5, 30]) for _ in range(draw.randrange(60))]
    number, in_bytes = draw.choice([1, 4, 100]), draw.choice([1, 20, 1_000])
    found = list(pieces(sizes, number=number, size=lambda size: size, in_bytes=in_bytes))
    assert [size for piece in found for size in piece] == sizes
    assert all(piece for piece in found)
    for piece in found:
        assert len(piece) <= number
        assert sum(piece[:-1]) < in_bytes
    assert all(len(piece) == number or sum(piece) >= in_bytes for piece in found[:-1])


def test_what_is_not_bounded_is_one_piece_and_nothing_is_none() -> None:
    assert list(pieces("abc")) == [["a", "b", "c"]]
    assert list(pieces([])) == []


def test_a_piece_is_given_before_more_is_asked_for() -> None:
    asked: list[int] = []
    found = pieces((asked.append(n) or n for n in range(4)), number=2)  # type: ignore[func-returns-value]
    assert next(found) == [0, 1]
    assert asked == [0, 1]
