"""Manifests as stored: from the bytes of Avro files to columns, and what their entries inherit beside it.

Fields are found by their Iceberg field ids, since writers name them differently (`added_files_count`,
`added_data_files_count`). A column that a file does not have is null, as is a value that is stored as null: what both
mean is in `model.iceberg.inheritance`. Logical types are not applied, so no date or decimal is too large to be read.

Source: Iceberg specification, "Manifests".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...model.iceberg.document import Specs
from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.sequence_number_inheritance import (
    first_row_ids,
    listed_numbers,
    sequence_numbers,
    snapshot_ids,
)
from .avro_fields import field_of, parsed
from .avro_schema import once_a_schema
from .manifest_records import DATA_FILE_ID, FILE_FIELDS, STATISTICS_FIELDS, Group, opened, read
from .partition_text import Part, PartitionWriter, partition_parts

if TYPE_CHECKING:
    import polars as pl

_EXISTING, _DELETED = 0, 2

ENTRY = pa.schema(
    {
        "manifest_path": pa.string(),
        "manifest_format_version": pa.int32(),
        "manifest_content": pa.string(),
        "manifest_spec_id": pa.int32(),
        "position": pa.int64(),
        "status": pa.int32(),
        "stored_snapshot_id": pa.int64(),
        "stored_sequence_number": pa.int64(),
        "stored_file_sequence_number": pa.int64(),
        "content": pa.int32(),
        "file_path": pa.string(),
        "file_format": pa.string(),
        "spec_id": pa.int32(),
        "partition": pa.string(),
        "record_count": pa.int64(),
        "file_size_in_bytes": pa.int64(),
        "equality_ids": pa.list_(pa.int32()),
        "referenced_data_file": pa.string(),
        "content_offset": pa.int64(),
        "content_size_in_bytes": pa.int64(),
        "stored_first_row_id": pa.int64(),
        "sort_order_id": pa.int32(),
        "unassigned_rows_before": pa.int64(),
        "snapshot_id": pa.int64(),
        "sequence_number": pa.int64(),
        "file_sequence_number": pa.int64(),
        "first_row_id": pa.int64(),
    }
)
"""Columns of entries, with the meaning that `files.manifests.entries` gives them."""
STATISTICS = pa.schema(
    {name: pa.map_(pa.int32(), pa.binary() if name.endswith("_bounds") else pa.int64()) for name in STATISTICS_FIELDS}
)


@dataclass(frozen=True)
class Decoded:
    """Entries of manifests, in the order of these and in theirs.

    Attributes:
        entries: with the columns `ENTRY`, and `STATISTICS` if they were asked.
        manifest: by entry, the index of its manifest among those given.
        unreadable: by index of a manifest, why it is not readable, a sentence.
    """

    entries: pa.Table
    manifest: NDArray[np.int64]
    unreadable: Mapping[int, str]


def decoded(
    manifests: Iterable[tuple[ListedManifest, bytes]],
    specs: Specs,
    *,
    statistics: bool = False,
    changes_only: bool = False,
) -> Decoded:
    """The entries of manifests.

    Args:
        manifests: each with its row of the manifest list, and the whole file.
        specs: partition fields by spec id, from the table's metadata: they serve where a manifest names none.
        statistics: decode the counts and bounds of columns too; they are most of the bytes.
        changes_only: leave EXISTING entries out; positions and row ids still count them.
    """
    unreadable: dict[int, str] = {}
    tables = [pa.table({"manifest": pa.array([], pa.int64())} | _nothing(statistics))]
    for alike in opened(manifests, specs, unreadable):
        groups = read(alike, statistics, unreadable)
        if not groups:
            continue
        try:
            tables.append(_table(groups, statistics=statistics, changes_only=changes_only))
        except Exception:  # a value of one of them is not of its column's type
            for one in (one for group in groups for one in group.one_by_one()):
                try:
                    tables.append(_table([one], statistics=statistics, changes_only=changes_only))
                except Exception as error:
                    damage = str(error).strip().rstrip(".")
                    unreadable[one.manifests[0].index] = f"It is a damaged manifest: {damage}."
    entries = pa.concat_tables(tables)
    if len(tables) > 2:
        entries = entries.take(pc.array_sort_indices(entries["manifest"]))  # which keeps the order of equals
    return Decoded(entries.drop_columns("manifest"), np.asarray(entries["manifest"]), unreadable)


def _table(groups: Sequence[Group], *, statistics: bool, changes_only: bool) -> pa.Table:
    """Entries of manifests that are all alike, with `manifest`, the index of each one's manifest."""
    import polars as pl

    stored = pl.concat([group.entries for group in groups], rechunk=True)
    alike = [manifest for group in groups for manifest in group.manifests]
    counts = np.array([count for group in groups for count in group.counts])
    of = np.repeat(np.arange(len(alike)), counts)
    starts = (np.cumsum(counts) - counts)[of]
    arrays = {
        name: _arrow(stored.get_column(name), kind)
        for name, kind in _kinds(statistics)
        if name in stored.columns and name != "partition"
    }
    if "content" in arrays:  # version 1 manifests hold data files only, and do not say so
        arrays["content"] = pc.fill_null(arrays["content"], 0)
    else:
        arrays["content"] = pa.repeat(pa.scalar(0, pa.int32()), len(stored))
    arrays["position"] = pa.array(np.arange(len(stored)) - starts)
    arrays["unassigned_rows_before"] = pa.array(_unassigned_before(arrays, starts))
    tuples = stored.get_column("partition") if "partition" in stored.columns else None
    arrays["partition"] = _texts(tuples, _parts(*alike[0].alike), len(stored))
    for name, values in {
        "manifest": [manifest.index for manifest in alike],
        "manifest_path": [manifest.listed.path for manifest in alike],
        "manifest_format_version": [manifest.avro.number("format-version") for manifest in alike],
        "manifest_content": [manifest.avro.text("content") for manifest in alike],
        "manifest_spec_id": [manifest.avro.number("partition-spec-id") for manifest in alike],
        "spec_id": [manifest.spec_id for manifest in alike],
    }.items():
        kind = ENTRY.field(name).type if name in ENTRY.names else pa.int64()
        arrays[name] = pa.array(values, kind).take(pa.array(of))
    arrays |= {name: pa.nulls(len(stored), kind) for name, kind in _kinds(statistics) if name not in arrays}
    arrays |= _as_read(arrays, [manifest.listed for manifest in alike], pa.array(of))
    table = pa.table({name: arrays[name] for name in ("manifest", *(name for name, _ in _kinds(statistics)))})
    return table.filter(pc.not_equal(table["status"], _EXISTING)) if changes_only else table


def _kinds(statistics: bool) -> list[tuple[str, pa.DataType]]:
    return [(field.name, field.type) for field in (*ENTRY, *(STATISTICS if statistics else ()))]


def _nothing(statistics: bool) -> dict[str, pa.Array]:
    return {name: pa.array([], kind) for name, kind in _kinds(statistics)}


def _unassigned_before(arrays: Mapping[str, pa.Array], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """By entry, the rows of live entries before it in its manifest that have no first row id of their own."""
    rows = np.asarray(arrays["record_count"])
    unassigned = np.asarray(pc.not_equal(arrays["status"], _DELETED))
    if "stored_first_row_id" in arrays:
        unassigned &= np.asarray(pc.is_null(arrays["stored_first_row_id"]))
    counted = np.where(unassigned, rows, 0)
    before: NDArray[np.int64] = np.cumsum(counted) - counted
    return before - before[starts]


def _as_read(arrays: Mapping[str, pa.Array], manifests: Sequence[ListedManifest], of: pa.Array) -> dict[str, pa.Array]:
    """What a reader sees of the entries of some manifests, of which `of` has by entry the index."""
    status, number = arrays["status"], listed_numbers(manifests, "sequence_number", of)
    return {
        "snapshot_id": snapshot_ids(arrays["stored_snapshot_id"], listed_numbers(manifests, "added_snapshot_id", of)),
        "sequence_number": sequence_numbers(arrays["stored_sequence_number"], status, number),
        "file_sequence_number": sequence_numbers(arrays["stored_file_sequence_number"], status, number),
        "first_row_id": first_row_ids(
            arrays["stored_first_row_id"],
            status,
            arrays["unassigned_rows_before"],
            listed_numbers(manifests, "first_row_id", of),
        ),
    }


def _arrow(column: pl.Series, kind: pa.DataType) -> pa.Array:
    """A column of polars as Arrow; a list of (key, value) as a map."""
    found = column.to_arrow()
    if not pa.types.is_map(kind):
        return found.cast(kind)
    keys, values = found.values.flatten()
    return pa.MapArray.from_arrays(
        found.offsets.cast(pa.int32()),
        keys.cast(kind.key_type),
        values.cast(kind.item_type),
        mask=found.is_null(),
    )


def _texts(tuples: pl.Series | None, parts: Sequence[Part], count: int) -> pa.Array:
    """Partitions as text; many entries share one."""
    import polars as pl

    if tuples is None or not parts:
        return pa.repeat("", count)
    values = tuples.struct.unnest()
    names = [f"{place}" for place in range(values.width)]
    # As text -0.0 is not 0.0, which it equals as a number.
    keys = values.rename(dict(zip(values.columns, names, strict=True))).with_columns(
        pl.selectors.float().cast(pl.String)
    )
    distinct = keys.with_row_index("row").unique(names, keep="first", maintain_order=True)
    code = keys.join(distinct.with_row_index("code"), on=names, how="left", nulls_equal=True, maintain_order="left")[
        "code"
    ]
    writer = PartitionWriter(parts)
    texts = [writer.text(row) for row in values[distinct["row"]].iter_rows(named=True)]
    return pa.array(texts, pa.string()).take(code.to_arrow())


@once_a_schema
def _parts(schema_text: str, own_spec: str, spec: str) -> tuple[Part, ...]:
    data_file = field_of(parsed(schema_text), "data_file", DATA_FILE_ID)
    partition = field_of(data_file["type"], "partition", FILE_FIELDS["partition"]) or {}
    return partition_parts(partition.get("type", {}).get("fields", ()), own_spec, spec)
