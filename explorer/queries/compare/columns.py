"""What the statistics of the live data files of a snapshot say of its columns, in sums."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...model.arrays import Flags
from ...model.compare.columns import ColumnSide
from ...model.iceberg.bounds_columns import as_whole, decoded_once
from ...model.iceberg.commit_checks import live_files
from ...model.iceberg.key_ranges import decoded
from ...model.iceberg.schema import SchemaField
from ..files.data_columns import data_columns
from .files import End

_NESTING = ("struct", "list", "map")


def valued(fields: Sequence[SchemaField]) -> list[SchemaField]:
    """Those that hold values themselves, and so may have statistics."""
    return [field for field in fields if field.type not in _NESTING]


Fields = Sequence[SchemaField]
Sides = tuple[Mapping[int, ColumnSide], Mapping[int, ColumnSide]]


def column_sides(left: tuple[End, Fields], right: tuple[End, Fields]) -> Sides | str:
    """By field id what the statistics say, at both points; or why that is not told.

    Args:
        left: one of the two, and its fields as `valued` gives them.
        right: the other.

    Cost: the bytes of the data manifests of both, each once; a Spark job where this process cannot open them.
    """
    ends, ids = (left[0], right[0]), sorted({field.field_id for _, fields in (left, right) for field in fields})
    is_one_table = ends[0].source.metadata.location == ends[1].source.metadata.location
    manifests = [{m.path: m for m in end.manifests(of_data=True)} for end in ends]
    both = manifests[0].keys() & manifests[1].keys() if is_one_table else set()

    def read(side: int, paths: Collection[str]) -> list[pa.Table]:
        asked = [manifest for path, manifest in manifests[side].items() if path in paths]
        return list(data_columns(ends[side].source, asked, names=(), keys=ids))

    shared = read(1, both)
    stored = [[*shared, *read(side, manifests[side].keys() - both)] for side in (0, 1)]
    for listed, tables in zip(manifests, stored, strict=True):
        files, live = sum(map(len, tables)), live_files(list(listed.values()), 0)
        if live is not None and files != live:
            return f"{live - files:,} of {live:,} data files are in manifests that cannot be read"
    one, other = (
        {field.field_id: _side([_of(table, field.field_id) for table in tables], field.type) for field in fields}
        for tables, (_, fields) in zip(stored, (left, right), strict=True)
    )
    return one, other


def _of(table: pa.Table, field_id: int) -> pa.Table:
    names = ["lower", "upper", "nulls", "values"]
    return table.select([f"{name}_{field_id}" for name in names]).rename_columns(names)


def _side(parts: Sequence[pa.Table], kind: str) -> ColumnSide:
    stored = pa.concat_tables(parts) if parts else None
    if stored is None or not len(stored):
        return ColumnSide()
    counted = pc.and_(pc.is_valid(stored["nulls"]), pc.is_valid(stored["values"]))
    of_counted = stored.filter(counted)
    bounded, lower, upper = _range(stored, kind)
    return ColumnSide(
        files=len(stored),
        counted=len(of_counted),
        bounded=bounded,
        values=_sum(of_counted["values"]),
        nulls=_sum(of_counted["nulls"]),
        lower=lower,
        upper=upper,
    )


def _range(stored: pa.Table, kind: str) -> tuple[int, Any, Any]:
    """How many files have both bounds, and the smallest and the largest of these."""
    both = stored.filter(pc.and_(pc.is_valid(stored["lower"]), pc.is_valid(stored["upper"])))
    low, high = (as_whole(kind, both[name]) for name in ("lower", "upper"))
    if low is not None and high is not None and len(both):
        ends = both["lower"][low.argmin()], both["upper"][high.argmax()]
        return len(both), *(decoded(kind, end.as_py()) for end in ends)
    (low, lows), (high, highs) = (decoded_once(kind, both[name]) for name in ("lower", "upper"))
    known = _is_known(lows)[low] & _is_known(highs)[high]
    lower = min((lows[i] for i in np.unique(low[known]).tolist()), default=None)
    return int(known.sum()), lower, max((highs[i] for i in np.unique(high[known]).tolist()), default=None)


def _is_known(values: Sequence[Any]) -> Flags:
    return np.array([value is not None for value in values], bool)


def _sum(column: pa.ChunkedArray) -> Any:
    return pc.sum(column).as_py() or 0
