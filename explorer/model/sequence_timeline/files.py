"""Lifetimes as values, for as many files as a person looks at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..arrays import NULL, Flags, Longs, few_rows
from ..iceberg.file_paths import with_whole
from ..iceberg.inheritance import KINDS, Value, sequence_number
from ..iceberg.lifetime_events import BY_ENTRY, IN_BETWEEN
from ..iceberg.lifetimes import Lifetimes
from .bands import SCOPES, Columns
from .facts import FileLifetime, Removal, Window

_LAST = np.iinfo(np.int64).max


def in_window(lifetimes: Lifetimes, columns: Columns, window: Window, head: int | None) -> Longs:
    """Lifetimes that overlap the window, by spec, partition, data before deletes, birth and path.

    A lifetime runs from the number of the commit that added it to that of the commit that removed it on the line; one
    that was never on the line to that of its first removal.
    """
    chosen = np.ones(lifetimes.count, dtype=bool)
    if window.first is not None:
        chosen &= _last_numbers(lifetimes, head) >= window.first
    if window.last is not None:
        chosen &= lifetimes.added_number <= window.last
    if not window.through:
        last = _last_numbers(lifetimes, head)
        lowest = -_LAST if window.first is None else window.first
        highest = _LAST if window.last is None else window.last
        ended_here = (last <= highest) & (last < _LAST)
        counts_here = (lifetimes.data_sequence_number >= lowest) & (lifetimes.data_sequence_number <= highest)
        chosen &= (lifetimes.added_number >= lowest) | ended_here | counts_here
    if window.spec_id is not None:
        chosen &= columns.spec == window.spec_id
    if window.partition is not None:
        known = {name: code for code, name in enumerate(columns.partitions)}
        chosen &= columns.partition == known.get(window.partition, -1)
    rows = np.flatnonzero(chosen)
    by_name = np.argsort(np.argsort(np.array(columns.partitions, dtype=object))) if columns.partitions else np.empty(0)
    keys = (lifetimes.added_number, columns.kind != 0, by_name[columns.partition], columns.spec)
    return rows[np.lexsort([key[rows] for key in keys])]


def _last_numbers(lifetimes: Lifetimes, head: int | None) -> Longs:
    """By lifetime the number of the commit at which it ends for `in_window`; `_LAST` if none did."""
    last = np.full(lifetimes.count, _LAST)
    ends = lifetimes.ends
    order = np.array([s.sequence_number for s in lifetimes.order], dtype=np.int64)
    if len(ends.lifetime):
        here = np.ones(len(ends.lifetime), dtype=bool) if head is None else lifetimes.on_line(ends.place, head)
        elsewhere = ~np.isin(ends.lifetime, ends.lifetime[here])
        for some in (here, elsewhere):
            np.minimum.at(last, ends.lifetime[some], order[ends.place[some]])
    for lifetime, _, number in lifetimes.ended_before:
        if number != NULL:
            last[lifetime] = min(last[lifetime], number)
    return last


def files(
    lifetimes: Lifetimes,
    columns: Columns,
    chosen: Longs,
    *,
    as_of: int | None,
    head: int | None,
) -> tuple[FileLifetime, ...]:
    """These lifetimes as values, in this order.

    Args:
        lifetimes: of the history.
        columns: of these lifetimes.
        chosen: which.
        as_of: place of the snapshot at which `is_live` is told; None if the table has none, or its list is not known.
        head: place of the head of the line.
    """
    if not len(chosen):
        return ()
    lifetimes_of = _Chosen(lifetimes, chosen, as_of=as_of, head=head)
    rows = with_whole(few_rows(lifetimes.entries, lifetimes.rows[chosen])).to_pylist()
    return tuple(
        _file(lifetimes, columns, int(lifetime), row, lifetimes_of) for lifetime, row in zip(chosen, rows, strict=True)
    )


class _Chosen:
    """Begins, ends and liveness of some lifetimes."""

    def __init__(self, lifetimes: Lifetimes, chosen: Longs, *, as_of: int | None, head: int | None) -> None:
        rising = np.sort(chosen)
        begins, ends = lifetimes.begins.of(rising), lifetimes.ends.of(rising)
        self.ends: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for n, place, evidence in zip(ends.lifetime.tolist(), ends.place.tolist(), ends.evidence.tolist(), strict=True):
            self.ends[int(rising[n])].append((place, evidence))
        self.ended_before: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for lifetime, by, number in lifetimes.ended_before:
            self.ended_before[lifetime].append((by, number))
        self.begun = set(rising[begins.lifetime].tolist())

        def net(at: int) -> Longs:
            counts = [
                np.bincount(e.lifetime[lifetimes.on_line(e.place, at)], minlength=len(rising)) for e in (begins, ends)
            ]
            return counts[0] - counts[1]

        def among(flags: Flags) -> set[int]:
            return set(rising[flags].tolist())

        self.head = head
        self.live = None if as_of is None else among(net(as_of) > 0)
        touched = set()
        if head is not None:
            for e in (begins, ends):
                touched |= set(rising[e.lifetime[lifetimes.on_line(e.place, head)]].tolist())
        self.on_line = touched
        self.live_on: dict[int, list[str]] = defaultdict(list)
        heads: dict[int, list[str]] = defaultdict(list)
        for ref in lifetimes.refs:
            heads[ref.snapshot_id].append(ref.name)
        for snapshot_id, names in heads.items():
            for lifetime in among(net(lifetimes.place[snapshot_id]) > 0):
                self.live_on[lifetime] += names


def _file(
    lifetimes: Lifetimes,
    columns: Columns,
    lifetime: int,
    row: Mapping[str, Any],
    chosen: _Chosen,
) -> FileLifetime:
    data, file = _numbers(lifetimes, row)
    live_on = tuple(chosen.live_on.get(lifetime, ()))
    on_line = lifetime in chosen.on_line
    removals = _removals(lifetimes, lifetime, chosen, live_on)
    ended = [
        (place, removal)
        for (place, _), removal in zip(sorted(chosen.ends.get(lifetime, ())), removals.listed, strict=True)
        if chosen.head is not None and lifetimes.on_line(np.array([place]), chosen.head)[0]
    ]
    removal = ended[-1][1] if ended else None
    if not on_line and not live_on:
        removal = removals.all[0] if removals.all else None
    elif removal is None and not live_on and removals.unknown:
        removal = removals.unknown
    adder, number = (
        None if n == NULL else int(n) for n in (lifetimes.added_id[lifetime], lifetimes.added_number[lifetime])
    )
    scope = columns.scope[lifetime]
    size = row["content_size_in_bytes"]
    return FileLifetime(
        file_path=row["file_path"],
        content_offset=row["content_offset"],
        kind=KINDS[columns.kind[lifetime]],
        spec_id=row["spec_id"],
        partition=row["partition"],
        record_count=row["record_count"],
        size_in_bytes=row["file_size_in_bytes"] if size is None else size,
        data_sequence_number=data,
        file_sequence_number=file,
        added_snapshot_id=adder,
        added_sequence_number=number,
        removals=removals.all,
        removal=removal,
        referenced_data_file=columns.target[lifetime].as_py(),
        equality_ids=tuple(row["equality_ids"] or ()),
        scope=None if scope < 0 else SCOPES[scope],
        live_on=live_on,
        is_live=None if chosen.live is None else lifetime in chosen.live,
        is_on_line=on_line,
        notes=tuple(_notes(lifetimes, adder, data, file, live_on, removals)),
    )


def _numbers(lifetimes: Lifetimes, row: Mapping[str, Any]) -> tuple[Value, Value]:
    """Both numbers with the rule that gave each."""
    manifest, status = lifetimes.manifests[row["manifest"]], row["status"]
    return (
        sequence_number(manifest, status, row["sequence_number"]),
        sequence_number(manifest, status, row["file_sequence_number"]),
    )


class _Removals:
    """Removals of one lifetime: by listed commits, by all, and `unknown` if it went where the history is expired."""

    def __init__(self, before: list[Removal], listed: list[Removal], unknown: Removal | None) -> None:
        self.listed, self.unknown = listed, unknown
        self.all = (*before, *listed, *((unknown,) if unknown else ()))


def _removals(lifetimes: Lifetimes, lifetime: int, chosen: _Chosen, live_on: Sequence[str]) -> _Removals:
    before = [
        Removal(by, None if number == NULL else number)
        for by, number in sorted(chosen.ended_before.get(lifetime, ()), key=lambda e: e[1])
    ]
    listed = [_removal(lifetimes, place, evidence) for place, evidence in sorted(chosen.ends.get(lifetime, ()))]
    unknown = None
    if lifetime in chosen.begun and not live_on and not listed:
        unknown = _unknown(lifetimes, lifetime)
    return _Removals(before, listed, unknown)


def _removal(lifetimes: Lifetimes, place: int, evidence: int) -> Removal:
    snapshot = lifetimes.order[place]
    if evidence == BY_ENTRY:
        return Removal(snapshot.snapshot_id, snapshot.sequence_number)
    before = lifetimes.steps[place].before
    if evidence == IN_BETWEEN:
        return Removal(
            None,
            None,
            "unknown",
            f"It was live up to {before} or before, and {snapshot.snapshot_id} does not list it; what was listed in "
            "between cannot all be read.",
        )
    return Removal(
        snapshot.snapshot_id,
        snapshot.sequence_number,
        "absence",
        f"Its parent {before} holds it live, this snapshot does not, and no entry says that it was removed.",
    )


def _unknown(lifetimes: Lifetimes, lifetime: int) -> Removal | None:
    """Of a file that no ref holds and no listed commit removed, while commits after it have expired."""
    begins = lifetimes.begins.place[lifetimes.begins.lifetime == lifetime]
    if not any(step.why_unknown and place > begins.max() for place, step in lifetimes.steps.items()):
        return None
    return Removal(
        None,
        None,
        "unknown",
        "No branch or tag holds it, and no listed commit removed it: the commits that followed are expired or cannot "
        "be read.",
    )


def _notes(
    lifetimes: Lifetimes,
    adder: int | None,
    data: Value,
    file: Value,
    live_on: Sequence[str],
    removals: _Removals,
) -> list[str]:
    notes = []
    if adder is None:
        notes.append("No entry that is left says which snapshot added it.")
    elif adder not in lifetimes.place:
        notes.append(f"Snapshot {adder}, which added it, is no longer listed; its entry keeps the numbers.")
    for name, value in (("data", data), ("file", file)):
        if value.value is None:
            notes.append(f"Its {name} sequence number is not stored in its entry, which may not inherit it.")
    notes += [removal.reason for removal in removals.all if removal.reason]
    if not live_on and not removals.all:
        notes.append("It is live only in snapshots that no branch or tag holds.")
    return notes
