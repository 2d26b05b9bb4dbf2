"""Every partition and commit that changed it as a row of a table: the columns of `partitions().data`."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from .facts import Partitions

SCHEMA = pa.schema(
    {
        "partition": pa.string(),
        "spec_id": pa.int32(),
        "snapshot_id": pa.int64(),
        "sequence_number": pa.int64(),
        "data_files": pa.int64(),
        "delete_files": pa.int64(),
        "record_count": pa.int64(),
        "masked_records": pa.int64(),
        "size_in_bytes": pa.int64(),
        "committed_at": pa.timestamp("us", "UTC"),
        "equality_delete_files": pa.int64(),
        "delete_size_in_bytes": pa.int64(),
    }
)


def as_table(facts: Partitions) -> pa.Table:
    """All rows, in their order."""
    names = pa.array([partition.partition for partition in facts.partitions], pa.string())
    specs = np.array([partition.spec_id for partition in facts.partitions], dtype=np.int32)
    ids = np.array([s.snapshot_id for s in facts.commits], dtype=np.int64)
    numbers = np.array([s.sequence_number for s in facts.commits], dtype=np.int64)
    times = pa.array([s.committed_at for s in facts.commits], SCHEMA.field("committed_at").type)
    found = facts.sums.columns() | {
        "partition": names.take(pa.array(facts.partition)),
        "spec_id": specs[facts.partition],
        "snapshot_id": ids[facts.commit],
        "sequence_number": numbers[facts.commit],
        "committed_at": times.take(pa.array(facts.commit)),
    }
    return pa.table({name: found[name] for name in SCHEMA.names}, schema=SCHEMA)
