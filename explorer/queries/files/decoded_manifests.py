"""What was decoded of manifests, for who asks of the same ones again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
import pyarrow as pa

from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.unreadable import Unreadable
from . import avro
from .avro import Decoded

_NOTHING = pa.Table.from_batches([], pa.schema([*avro.ENTRY, *avro.STATISTICS]))  # `empty_table` imports pandas
_MOST_IN_BYTES = 64 * 2**20

Read = Callable[[Sequence[ListedManifest]], tuple[Decoded, list[ListedManifest], tuple[Unreadable, ...]]]
"""Decodes manifests, with statistics: what they hold, of those that can be had, which these are, and the unreadable."""


@dataclass(frozen=True, eq=False)
class _Kept:
    """Entries of manifests in one table, and which rows of it are those of a manifest, by its path; a value."""

    entries: pa.Table
    rows: dict[str, tuple[int, int]]

    def with_(self, manifests: Sequence[ListedManifest], found: Decoded, failed: Collection[str]) -> _Kept:
        ends = np.searchsorted(found.manifest, np.arange(len(manifests)), side="right").tolist()
        before = len(self.entries)
        new = {
            manifest.path: (before + first, before + end)
            for manifest, first, end in zip(manifests, [0, *ends], ends, strict=False)
            if manifest.path not in failed
        }
        return _Kept(pa.concat_tables([self.entries, found.entries]).combine_chunks(), self.rows | new)

    def of(self, listed: Sequence[ListedManifest]) -> pa.Table:
        spans: list[tuple[int, int]] = []
        for first, end in (self.rows[manifest.path] for manifest in listed if manifest.path in self.rows):
            if spans and spans[-1][1] == first:  # of one span a slice has one piece
                spans[-1] = spans[-1][0], end
            else:
                spans.append((first, end))
        return pa.concat_tables([_NOTHING, *(self.entries.slice(first, end - first) for first, end in spans)])


_EMPTY = _Kept(_NOTHING, {})


class DecodedManifests:
    """Entries of manifests with statistics, in one table; for any number of threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept = _EMPTY

    def read(self, listed: Sequence[ListedManifest], read: Read) -> tuple[pa.Table, tuple[Unreadable, ...]]:
        """Entries of manifests, in their order, and those that cannot be read; what is not kept is decoded now."""
        known = self._kept
        missing = [manifest for manifest in listed if manifest.path not in known.rows]
        if not missing:
            return known.of(listed), ()
        found, there, unreadable = read(missing)
        failed = {file.path for file in unreadable}
        told = known.with_(there, found, failed)
        with self._lock:  # another thread may have added others, or have forgotten these, meanwhile
            self._kept = told if self._kept is known else self._kept.with_(there, found, failed)
        return told.of(listed), unreadable

    def add(self, manifests: Sequence[ListedManifest], found: Decoded, failed: Collection[str]) -> None:
        """Keep what manifests hold, but for those that could not be read: who asks again is told so again."""
        with self._lock:
            self._kept = self._kept.with_(manifests, found, failed)

    def forget_much(self) -> None:
        """Begin anew if there is more than is worth its memory; who has asked already has what was there."""
        with self._lock:
            if self._kept.entries.nbytes > _MOST_IN_BYTES:
                self._kept = _EMPTY
