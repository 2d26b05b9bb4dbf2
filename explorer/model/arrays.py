"""Columns as NumPy has them: whole numbers of which some are missing, codes for values, groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Longs = NDArray[np.int64]
Indices = NDArray[np.signedinteger[Any]]
"""Small numbers, in as few bytes as hold them: of a million files each column counts."""
Flags = NDArray[np.bool_]

NULL = np.iinfo(np.int64).min  # in columns of numbers, where it is no number of the format
_HASHED_AT_ONCE = 100_000
_GROUP = np.uint64(0x9E3779B97F4A7C15)  # odd, of bits in no order: hashes of groups lie far apart


def numbers(column: pa.ChunkedArray | pa.Array) -> Longs:
    """A column of whole numbers, `NULL` where it has none."""
    return np.asarray(pc.fill_null(column.cast(pa.int64()), pa.scalar(NULL, pa.int64())), dtype=np.int64)


def codes(column: pa.ChunkedArray | pa.Array) -> tuple[Longs, pa.Array]:
    """Each value as an index into the distinct ones, and these."""
    encoded = pc.dictionary_encode(column, null_encoding="encode")
    encoded = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
    return np.asarray(encoded.indices, dtype=np.int64), encoded.dictionary


def codes_of_texts(column: pa.ChunkedArray, within: Indices) -> Indices:
    """A number for each distinct text within a group, in their order. Nearly all are distinct: names of files.

    Two with different hashes are different, and those that share one are nearly always equal. To hold each distinct
    text, as `codes` does, would take as much memory again as the column.

    Args:
        column: the texts.
        within: the group of each, counted from 0.
    """
    hashes = _hashes(column) + within.astype(np.uint64) * _GROUP
    by_hash = np.argsort(hashes).astype(np.int32)  # a sort that keeps the order of equal ones takes three times as long
    hashes = hashes[by_hash]
    is_new = begins_run(hashes)
    first = np.empty_like(by_hash)  # the first text with the same hash
    first[by_hash] = _least(by_hash, np.flatnonzero(is_new))[np.cumsum(is_new, dtype=np.int32) - 1]
    is_first = first == np.arange(len(first))
    again = np.flatnonzero(~is_first)
    same = pc.all(pc.equal(column.take(pa.array(again)), column.take(pa.array(first[again]))), min_count=0).as_py()
    if not same or (within[again] != within[first[again]]).any():
        return _in_order(codes(column)[0] * (within.max() + np.int64(1)) + within)
    found: Indices = np.cumsum(is_first, dtype=np.int32)[first] - 1
    return found


def _least(values: Indices, starts: NDArray[np.intp]) -> Indices:
    """The smallest from each start to before the next; `reduceat` takes no empty list of starts."""
    return np.minimum.reduceat(values, starts) if len(starts) else values


def _in_order(values: Longs) -> Indices:
    import pandas as pd

    found: Indices = pd.factorize(values)[0]
    return found


def _hashes(texts: pa.ChunkedArray) -> NDArray[np.uint64]:
    import polars as pl  # takes a while to import

    pieces = (texts.slice(at, _HASHED_AT_ONCE) for at in range(0, len(texts), _HASHED_AT_ONCE))
    return np.concatenate([np.empty(0, np.uint64), *(pl.Series(piece).hash().to_numpy() for piece in pieces)])


def few_rows(table: pa.Table, rows: Longs) -> pa.Table:
    """Some rows of a table, in this order. To take one, Arrow would put together the pieces of each column first."""
    rising = np.argsort(rows, kind="stable")
    ordered, start = rows[rising], 0
    taken = [table.slice(0, 0)]
    for batch in table.to_batches():
        here = ordered[slice(*np.searchsorted(ordered, (start, start + len(batch))))]
        if len(here):
            taken.append(pa.Table.from_batches([batch.take(pa.array(here - start))]))
        start += len(batch)
    return pa.concat_tables(taken).take(pa.array(np.argsort(rising)))


def begins_run(column: NDArray[Any]) -> Flags:
    """Whether each value is the first one, or another one than before."""
    return np.append(True, column[1:] != column[:-1])[: len(column)]


def distinct(*keys: Longs) -> tuple[Longs, Longs]:
    """Each combination of keys once, in order, a row of them; and by place in the keys its row.

    What `np.unique` gives for rows, but by hashing: it sorts all of them, which takes twenty times as long.
    """
    import pandas as pd  # takes a while to import, and few questions group

    group = np.zeros(len(keys[0]), dtype=np.int64)
    for key in keys:
        place, values = pd.factorize(key, sort=True)
        group = pd.factorize(group * len(values) + place, sort=True)[0]
    first = np.zeros(group.max(initial=-1) + 1, dtype=np.int64)
    first[group] = np.arange(len(group))
    return np.stack([key[first] for key in keys], axis=1), group
