"""Live data files as narrow columns, a part at a time: what the reach of deletes is counted from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.unreadable import Unreadable
from ..source import Source
from .avro import decoded
from .list_rows import as_row
from .live_files import Place, live_table
from .manifests import SMALL_IN_BYTES, size_together, table_here
from .sent_tables import by_value, sent
from .task_files import Opened

_STATISTICS = {
    "lower": "lower_bounds",
    "upper": "upper_bounds",
    "nulls": "null_value_counts",
    "values": "value_counts",
}


def data_columns(
    source: Source,
    manifests: Sequence[ListedManifest],
    *,
    names: Collection[str],
    keys: Collection[int],
    place: Place | None = None,
    small_in_bytes: int = SMALL_IN_BYTES,
) -> Iterator[pa.Table]:
    """The live data files of manifests, those that can be read.

    Columns: file_path string, null of a file that is none of `names`; spec_id int; partition string, as
    `files.manifests.entries` writes it; record_count bigint; sequence_number bigint, as a reader sees it, null if it is
    not known; for each field id n of `keys` lower_n, upper_n binary, as stored, and nulls_n, values_n bigint.

    Args:
        source: the table.
        manifests: rows of a manifest list.
        names: the paths that are told.
        keys: field ids of columns whose statistics are told.
        place: whose files alone are wanted; all if None.
        small_in_bytes: manifests larger than this together are decoded in Spark tasks.

    Cost: the bytes of the manifests, once; a Spark job if they are large, or not where this process can open them.
    """
    rows = {m.path: as_row(m) for m in manifests}  # Spark 3.5 loses values with slots
    specs = {spec_id: [dict(field) for field in spec] for spec_id, spec in source.specs.items()}
    told, ids = pa.array(sorted(names), pa.string()), sorted(keys)

    def read(files: Iterable[Opened]) -> dict[str, pa.Table]:
        there = ((ListedManifest(*rows[p]), found) for p, found in files if not isinstance(found, Unreadable))
        return {"data": _narrow(decoded(there, specs, statistics=bool(ids)).entries, told, ids, place)}

    if size_together(manifests) <= small_in_bytes:
        entries, _ = table_here(source, list({m.path: m for m in manifests}.values()), statistics=bool(ids))
        yield _narrow(entries, told, ids, place)
    else:
        by_value(__name__, live_table.__module__)
        yield from (tables["data"] for tables in sent(source, list(rows), size_together(manifests), ["data"], read))


def _narrow(entries: pa.Table, names: pa.Array, keys: Sequence[int], place: Place | None) -> pa.Table:
    live = live_table(entries)
    if place is not None:
        live = live.filter(pc.and_(pc.equal(live["spec_id"], place[0]), pc.equal(live["partition"], place[1])))
    path = live["file_path"]
    columns = {
        "file_path": pc.if_else(pc.is_in(path, value_set=names), path, pa.scalar(None, pa.string())),
        "spec_id": live["spec_id"],
        "partition": live["partition"],
        "record_count": live["record_count"],
        "sequence_number": live["sequence_number"],
    }
    for field_id in keys:
        for name, stored in _STATISTICS.items():
            columns[f"{name}_{field_id}"] = pc.map_lookup(live[stored], pa.scalar(field_id, pa.int32()), "first")
    return pa.table(columns)
