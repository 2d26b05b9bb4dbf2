"""What was decoded of manifests, for who asks of the same ones again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from threading import Lock

import numpy as np
import pyarrow as pa

from ...model.iceberg.inheritance import ListedManifest
from . import avro
from .avro import Decoded

_NOTHING = pa.Table.from_batches([], pa.schema([*avro.ENTRY, *avro.STATISTICS]))  # `empty_table` imports pandas


class DecodedManifests:
    """Entries of manifests with statistics, in one table; for any number of threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: tuple[pa.Table, dict[str, tuple[int, int]]] = _NOTHING, {}

    @property
    def size_in_bytes(self) -> int:
        """What is kept takes in memory."""
        size: int = self._kept[0].nbytes
        return size

    def missing(self, listed: Sequence[ListedManifest]) -> list[ListedManifest]:
        """Those of the manifests that were not decoded."""
        _, rows = self._kept
        return [manifest for manifest in listed if manifest.path not in rows]

    def add(self, manifests: Sequence[ListedManifest], found: Decoded, failed: Collection[str]) -> None:
        """Keep what manifests hold, but for those that could not be read: who asks again is told so again."""
        if not manifests:
            return
        ends = np.searchsorted(found.manifest, np.arange(len(manifests)), side="right").tolist()
        with self._lock:
            entries, rows = self._kept
            before = len(entries)
            new = {
                manifest.path: (before + first, before + end)
                for manifest, first, end in zip(manifests, [0, *ends], ends, strict=False)
                if manifest.path not in failed
            }
            self._kept = pa.concat_tables([entries, found.entries]).combine_chunks(), rows | new

    def of(self, listed: Sequence[ListedManifest]) -> pa.Table:
        """Entries of manifests, in their order; of those that were not decoded there are none."""
        entries, rows = self._kept
        spans: list[tuple[int, int]] = []
        for first, end in (rows[manifest.path] for manifest in listed if manifest.path in rows):
            if spans and spans[-1][1] == first:  # of one span a slice has one piece
                spans[-1] = spans[-1][0], end
            else:
                spans.append((first, end))
        return pa.concat_tables([_NOTHING, *(entries.slice(first, end - first) for first, end in spans)])
