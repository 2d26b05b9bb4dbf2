"""Where lifetimes of files begin and end, as columns.

Source: Iceberg specification, "Manifests" (status, snapshot_id).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Indices, Longs, begins_run

# How a begin or an end is known: an entry says so; the snapshot before tells, by its live files; that, but snapshots in
# between are not known; of a begin, nothing before is known, so the file was there already.
BY_ENTRY, BY_ABSENCE, IN_BETWEEN, THERE_BEFORE = range(4)


@dataclass(frozen=True)
class Events:
    """Begins or ends: the lifetime, the place of the snapshot in `Lifetimes.order`, and how it is known."""

    lifetime: Indices
    place: Indices
    evidence: Indices

    def of(self, lifetimes: Longs) -> Events:
        """Those of some lifetimes, given in rising order, each lifetime named by its place among them."""
        at = np.minimum(np.searchsorted(lifetimes, self.lifetime), max(0, len(lifetimes) - 1))
        found = lifetimes[at] == self.lifetime if len(lifetimes) else np.zeros(len(self.lifetime), dtype=bool)
        return Events(at[found], self.place[found], self.evidence[found])


def by_place(events: Events) -> tuple[Longs, Longs]:
    """Places in rising order, and the lifetime of each."""
    order = np.argsort(events.place, kind="stable")
    return events.place[order], events.lifetime[order]


def of_places(by_place: tuple[Longs, Longs], places: Sequence[int]) -> Longs:
    """Lifetimes at some places."""
    at, lifetime = by_place
    first, end = (np.searchsorted(at, places, side) for side in ("left", "right"))
    return np.concatenate([lifetime[:0], *(lifetime[a:b] for a, b in zip(first, end, strict=True))])


def events_at(lifetimes: Indices, places: Indices, evidence: int) -> Events:
    """Events that are all known in one way."""
    known = np.full(len(lifetimes), evidence, dtype=np.int8)
    return Events(lifetimes.astype(np.int32), places.astype(np.int32), known)


def each_once(*parts: Events) -> Events:
    """Each (lifetime, snapshot) once; what an entry says counts before what is compared."""
    lifetime = np.concatenate([part.lifetime for part in parts])
    place = np.concatenate([part.place for part in parts])
    evidence = np.concatenate([part.evidence for part in parts])
    order = np.lexsort((evidence, place, lifetime))
    lifetime, place, evidence = lifetime[order], place[order], evidence[order]
    first = begins_run(lifetime) | begins_run(place)
    return Events(lifetime[first], place[first], evidence[first])
