"""Numbers of health at the head, each beside its value at the last point known good, and judged by its own sentence.

Sources: as of the signatures that judge them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice, pairwise
from statistics import median

import numpy as np

from .. import formats
from ..arrays import distinct
from ..iceberg.inheritance import ListedManifest
from ..iceberg.metadata import Ref, Snapshot
from .facts import Figure
from .files import Files
from .known import Known
from .scope import keys_in_scope, reached

_LAST, _MOST_HEADS = 50, 3


def heads(known: Known) -> tuple[tuple[Ref, ...], int]:
    """The other branches whose heads are shown beside, those that moved last; and how many more there are."""
    head, by_id = known.head, known.metadata.by_id
    own = head.snapshot_id if head else None
    others = [ref for ref in known.metadata.refs.values() if ref.kind == "branch" and ref.snapshot_id in by_id]
    others = [ref for ref in others if ref.name != known.ref and ref.snapshot_id != own]
    others.sort(key=lambda ref: (-by_id[ref.snapshot_id].sequence_number, ref.name))
    return tuple(others[:_MOST_HEADS]), max(0, len(others) - _MOST_HEADS)


def figures(known: Known, branches: Sequence[Ref] = ()) -> tuple[Figure, ...]:
    """What can be told at the price that was paid: of the head, the last point known good, and heads of branches."""
    if known.head is None:
        return ()
    points = [known.head, known.good, *(known.metadata.by_id[ref.snapshot_id] for ref in branches)]

    def at_each(name: str, measure: Callable[[Known, Snapshot], str], judgement: str) -> Figure:
        now, then, *others = (measure(known, point) if point else "" for point in points)
        return Figure(name, now, then, judgement, tuple(others))

    found = [at_each(*figure) for figure in _BY_SUMMARY]
    found += _of_metadata(known)
    if isinstance(known.head_list, tuple):
        found.append(at_each("manifests", _manifests, "100 below 8 MB each"))
    if known.files is not None:
        told = {point.snapshot_id: _at(known, known.files, point) for point in points if point}
        for name in dict.fromkeys(name for of_one in told.values() for name in of_one):
            now, then, *others = (told[point.snapshot_id].get(name, "none") if point else "" for point in points)
            found.append(Figure(name, now, then, _JUDGED.get(name, ""), tuple(others)))
    return tuple(found)


def _manifests(known: Known, snapshot: Snapshot) -> str:
    """How many, and their bytes; empty of one whose list was not read."""
    listed: Sequence[ListedManifest] | str | None = known.head_list if snapshot == known.head else None
    if listed is None and known.history is not None:
        indices = known.history.lists.get(snapshot.snapshot_id, "")
        listed = indices if isinstance(indices, str) else [known.history.manifests[i] for i in indices]
    if listed is None or isinstance(listed, str):
        return ""
    return f"{len(listed):,}, {formats.size(sum(m.length or 0 for m in listed))}"


def _total(key: str) -> Callable[[Known, Snapshot], str]:
    return lambda _, snapshot: formats.count(snapshot.count(key))


def _cadence(known: Known, snapshot: Snapshot) -> str:
    """The usual pause between the commits up to one."""
    by_id = known.metadata.by_id
    line = [by_id[i] for i in islice(known.graph.forest.lineage(snapshot.snapshot_id), _LAST)][::-1]
    times = [s.committed_at for s in line if s.committed_at]
    pauses = [(after - before).total_seconds() for before, after in pairwise(times)]
    return f"every {formats.duration(median(pauses))}" if pauses else "one commit"


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
    return [
        Figure("metadata.json", formats.size(known.metadata_size), judgement="5 MB"),
        Figure("snapshots", f"{len(metadata.snapshots):,}{span}", judgement="policy present, and nothing older"),
        Figure("refs", formats.count(len(metadata.refs), "ref")),
    ]


_JUDGED = {
    "median data file": "the target is the table's own",
    "files below 0.75 of the target": "what a compaction would look at",
    "deletes that reach nothing": "a few are left by every compaction",
    "most keys for one file": "1,000,000",
    "bytes only old snapshots keep": "once, three times the live bytes",
}


def _at(known: Known, files: Files, snapshot: Snapshot) -> dict[str, str]:
    """Figures of the files that are live at a snapshot."""
    head = files.lifetimes.place[snapshot.snapshot_id]
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
