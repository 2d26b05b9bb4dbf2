"""File lifetimes summed up by partition: what lives in each after each commit of a line that changed it.

No file of a million costs a Python object: lifetimes become stretches of the line, as columns; each stretch adds where
it starts and takes away where it ends, and what lives after a commit is the sum of all that came before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import NULL, Flags, Longs, begins_run, codes, distinct, numbers
from ..iceberg.file_paths import with_whole
from ..iceberg.lifetime_events import BY_ABSENCE, IN_BETWEEN
from ..iceberg.lifetimes import Lifetimes
from ..partition_order import in_order
from . import words
from .facts import Partition, Partitions, Sums

_DATA, _POSITIONS, _KEYS = range(3)  # of the content of a file


def partitions(
    lifetimes: Lifetimes,
    head: int | None,
    line_name: str,
    *,
    unreadable: Mapping[int, str],
) -> Partitions:
    """The partitions along the line to a snapshot.

    Args:
        lifetimes: of the whole history, from the lists of the other snapshots.
        head: the place of the snapshot in `Lifetimes.order`; None if the table has none.
        line_name: the ref that points at it.
        unreadable: by snapshot id, why its manifest list, or a manifest that it names, could not be read.
    """
    ids = [] if head is None else [*lifetimes.forest.lineage(lifetimes.order[head].snapshot_id)][::-1]
    known = np.array([n for n, i in enumerate(ids) if i not in unreadable], dtype=np.int64)
    stretches = _live(lifetimes, ids, known)
    files = _Files.of(lifetimes, stretches.lifetime)
    ordered = in_order(files.partitions)
    place = {partition: n for n, partition in enumerate(ordered)}
    code = np.array([place[partition] for partition in files.partitions], dtype=np.int64)[files.partition]
    partition, commit, sums = _summed(code, files, stretches, _masking(files, stretches), len(ids))
    ends = lifetimes.ends
    evidence = ends.evidence[lifetimes.on_line(ends.place, head)] if head is not None else ends.evidence[:0]
    first = lifetimes.steps[lifetimes.place[ids[known[0]]]] if len(known) else None
    facts = Partitions(
        line_name=line_name,
        commits=tuple(lifetimes.metadata.by_id[i] for i in ids),
        partitions=tuple(ordered),
        partition=partition,
        commit=commit,
        sums=sums,
        unreadable={n: unreadable[i] for n, i in enumerate(ids) if i in unreadable},
        before=first.why_unknown if first else "",
        removals_by_absence=int(np.count_nonzero(evidence == BY_ABSENCE)),
    )
    found = words.notes(
        facts,
        in_between=int(np.count_nonzero(evidence == IN_BETWEEN)),
        at_large=int(np.count_nonzero(files.is_at_large)),
    )
    return replace(facts, notes=tuple(found))


@dataclass(frozen=True)
class _Stretches:
    """Where on the line lifetimes are live: from the commit at `start` to before the one at `end`."""

    lifetime: Longs
    start: Longs
    end: Longs

    def of(self, chosen: Longs) -> _Stretches:
        return _Stretches(self.lifetime[chosen], self.start[chosen], self.end[chosen])


def _live(lifetimes: Lifetimes, ids: list[int], known: Longs) -> _Stretches:
    """Where lifetimes are live after the known commits of a line, as `Lifetimes.live_at` tells it of one snapshot.

    What a commit did that is not known counts for the next one that is.
    """
    on_line = np.full(len(lifetimes.order), len(known), dtype=np.int64)
    on_line[[lifetimes.place[i] for i in ids]] = np.searchsorted(known, np.arange(len(ids)))
    places = np.append(known, len(ids))  # behind the line, of what never happens on it
    found = []
    for events, sign in ((lifetimes.begins, 1), (lifetimes.ends, -1)):
        at = places[on_line[events.place]]
        here = at < len(ids)
        found.append(np.stack((events.lifetime[here], at[here], np.full(int(here.sum()), sign))))
    lifetime, at, sign = np.concatenate(found, axis=1)
    order = np.lexsort((at, lifetime))
    lifetime, at, sign = lifetime[order], at[order], sign[order]
    balance = _running(sign, begins_run(lifetime))
    last = np.append(begins_run(lifetime) | begins_run(at), True)[1:]  # of what happens at one commit
    lifetime, at, is_live = lifetime[last], at[last], balance[last] > 0
    was_live = np.append(False, is_live)[:-1] & ~begins_run(lifetime)
    turned = is_live != was_live
    lifetime, at, is_live = lifetime[turned], at[turned], is_live[turned]
    same = ~np.append(begins_run(lifetime), True)[1:]  # what turns next ends it, if it is the same lifetime
    end = np.where(same, np.append(at, 0)[1:], len(ids))
    return _Stretches(lifetime[is_live], at[is_live], end[is_live])


def _running(change: Longs, first: Flags) -> Longs:
    """Sums of what came before, and of each itself, from every `first` on anew."""
    total = np.cumsum(change)
    return total - np.repeat((total - change)[first], np.diff(np.append(np.flatnonzero(first), len(first))))


@dataclass(frozen=True)
class _Files:
    """What is summed up, by stretch.

    Attributes:
        partitions: in no order; `partition` has indices into them.
        target: the path of the one data file that a position delete or deletion vector names; null for all others.
    """

    partitions: list[Partition]
    partition: Longs
    content: Longs
    path: pa.ChunkedArray
    target: pa.Array
    number: Longs
    records: Longs
    size: Longs

    @property
    def is_at_large(self) -> Flags:
        """Whether each is a position delete file that names no single data file."""
        found: Flags = (self.content == _POSITIONS) & ~np.asarray(pc.is_valid(self.target))
        return found

    @classmethod
    def of(cls, lifetimes: Lifetimes, lifetime: Longs) -> _Files:
        own = with_whole(lifetimes.entries.take(pa.array(lifetimes.rows[lifetime])))
        text, texts = codes(own["partition"])
        pairs, partition = distinct(numbers(own["spec_id"]), text)
        content = numbers(own["content"])
        size, part = numbers(own["file_size_in_bytes"]), numbers(own["content_size_in_bytes"])
        return cls(
            partitions=[Partition(spec, texts[text].as_py()) for spec, text in pairs.tolist()],
            partition=partition,
            content=content,
            path=own["file_path"],
            target=lifetimes.targets.take(pa.array(lifetime)),
            number=lifetimes.data_sequence_number[lifetime],
            records=numbers(own["record_count"]),
            size=np.where((content == _DATA) | (part == NULL), size, part),
        )


def _masking(files: _Files, live: _Stretches) -> _Stretches:
    """Where positions mask rows: while their delete lives, and with it the one data file that it names, if it does.

    `lifetime` is the place of the delete in `live`.
    """
    at_large, aimed = np.flatnonzero(files.is_at_large), np.flatnonzero(np.asarray(pc.is_valid(files.target)))
    data = np.flatnonzero(files.content == _DATA)
    names = pc.unique(files.target)
    of_data = numbers(pc.index_in(files.path.take(pa.array(data)), names, skip_nulls=True))
    by_name = np.argsort(of_data, kind="stable")
    wanted = numbers(pc.index_in(files.target.take(pa.array(aimed)), names))
    first, end = (np.searchsorted(of_data[by_name], wanted, side) for side in ("left", "right"))
    count = end - first
    delete = np.repeat(aimed, count)
    file = data[by_name[np.repeat(first - (np.cumsum(count) - count), count) + np.arange(len(delete))]]
    start, stop = np.maximum(live.start[delete], live.start[file]), np.minimum(live.end[delete], live.end[file])
    is_younger = (files.number[file] > files.number[delete]) & (files.number[delete] != NULL)
    both = (start < stop) & ~is_younger
    return _Stretches(
        np.append(at_large, delete[both]),
        np.append(live.start[at_large], start[both]),
        np.append(live.end[at_large], stop[both]),
    )


def _summed(
    partition: Longs, files: _Files, live: _Stretches, masking: _Stretches, length: int
) -> tuple[Longs, Longs, Sums]:
    """Partition, commit and what lives then, of each row; by commit, then by partition."""
    wide = length + 1  # what never ends, ends behind the line
    of_mask = partition[masking.lifetime]
    places = ((partition, live.start), (partition, live.end), (of_mask, masking.start), (of_mask, masking.end))
    rows, group = distinct(np.concatenate([of * wide + at for of, at in places]))
    start, end, mask, unmask = np.split(group, np.cumsum([len(at) for _, at in places])[:-1])
    of, commit = np.divmod(rows[:, 0], wide)
    first = begins_run(of)
    order = np.lexsort((of, commit))
    order = order[commit[order] < length]

    def after_each(begins: Longs, ends: Longs, amount: Longs) -> Longs:
        change = np.zeros(len(of), dtype=np.int64)
        np.add.at(change, begins, amount)
        np.subtract.at(change, ends, amount)
        return _running(change, first)[order]

    is_data, one = files.content == _DATA, np.ones(len(partition), dtype=np.int64)
    sums = Sums(
        data_files=after_each(start, end, one * is_data),
        delete_files=after_each(start, end, one * ~is_data),
        equality_delete_files=after_each(start, end, one * (files.content == _KEYS)),
        partition_delete_files=after_each(start, end, one * files.is_at_large),
        record_count=after_each(start, end, files.records * is_data),
        masked_records=after_each(mask, unmask, files.records[masking.lifetime]),
        size_in_bytes=after_each(start, end, files.size * is_data),
        delete_size_in_bytes=after_each(start, end, files.size * ~is_data),
    )
    return of[order], commit[order], sums
