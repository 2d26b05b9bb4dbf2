"""The timeline of a table at one of its snapshots, from the lifetimes of its files."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import formats
from ..arrays import Flags, Longs
from ..evidence import Note
from ..iceberg.inheritance import KINDS
from ..iceberg.lifetime_events import BY_ABSENCE, IN_BETWEEN, THERE_BEFORE, Events
from ..iceberg.lifetimes import Lifetimes
from ..iceberg.metadata import Snapshot
from .bands import Columns, bands
from .facts import CommitColumn, Timeline, Window
from .files import files, in_window

MOST_FILES = 2_000
_NAMED = 5  # unreadable files named one by one; the rest is counted


def timeline(
    lifetimes: Lifetimes,
    columns: Columns,
    as_of: int | None = None,
    window: Window = Window(),  # noqa: B008 - a frozen value
    *,
    most: int = MOST_FILES,
    unreadable_lists: Mapping[int, str],
    unreadable_manifests: Mapping[str, str],
) -> Timeline:
    """The timeline at a snapshot.

    Args:
        lifetimes: of the whole history.
        columns: of these lifetimes.
        as_of: id of a listed snapshot; None for the current one.
        window: which lifetimes `files` are of.
        most: lifetimes in `files`; all are counted, and the bands have all of them.
        unreadable_lists: the reason, by snapshot id, of each manifest list that could not be read.
        unreadable_manifests: the reason, by path, of each manifest that could not be read.
    """
    facts = as_of_facts(lifetimes, as_of, unreadable_lists)
    snapshot, at, head = facts.snapshot, facts.at, facts.head
    chosen = in_window(lifetimes, columns, window, head)
    shown = chosen[:most]
    line = frozenset() if head is None else frozenset(lifetimes.forest.lineage(lifetimes.order[head].snapshot_id))
    return Timeline(
        as_of=snapshot,
        line=line,
        line_name=facts.line_name,
        commits=tuple(_commits(lifetimes, columns, line, unreadable_lists)),
        files=files(lifetimes, columns, shown, as_of=at if facts.is_known else None, head=head),
        file_count=len(chosen),
        total_files=lifetimes.count,
        bands=() if at is None or head is None else bands(lifetimes, columns, at, head, is_known=facts.is_known),
        window=window,
        notes=tuple(_notes(lifetimes, len(chosen), len(shown), unreadable_lists, unreadable_manifests)),
        unreadable="" if facts.is_known or snapshot is None else unreadable_lists[snapshot.snapshot_id],
        lacks_data_files=lifetimes.lacks(0),
        lacks_deletes=lifetimes.lacks(1),
    )


@dataclass(frozen=True, slots=True)
class AsOf:
    """Where a timeline is looked at from.

    Attributes:
        snapshot: None if the table has none.
        at: its place in `Lifetimes.order`; head: that of the head of the line; None if there is no snapshot.
        line_name: the ref that points at the head; empty if none does.
        is_known: whether the snapshot's manifest list could be read.
    """

    snapshot: Snapshot | None
    at: int | None
    head: int | None
    line_name: str
    is_known: bool


def as_of_facts(lifetimes: Lifetimes, as_of: int | None, unreadable_lists: Mapping[int, str]) -> AsOf:
    """Where a listed snapshot stands, and on which line; the current one for None."""
    current = lifetimes.metadata.current_snapshot_id if as_of is None else as_of
    if current is None or current not in lifetimes.metadata.by_id:
        return AsOf(None, None, None, "", is_known=True)
    at, is_known = lifetimes.place[current], current not in unreadable_lists
    snapshot = lifetimes.order[at]
    for ref in lifetimes.refs:
        head = lifetimes.place[ref.snapshot_id]
        if lifetimes.on_line(np.array([at]), head)[0]:
            return AsOf(snapshot, at, head, ref.name, is_known)
    return AsOf(snapshot, at, at, "", is_known)


def _commits(
    lifetimes: Lifetimes, columns: Columns, line: frozenset[int], unreadable: Mapping[int, str]
) -> Iterator[CommitColumn]:
    def counted(events: Events, which: Flags) -> Longs:
        """By place and kind."""
        places, kinds = events.place[which].astype(np.int64), columns.kind[events.lifetime[which]]
        size = len(lifetimes.order), len(KINDS)
        return np.bincount(places * len(KINDS) + kinds, minlength=math.prod(size)).reshape(size)

    begins, ends = lifetimes.begins, lifetimes.ends
    shown = [counted(e, ~np.isin(e.evidence, (IN_BETWEEN, THERE_BEFORE))) for e in (begins, ends)]
    live = counted(begins, np.ones(len(begins.lifetime), dtype=bool)) - counted(ends, lifetimes.has_begun(ends))
    for place, snapshot in enumerate(lifetimes.order):
        parent = lifetimes.place.get(snapshot.parent_id, -1) if snapshot.parent_id is not None else -1
        if 0 <= parent < place:
            live[place] += live[parent]
    added, removed, alive = _by_kind(shown[0]), _by_kind(shown[1]), _by_kind(live)
    refs: dict[int, list[str]] = defaultdict(list)
    for ref in lifetimes.refs:
        refs[ref.snapshot_id].append(ref.name)
    for place, snapshot in enumerate(lifetimes.order):
        reason = unreadable.get(snapshot.snapshot_id, "")
        yield CommitColumn(
            snapshot=snapshot,
            is_on_line=snapshot.snapshot_id in line,
            refs=tuple(refs.get(snapshot.snapshot_id, ())),
            added=added[place],
            removed=removed[place],
            live=None if reason else alive[place],
            unreadable=reason,
        )


def _by_kind(counts: Longs) -> list[dict[Any, int]]:
    """By place, the counts that are not 0 by kind."""
    found: list[dict[Any, int]] = [{} for _ in counts]
    places, kinds = np.nonzero(counts)
    for place, kind, n in zip(places.tolist(), kinds.tolist(), counts[places, kinds].tolist(), strict=True):
        found[place][KINDS[kind]] = n
    return found


def _notes(
    lifetimes: Lifetimes,
    count: int,
    shown: int,
    unreadable_lists: Mapping[int, str],
    unreadable_manifests: Mapping[str, str],
) -> Iterator[Note]:
    yield from _unreadable_files("Files of snapshot", "manifest list", unreadable_lists)
    yield from _unreadable_files("Files in", "manifest", unreadable_manifests)
    opened = [s for s in lifetimes.steps.values() if s.why_unknown]
    if opened:
        why = "; ".join(f"before {s.snapshot_id}: {s.why_unknown}" for s in opened[:_NAMED])
        more = f"; and {len(opened) - _NAMED:,} more" if len(opened) > _NAMED else ""
        earlier = (
            "Files that were live then keep the numbers of their entries; files that were gone by then are told as "
        )
        earlier += "far as entries are left."
        yield Note("unknown", "The whole of the history", f"{why[:1].upper()}{why[1:]}{more}. {earlier}")
    absent = int(np.count_nonzero(lifetimes.ends.evidence == BY_ABSENCE))
    if absent:
        yield Note(
            "inferred",
            f"{formats.count(absent, 'removal')} by absence",
            "The snapshot before lists these files as live, the next one does not, and no entry says so.",
        )
    between = int(np.count_nonzero(lifetimes.ends.evidence == IN_BETWEEN))
    if between:
        yield Note(
            "unknown",
            f"The commit of {formats.count(between, 'removal')}",
            "What was listed in between cannot all be read.",
        )
    if count > shown:
        yield Note("exact", f"{shown:,} of {count:,} files listed", "The bands count all of them.")


def _unreadable_files(about: str, what: str, reasons: Mapping[Any, str]) -> Iterator[Note]:
    for name, reason in list(reasons.items())[:_NAMED]:
        yield Note("unknown", f"{about} {name}", f"Its {what}: {reason}" if what == "manifest list" else reason)
    if len(reasons) > _NAMED:
        yield Note("unknown", f"{len(reasons) - _NAMED:,} more", f"Their {what}s cannot be read either.")
