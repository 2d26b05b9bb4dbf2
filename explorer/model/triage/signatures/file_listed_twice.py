"""The same file twice in one snapshot: its rows are read twice.

Source: specification, "Manifests" (a file may be in one live entry of a snapshot); appends do not compare paths.
"""

from __future__ import annotations

import numpy as np

from ... import formats
from ...arrays import Longs, numbers
from ...iceberg.inheritance import Status
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..files import Files
from ..known import Known, entries_sql
from ..repairs import dynamic, partitions_of


def examine(known: Known) -> Outcome:
    """By path and offset of all live files; and by summaries of commits that removed a file that was there twice."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    twice = _twice(known, files)
    baked = [s for s in known.line if (s.count("deleted-duplicate-files") or 0) > 0]
    if not len(twice) and not baked:
        return Clean(f"the paths of {formats.count(int(files.live.sum()), 'live file')}")
    if not len(twice):
        s = baked[0]
        return Finding(
            f"Commit {known.number(s)} removed files that were listed twice; what it wrote may hold their rows twice",
            "wrong answers",
            "inferred",
            "Its summary counts deleted-duplicate-files; whether it copied both is told by rows.",
            formats.count(s.count("deleted-duplicate-files"), "file"),
            "one",
            "A compaction of a doubled file bakes the doubles in.",
            known.first(s),
            Evidence(snapshots=tuple(x.snapshot_id for x in baked), sql=""),
            next_certainty="the rows of that commit",
            question=f"t.commit({s.snapshot_id}, rows=True)",
        )
    rows = int(files.records[twice].sum())
    again = [files.born_at(n) for n in twice.tolist()]
    first = known.earliest(again)
    deletes = int(np.count_nonzero(files.kind[twice] != 0))
    named = formats.count(len(twice), "file")
    columns = ", ".join(known.columns)
    only = f"\n  WHERE {partitions_of(known, files, twice)}" if known.is_partitioned else ""
    dedupe = (
        f"{dynamic(known)}INSERT OVERWRITE {known.named.table}\nSELECT\n  {columns}\nFROM (\n  SELECT\n    *,\n"
        f"    row_number() OVER (PARTITION BY _file, _pos ORDER BY 1) AS n\n"
        f"  FROM {known.named.table}{only}\n)\nWHERE n = 1"
    )
    listed_twice = entries_sql(
        known,
        "data_file.file_path,\n  data_file.content_offset,\n  count(*) AS entries",
        "status < 2",
        "GROUP BY data_file.file_path, data_file.content_offset\nHAVING count(*) > 1",
    )
    return Finding(
        f"{named} {'is' if len(twice) == 1 else 'are'} listed twice: {formats.count(rows, 'row')} doubled",
        "wrong answers",
        "exact",
        "Two live entries of one snapshot name the same file.",
        f"{named}, {formats.count(rows, 'row')}",
        "one file",
        "A snapshot may list a path once; appends do not compare paths with the table.",
        known.first(first),
        Evidence(
            ("file", "partition", "rows", "added again at"),
            tuple(
                (files.name(n), files.partition(n), f"{files.records[n]:,}", known.number_of(files.born_at(n)))
                for n in twice[:200].tolist()
            ),
            len(twice),
            tuple(dict.fromkeys(s.snapshot_id for s in again if s)),
            files.names(twice),
            sql=listed_twice,
        ),
        ruled_out=("the same rows under other names: the paths are equal",),
        not_ruled_out=("deletes that are listed twice, which harm nothing",) if deletes else (),
        fixes=(
            Fix(
                dedupe,
                "Each row of the files is there once; rows that are truly equal stay.",
                "Rows of version 3 get new ids. A DELETE is no way out: it would hit both copies; a compaction in"
                " between bakes the doubles in.",
                known.named.call("rollback_to_snapshot", str(known.head.snapshot_id if known.head else 0)),
                listed_twice,
            ),
        ),
        question=f"t.commit({first.snapshot_id})" if first else "t.entries()",
    )


def _twice(known: Known, files: Files) -> Longs:
    """The second and further live lifetimes of a file, and lifetimes that one commit added twice."""
    live = np.flatnonzero(files.live)
    several = live[files.times(live)[files.path[live]] > 1]
    order = several[np.lexsort((files.lifetimes.added_number[several], files.path[several]))]
    # Of other size it is another file under the name of the first: `path-reused`.
    same = (files.path[order][1:] == files.path[order][:-1]) & (files.size[order][1:] == files.size[order][:-1])
    repeated = order[1:][same]
    in_one_commit = live[np.isin(files.path[live], _added_twice(known, files))]
    found: Longs = np.concatenate((repeated, in_one_commit[~np.isin(in_one_commit, repeated)]))
    return found


def _added_twice(known: Known, files: Files) -> Longs:
    """Codes of files of which manifests of the head have two ADDED entries of one commit: they are one lifetime."""
    listed = known.history.lists.get(known.head.snapshot_id) if known.history and known.head else None
    if listed is None or isinstance(listed, str):
        return files.path[:0]
    entries = files.lifetimes.entries
    manifest = numbers(entries["manifest"])
    added = (numbers(entries["status"]) == Status.ADDED) & np.isin(manifest, np.array(listed, np.int64))
    rows = np.flatnonzero(added)
    rows = rows[np.bincount(files.path_of_entry[rows])[files.path_of_entry[rows]] > 1]
    codes = files.path_of_entry[rows]
    writers = np.array([m.added_snapshot_id or 0 for m in files.lifetimes.manifests], np.int64)[manifest[rows]]
    pairs, count = np.unique(np.stack((codes, writers)), axis=1, return_counts=True)
    found: Longs = pairs[0][count > 1]
    return found


SIGNATURE = Signature("file-listed-twice", "rows doubled", "the same file twice in one snapshot", "manifests", examine)
