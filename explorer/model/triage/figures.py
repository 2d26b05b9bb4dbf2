"""Numbers of health at the head, each beside its value at the last point known good, and judged by its own sentence.

Sources: as of the signatures that judge them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from statistics import median

import numpy as np

from .. import formats
from ..arrays import distinct
from ..iceberg.metadata import Snapshot
from .facts import Figure
from .files import Files
from .known import Known
from .scope import keys_in_scope, reached

_LAST = 50


def figures(known: Known) -> tuple[Figure, ...]:
    """What can be told at the price that was paid."""
    if known.head is None:
        return ()
    found = [
        *(_of_commits(known, name, measure, judgement) for name, measure, judgement in _BY_SUMMARY),
        *_of_metadata(known),
    ]
    if known.files is not None:
        found += _of_files(known)
    return tuple(found)


def _of_commits(known: Known, name: str, measure: Callable[[Known, Snapshot], str], judgement: str) -> Figure:
    now = measure(known, known.head) if known.head else ""
    return Figure(name, now, measure(known, known.good) if known.good else "", judgement)


def _total(key: str) -> Callable[[Known, Snapshot], str]:
    return lambda _, snapshot: formats.count(snapshot.count(key))


def _cadence(known: Known, snapshot: Snapshot) -> str:
    """The usual pause between the commits up to one."""
    line = [s for s in known.line if s.sequence_number <= snapshot.sequence_number][-_LAST:]
    times = [s.committed_at for s in line if s.committed_at]
    pauses = [(after - before).total_seconds() for before, after in pairwise(times)]
    return f"one every {formats.duration(median(pauses))}" if pauses else "one commit"


def _age(known: Known, snapshot: Snapshot) -> str:
    return formats.duration(known.now - snapshot.committed_at) if snapshot.committed_at else "unknown"


_BY_SUMMARY: tuple[tuple[str, Callable[[Known, Snapshot], str], str], ...] = (
    ("rows", _total("total-records"), "before deletes"),
    ("data files", _total("total-data-files"), ""),
    ("delete files", _total("total-delete-files"), ""),
    ("deleted positions", _total("total-position-deletes"), "10 % of the rows slow reads"),
    ("keys in equality deletes", _total("total-equality-deletes"), "1,000,000 in scope of a file slow reads"),
    ("age", _age, "beside the usual pause"),
    ("commits", _cadence, "own history"),
)


def _of_metadata(known: Known) -> list[Figure]:
    metadata = known.metadata
    oldest = min((s.committed_at for s in metadata.snapshots if s.committed_at), default=None)
    span = f", the oldest of {formats.duration(known.now - oldest)} ago" if oldest else ""
    found = [
        Figure("metadata.json", formats.size(known.metadata_size), judgement="5 MB"),
        Figure("snapshots", f"{len(metadata.snapshots):,}{span}", judgement="policy present, and nothing older"),
        Figure("refs", formats.count(len(metadata.refs), "ref")),
    ]
    if known.head_list is not None and not isinstance(known.head_list, str):
        size = sum(m.length or 0 for m in known.head_list)
        found.append(
            Figure("manifests", f"{len(known.head_list):,}, {formats.size(size)}", judgement="100 below 8 MB each")
        )
    return found


def _of_files(known: Known) -> list[Figure]:
    files = known.files
    if files is None or known.history is None or known.head is None:
        return []
    place = files.lifetimes.place
    now = _at(known, files, place[known.head.snapshot_id])
    then = _at(known, files, place[known.good.snapshot_id]) if known.good else {}
    return [Figure(name, text, then.get(name, ""), _JUDGED.get(name, "")) for name, text in now.items()]


_JUDGED = {
    "median data file": "the target is the table's own",
    "files below 0.75 of the target": "what a compaction would look at",
    "deletes that reach nothing": "a few are left by every compaction",
    "most keys for one file": "1,000,000",
    "bytes only old snapshots keep": "once, three times the live bytes",
}


def _at(known: Known, files: Files, head: int) -> dict[str, str]:
    """Figures of the files that are live at a snapshot."""
    live = files.lifetimes.live_at(head)
    data, deletes = live & (files.kind == 0), live & (files.kind != 0)
    sizes = files.size[data]
    found = {
        "median data file": formats.size(int(np.median(sizes))) if len(sizes) else "none",
        "files below 0.75 of the target": f"{int(np.count_nonzero(sizes < 0.75 * known.target_size)):,}",
        "partitions": f"{len(distinct(files.place[data])[0]):,}",
    }
    if deletes.any():
        reach = known.reach if head == files.head else reached(files, live, known.metadata.specs)
        found["deletes that reach nothing"] = (
            f"{int(np.count_nonzero(deletes & (reach == 0))):,} of {int(deletes.sum()):,}"
        )
        found["most keys for one file"] = f"{int(keys_in_scope(files, live, known.metadata.specs)[0].max(initial=0)):,}"
    old = files.one_of_path[files.times(live) == 0]
    found["bytes only old snapshots keep"] = formats.size(int(files.size[old].sum()))
    return found
