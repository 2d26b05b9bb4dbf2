"""Every lifetime as a row of a table, a million too: the columns of `sequence_timeline().data`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..arrays import NULL, Longs
from ..iceberg.inheritance import KINDS
from ..iceberg.lifetime_events import IN_BETWEEN, Events
from ..iceberg.lifetimes import Lifetimes
from .bands import Columns

SCHEMA = pa.schema(
    {
        "file_path": pa.string(),
        "content_offset": pa.int64(),
        "content": pa.string(),
        "spec_id": pa.int32(),
        "partition": pa.string(),
        "record_count": pa.int64(),
        "data_sequence_number": pa.int64(),
        "file_sequence_number": pa.int64(),
        "added_snapshot_id": pa.int64(),
        "added_sequence_number": pa.int64(),
        "removed_snapshot_id": pa.int64(),
        "removed_sequence_number": pa.int64(),
        "file_size_in_bytes": pa.int64(),
        "content_size_in_bytes": pa.int64(),
        "referenced_data_file": pa.string(),
        "is_live": pa.bool_(),
    }
)


def as_table(lifetimes: Lifetimes, columns: Columns, chosen: Longs, *, as_of: int | None, head: int | None) -> pa.Table:
    """These lifetimes in this order, one row each; the words of `FileLifetime`, missing values null.

    Args:
        lifetimes: of the history.
        columns: of these lifetimes.
        chosen: which.
        as_of: place of the snapshot at which `is_live` is told; None if that cannot be known: then it is null.
        head: place of the head of the line, whose removals are told.
    """
    removed_id, removed_number = _removed(lifetimes, head)
    own = pa.array(chosen)
    live: Any = np.zeros(lifetimes.count, dtype=bool) if as_of is None else lifetimes.live_at(as_of)
    found = {
        name: lifetimes.column(name, chosen).cast(SCHEMA.field(name).type)
        for name in (
            "file_path",
            "content_offset",
            "spec_id",
            "partition",
            "record_count",
            "file_size_in_bytes",
            "content_size_in_bytes",
        )
    }
    found |= {
        name: _nullable(values[chosen])
        for name, values in (
            ("data_sequence_number", lifetimes.data_sequence_number),
            ("file_sequence_number", lifetimes.file_sequence_number),
            ("added_snapshot_id", lifetimes.added_id),
            ("added_sequence_number", lifetimes.added_number),
            ("removed_snapshot_id", removed_id),
            ("removed_sequence_number", removed_number),
        )
    }
    found["content"] = pa.DictionaryArray.from_arrays(pa.array(columns.kind[chosen]), pa.array(KINDS)).cast(pa.string())
    found["referenced_data_file"] = columns.target.take(own)
    found["is_live"] = pa.nulls(len(chosen), pa.bool_()) if as_of is None else pa.array(live[chosen])
    return pa.table({name: found[name] for name in SCHEMA.names}, schema=SCHEMA)


def _nullable(values: NDArray[np.int64]) -> pa.Array:
    return pa.array(values, mask=values == NULL)


def _removed(lifetimes: Lifetimes, head: int | None) -> tuple[Longs, Longs]:
    """Id and number of the removal, as in `FileLifetime.removal`: the last on the line; of others, the first of all."""
    ids = np.array([s.snapshot_id for s in lifetimes.order], dtype=np.int64)
    order = np.array([s.sequence_number for s in lifetimes.order], dtype=np.int64)
    found = np.full((2, lifetimes.count), NULL)

    def record(ends: Events, name: Longs, some: NDArray[np.bool_], *, last: bool) -> None:
        rows = np.flatnonzero(some)
        rows = rows[np.argsort(ends.place[rows] * (1 if last else -1), kind="stable")]
        lifetime, known = name[ends.lifetime[rows]], ends.evidence[rows] != IN_BETWEEN
        found[0, lifetime] = np.where(known, ids[ends.place[rows]], NULL)
        found[1, lifetime] = np.where(known, order[ends.place[rows]], NULL)

    on_line = np.zeros(lifetimes.count, dtype=bool) if head is None else lifetimes.ever_on(head)
    others = np.flatnonzero(~on_line)
    begins, ends = lifetimes.begins.of(others), lifetimes.ends.of(others)
    held = np.zeros(len(others), dtype=bool)
    for at in {lifetimes.place[ref.snapshot_id] for ref in lifetimes.refs}:
        counts = (
            np.bincount(e.lifetime[lifetimes.on_line(e.place, at)], minlength=len(others)) for e in (begins, ends)
        )
        held |= np.greater(*counts)
    record(ends, others, ~held[ends.lifetime], last=False)
    places = dict(zip(others.tolist(), held.tolist(), strict=True))
    for lifetime, by, number in sorted(lifetimes.ended_before, key=lambda e: -e[2]):
        if not places.get(lifetime, True):
            found[:, lifetime] = by, number
    if head is not None:
        every = np.arange(lifetimes.count)
        record(lifetimes.ends, every, lifetimes.on_line(lifetimes.ends.place, head), last=True)
    return found[0], found[1]
