"""What entries inherit, for columns of many: `inheritance.resolve` has the rules with their words, for one entry.

Of a million entries none costs a Python object here. Spark tasks get this module by value.

Sources: Iceberg specification, "Sequence Number Inheritance", "Snapshot ID Inheritance", "First Row ID Assignment".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from .inheritance import ListedManifest

_ADDED, _DELETED = 1, 2  # status of an entry
_NULL = pa.nulls(1, pa.int64())  # no scalar is made here: for one Arrow imports pandas


def listed_numbers(
    manifests: Iterable[ListedManifest],
    name: Literal["sequence_number", "added_snapshot_id", "first_row_id"],
    manifest: pa.Array,
) -> pa.Array:
    """By entry, what the row of its manifest says; `manifest` has the index of that among `manifests`."""
    return pa.array([getattr(row, name) for row in manifests], pa.int64()).take(manifest)


def sequence_numbers(stored: pa.Array, status: pa.Array, listed: pa.Array) -> pa.Array:
    """Data or file sequence numbers as read, null where not known; `listed` are those of the manifests."""
    of_manifest = pc.fill_null(listed, 0)  # of version 1, which reads as 0
    inherits = pc.or_(pc.equal(status, _ADDED), pc.equal(of_manifest, 0))
    found: pa.Array = pc.coalesce(stored, pc.if_else(inherits, of_manifest, _NULL[0]))
    return found


def snapshot_ids(stored: pa.Array, listed: pa.Array) -> pa.Array:
    """Snapshot ids as read, null where not known; `listed` are those of the commits that added the manifests."""
    found: pa.Array = pc.coalesce(stored, listed)
    return found


def first_row_ids(stored: pa.Array, status: pa.Array, unassigned_rows_before: pa.Array, listed: pa.Array) -> pa.Array:
    """First row ids as read, null where there is none; `listed` are those of the manifests."""
    assigned = pc.if_else(pc.equal(status, _DELETED), _NULL[0], pc.add(listed, unassigned_rows_before))
    found: pa.Array = pc.if_else(pc.is_null(listed), _NULL[0], pc.coalesce(stored, assigned))
    return found
