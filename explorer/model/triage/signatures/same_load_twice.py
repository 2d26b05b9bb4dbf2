"""Two commits that added the same rows under other names.

Sources: entries (record_count, file_size_in_bytes) of what commits added; `queryId` with `epochId`, Kafka Connect's
offsets and other load ids in summaries, which a writer that tries again leaves twice.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import timedelta
from itertools import chain

import numpy as np

from ... import formats
from ...arrays import Longs
from ...iceberg.metadata import Snapshot
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..files import Files
from ..known import Known, snapshots_sql, told_once
from ..repairs import MOST_FILES, rows_once, still_listed, without_files

_COMMITS, _WITHIN, _LEAST_FILES, _LEAST_ROWS = 200, timedelta(days=7), 3, 20
_ALIKE = 3  # commits whose files have equal sizes: more are alike by nature, if nothing else says that they are one
_LOAD_IDS = ("load-id", "load_id", "batch-id", "batch_id", "kafka.connect.commit-id")


def examine(known: Known) -> Outcome:
    """By the sizes and row counts of added files, and by ids of loads."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    found = pairs(known)
    if not found:
        count = formats.count(len(_appends(known)), "commit")
        return Clean(f"the files of {count}, none like another within a week")
    first, second, why, certain = found[0]
    rows = second.count("added-records")
    parent = known.parent(second)
    added = _data(files, second)
    return Finding(
        f"Commits {known.number(first)} and {known.number(second)} look like one load: {formats.count(rows, 'row')}"
        f" twice ({why})",
        "wrong answers" if certain else "information",
        "inferred",
        "The writer's own id of the load is the same."
        if certain
        else "What is told of their files agrees; the rows were not read.",
        why,
        f"an equal id of the load; or at least {_LEAST_FILES} files of equal size and row count, as at most {_ALIKE}"
        f" commits have; or fewer, of {_LEAST_ROWS} rows or more, whose bounds are equal too; or as many rows in each"
        " partition as one other commit; bounds that are known do not differ",
        "Loads of constant size have one or two files alike by chance, rarely three to the byte, or with equal bounds."
        " A load that is started again may lay its rows into files of other sizes, in the same partitions.",
        known.first(second),
        Evidence(
            ("first", "second", "writer", "rows", "what agrees"),
            tuple(
                (known.number(a), known.number(b), known.writer(b), formats.count(b.count("added-records")), w)
                for a, b, w, _ in found[:200]
            ),
            len(found),
            tuple(dict.fromkeys(s.snapshot_id for a, b, _, _ in found[:200] for s in (a, b))),
            files.names(files.added_by(second)),
            sql=snapshots_sql(known, [first, second]),
        ),
        not_ruled_out=("loads that are alike by nature",),
        next_certainty=f"the rows of both commits, {_size(files, first, second)}: equal ones are one load",
        fixes=_fixes(known, files, second, added),
        question=f"t.boundary({parent.snapshot_id if parent else first.snapshot_id}, {second.snapshot_id})",
    )


def _fixes(known: Known, files: Files, second: Snapshot, added: Longs) -> tuple[Fix, ...]:
    """By SQL where few files are left of the second load, and without writing a file where somebody has Java.

    What was rewritten since lies among other rows: there its rows can only be told by their values.
    """
    left = added[files.live[added]]
    rewritten = (_each_once(known, files, added),) if len(left) < len(added) else ()
    if not len(left):
        return rewritten
    verify = still_listed(known, files, left)
    rows = formats.count(int(files.records[left].sum()), "row")
    by_sql = Fix(
        without_files(known, files, left),
        f"The files of the second load that are left, {formats.count(len(left), 'file')} with {rows}, are gone.",
        "What was changed since in the second copy alone goes with it; prove first that it is one load. A SQL DELETE by"
        " values would hit both copies.",
        known.undo,
        verify,
    )
    by_java = Fix(
        f"table.newDelete().deleteFile(<DataFile of commit {known.number(second)}>).commit()  // Java",
        "The same, and nothing is rewritten.",
        "Pass the DataFile, never a path: through a Python gateway a path removes the file from storage at once"
        " and commits nothing.",
        known.undo,
        verify,
    )
    return (*rewritten, by_sql, by_java) if len(left) <= MOST_FILES else (*rewritten, by_java)


def _each_once(known: Known, files: Files, added: Longs) -> Fix:
    statement, twice = rows_once(known, files, added)
    return Fix(
        statement,
        "In the partitions of the load every row is there once: its files were rewritten since, so that none holds the"
        " second copy alone.",
        "Rows that are meant to be there twice are there once then too; rows that were changed since in one copy alone"
        " stay twice. Prove first that it is one load. Spark compares no column of type map.",
        known.undo,
        twice,
    )


Pair = tuple[Snapshot, Snapshot, str, bool]
"""Two commits, what agrees, and whether that is an id of the load."""


@told_once
def pairs(known: Known) -> list[Pair]:
    """Commits that look like one load: first those that say so, then those whose bounds are equal."""
    files, appends = known.files, _appends(known)
    if files is None:
        return []
    found: dict[tuple[int, int], Pair] = {}  # the first says most: several ways may find the same two
    ways = (_same_id(files, appends), _same_files(known, files, appends), _same_rows(known, files, appends))
    for pair in chain(*ways):
        found.setdefault((pair[0].snapshot_id, pair[1].snapshot_id), pair)
    place = {s.snapshot_id: n for n, s in enumerate(appends)}
    return sorted(found.values(), key=lambda p: (not p[3], "bounds" not in p[2], place[p[1].snapshot_id]))


def _appends(known: Known) -> list[Snapshot]:
    return [s for s in known.line if s.operation in ("append", "overwrite")]


def _size(files: Files, *commits: Snapshot) -> str:
    return formats.size(sum(int(files.size[files.added_by(s)].sum()) for s in commits))


def _same_id(files: Files, commits: list[Snapshot]) -> Iterator[Pair]:
    """Commits that say they are the same load, with files of their own."""
    seen: dict[tuple[str, ...], Snapshot] = {}
    for s in commits:
        if not s.count("added-records"):
            continue
        keys = [(key, s.summary[key]) for key in _LOAD_IDS if s.summary.get(key)]
        if "queryId" in s.summary and "epochId" in s.summary:
            keys.append((f"epoch of stream {s.summary['queryId']}", s.summary["epochId"]))
        for key in keys:
            if key in seen and not _share_a_file(files, seen[key], s):
                yield seen[key], s, f"{key[0]} {key[1]}", True
            seen.setdefault(key, s)


def _same_files(known: Known, files: Files, commits: list[Snapshot]) -> Iterator[Pair]:
    """Commits whose added files agree in size and row count, each with the last one before it.

    Bounds that are known must agree too; they are, of live files alone. Of few files they must be known, and of commits
    of which many are alike.
    """
    alike: dict[bytes, list[tuple[int, Snapshot]]] = defaultdict(list)
    places, lifetimes = files.added
    data = files.kind[lifetimes] == 0
    places, lifetimes = places[data], lifetimes[data]
    by = np.lexsort((files.size[lifetimes], files.records[lifetimes], places))
    sizes = np.stack((files.records[lifetimes[by]], files.size[lifetimes[by]]), axis=1)
    own = [files.lifetimes.place[s.snapshot_id] for s in commits]
    ranges = np.searchsorted(places, np.array([own, np.add(own, 1)])).T.tolist()
    for n, (s, (first, end)) in enumerate(zip(commits, ranges, strict=True)):
        added = sizes[first:end]
        if len(added) >= _LEAST_FILES or added[:, 0].sum() >= _LEAST_ROWS:
            alike[added.tobytes()].append((n, s))
    for group in alike.values():
        yield from _equal(known, files, group) if len(group) > 1 else ()


def _equal(known: Known, files: Files, alike: list[tuple[int, Snapshot]]) -> Iterator[Pair]:
    """Of commits that added files of equal size and row count those that nothing tells apart."""
    count = len(_data(files, alike[0][1]))
    told = [_bounds(known, files, _data(files, s)) for _, s in alike]
    need_bounds = count < _LEAST_FILES or len(alike) > _ALIKE
    for later, (n, s) in enumerate(alike):
        for sooner in reversed(range(later)):
            place, before = alike[sooner]
            if n - place > _COMMITS or not _within(before, s):
                break
            bounds = told[sooner], told[later]
            are_known = None not in bounds
            if (bounds[0] != bounds[1] if are_known else need_bounds) or _share_a_file(files, before, s):
                continue
            what = "size, row count and bounds" if are_known else "size and row count"
            yield before, s, f"{formats.count(count, 'file')} of equal {what}", False
            break


def _same_rows(known: Known, files: Files, commits: list[Snapshot]) -> Iterator[Pair]:
    """Two commits that only add, and as many rows to each partition as no third one, each in files of its own.

    A job that runs again sorts and divides its rows anew, so that sizes differ. Loads that are alike by nature are
    more than two.
    """
    alike: dict[bytes, list[tuple[int, Snapshot]]] = defaultdict(list)
    for n, (s, rows) in enumerate(zip(commits, _rows_by_partition(files, commits), strict=True)):
        if rows[:, 1].sum() >= _LEAST_ROWS:
            alike[rows.tobytes()].append((n, s))
    for group in alike.values():
        if len(group) != 2:
            continue
        (place, first), (there, second) = group
        if there - place > _COMMITS or not _within(first, second) or _share_a_file(files, first, second):
            continue
        what = _alike(known, files, _data(files, first), _data(files, second))
        if what and _only_adds(files, first) and _only_adds(files, second):
            yield first, second, what, False


def _rows_by_partition(files: Files, commits: list[Snapshot]) -> Iterator[Longs]:
    """Of each commit the partitions that it added rows to, by their codes, and how many rows."""
    places, lifetimes = files.added
    data = files.kind[lifetimes] == 0
    by = np.lexsort((files.place[lifetimes[data]], places[data]))
    places, lifetimes = places[data][by], lifetimes[data][by]
    partitions = files.place[lifetimes]
    starts = np.flatnonzero((np.diff(places, prepend=-1) != 0) | (np.diff(partitions, prepend=-1) != 0))
    rows = np.add.reduceat(files.records[lifetimes], starts) if len(starts) else np.empty(0, np.int64)
    told = np.stack((partitions[starts], rows), axis=1)
    own = [files.lifetimes.place[s.snapshot_id] for s in commits]
    for first, end in np.searchsorted(places[starts], np.array([own, np.add(own, 1)])).T.tolist():
        yield told[first:end]


def _only_adds(files: Files, commit: Snapshot) -> bool:
    return not len(files.removed_by(commit)) and len(_data(files, commit)) == len(files.added_by(commit))


def _alike(known: Known, files: Files, first: Longs, second: Longs) -> str:
    """What agrees of files that hold as many rows by partition; empty where too little does, or bounds differ."""
    agree = _agree(known, files, first, second) if len(first) == len(second) else None
    if agree is not None:
        return "equal row counts and bounds" if agree else ""
    return "equal row counts by partition" if all(map(files.partition, second.tolist())) else ""


def _share_a_file(files: Files, before: Snapshot, after: Snapshot) -> bool:
    """Whether both added the same file: then its rows are no copy, which is another signature."""
    paths = files.path[files.added_by(after)]
    return bool(files.are_repeated[paths].any() and np.isin(paths, files.path[files.added_by(before)]).any())


def _data(files: Files, commit: Snapshot) -> Longs:
    """Data files that a commit added."""
    added = files.added_by(commit)
    found: Longs = added[files.kind[added] == 0]
    return found


def _agree(known: Known, files: Files, own: Longs, others: Longs) -> bool | None:
    """Whether the bounds of some files and of others are equal, file by file; None where not all are known."""
    one, other = (_bounds(known, files, of) for of in (own, others))
    return None if one is None or other is None else one == other


def _bounds(known: Known, files: Files, of: Longs) -> Counter[tuple[bytes, ...]] | None:
    """How many of these files have which bounds; None where not all are known."""
    every = {} if known.live is None else known.live.bounds
    found = [every.get(path) for path in files.names(of, len(of))]
    return None if None in found else Counter(bounds for bounds in found if bounds is not None)


def _within(before: Snapshot, after: Snapshot) -> bool:
    if before.committed_at is None or after.committed_at is None:
        return True
    return after.committed_at - before.committed_at <= _WITHIN


SIGNATURE = Signature("same-load-twice", "rows doubled", "two commits that added the same rows", "manifests", examine)
