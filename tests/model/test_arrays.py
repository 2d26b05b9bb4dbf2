"""Numbers for texts, against a dictionary of Python."""

from __future__ import annotations

import random

import polars as pl
import pyarrow as pa
import pytest

from explorer.model.arrays import codes_of_texts


@pytest.mark.parametrize("hashes", [1, 7, 2**63], ids=["one hash", "few hashes", "as many as there are"])
def test_texts_have_one_number_if_they_are_equal_whatever_their_hashes(
    hashes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = pl.Series.hash
    monkeypatch.setattr(pl.Series, "hash", lambda self: own(self) % hashes)
    draw = random.Random(hashes)
    texts = [f"data/{draw.randrange(1_000)}.parquet" for _ in range(1_500)]
    found = codes_of_texts(pa.chunked_array([texts[:400], texts[400:401], [], texts[401:]])).tolist()
    assert found == [list(dict.fromkeys(texts)).index(text) for text in texts]


def test_of_no_text_there_is_no_number() -> None:
    assert codes_of_texts(pa.chunked_array([], pa.string())).tolist() == []
