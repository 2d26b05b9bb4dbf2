"""Bounds of one column in many files, as manifests store them: whole numbers at once, of others each distinct one once.

Source: Iceberg specification, Appendix D, "Binary single-value serialization".
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import NULL, Longs, codes
from .key_ranges import decoded

_INTEGERS = {"int": 4, "long": 8, "date": 4, "time": 8, "timestamp": 8, "timestamptz": 8}


def as_whole(kind: str, stored: pa.ChunkedArray) -> Longs | None:
    """Bounds of whole numbers, `NULL` where there is none; None if they must be decoded one by one.

    Args:
        kind: the column's type, as metadata.json writes it.
        stored: binary, null where a file has no bound.
    """
    width = _INTEGERS.get(kind)
    if width is None or not pc.all(pc.equal(pc.binary_length(stored), width)).as_py():
        return None
    filled = pc.fill_null(stored, pa.scalar(bytes(width), stored.type)).cast(pa.binary(width)).combine_chunks()
    found = np.frombuffer(filled.buffers()[1], f"<i{width}", len(filled), filled.offset * width).astype(np.int64)
    return np.where(np.asarray(pc.is_valid(stored)), found, NULL)


def decoded_once(kind: str, stored: pa.ChunkedArray) -> tuple[Longs, list[Any]]:
    """Each bound as a place among the distinct ones, and these as `key_ranges.decoded` gives them; as of `as_whole`."""
    places, distinct = codes(stored)
    return places, [decoded(kind, value) for value in distinct.to_pylist()]
