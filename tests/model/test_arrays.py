"""Numbers for texts, against a dictionary of Python; rows of a table, against Arrow's."""

from __future__ import annotations

import random

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from explorer.model.arrays import codes_of_texts, few_rows


@pytest.mark.parametrize("hashes", [1, 7, 2**63], ids=["one hash", "few hashes", "as many as there are"])
def test_texts_have_one_number_if_they_are_equal_whatever_their_hashes(
    hashes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = pl.Series.hash
    monkeypatch.setattr(pl.Series, "hash", lambda self: own(self) % hashes)
    draw = random.Random(hashes)
    texts = [f"{draw.randrange(300)}.parquet" for _ in range(1_500)]
    groups = [draw.randrange(4) for _ in texts]
    column = pa.chunked_array([texts[:400], texts[400:401], [], texts[401:]])
    every = list(zip(groups, texts, strict=True))
    found = codes_of_texts(column, np.array(groups, np.int32)).tolist()
    assert found == [list(dict.fromkeys(every)).index(one) for one in every]


def test_of_no_text_there_is_no_number() -> None:
    assert codes_of_texts(pa.chunked_array([], pa.string()), np.array([], np.int32)).tolist() == []


@pytest.mark.parametrize("rows", [[], [8], [3, 3, 0, 9, 5, 4, 3], list(range(9, -1, -1))], ids=str)
def test_rows_of_a_table_in_pieces_are_those_of_one_in_one(rows: list[int]) -> None:
    numbers = pa.chunked_array([[0, None, 2], [], [3, 4, 5, 6, 7, 8], [9]], pa.int64())
    texts = pa.chunked_array([["a", "b", "a", None], ["c"] * 5 + ["a"]]).dictionary_encode()
    table = pa.table({"number": numbers, "text": texts})
    assert few_rows(table, np.array(rows, np.int64)).to_pylist() == [table.to_pylist()[row] for row in rows]
