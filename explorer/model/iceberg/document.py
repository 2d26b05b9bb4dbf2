"""Parts of a metadata file that are handed on as they stand there, with the names that the specification gives.

They alone go from floor to floor as dictionaries. All else that is read or told is a value.

Source: Iceberg specification, Appendix C (JSON serialization).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Document = Mapping[str, Any]
"""A whole metadata file."""
ListedSnapshot = Mapping[str, Any]
"""An item of its `snapshots`."""
Schema = Mapping[str, Any]
"""One of its schemas, or the type of a struct: both have `fields`."""
Field = Mapping[str, Any]
"""One of these."""
PartitionField = Mapping[str, Any]
"""A field of a partition spec."""
Specs = Mapping[int, Sequence[PartitionField]]
"""The fields of each partition spec, by spec id."""
