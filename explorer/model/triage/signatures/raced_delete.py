"""A delete and a rewrite that passed each other: rows meant to go live on in the new file.

Sources: specification, "Scan Planning"; "Sequence Numbers" (a rewrite that keeps the data sequence number of its start
has it below its file sequence number).
"""

from __future__ import annotations

import numpy as np

from ... import formats
from ...arrays import NULL
from ...iceberg.metadata import Snapshot
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..files import Files
from ..known import Known


def examine(known: Known) -> Outcome:
    """By live deletes of positions whose data file a commit removed, and by when that commit had begun."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    lifetimes = files.lifetimes
    positions = np.flatnonzero((files.kind != 0) & (files.kind != 2) & files.live)
    if not len(positions):
        return Clean("no live delete of positions")
    named = positions[files.target[positions] >= 0]
    codes, paths = files.path_only
    is_live = np.zeros(len(paths), dtype=bool)
    is_live[codes[files.live & (files.kind == 0)]] = True
    dangling = named[~is_live[files.target[named]]]
    if not len(dangling):
        return Clean(f"{formats.count(len(named), 'delete')} of one file each; all name a live file")
    removals = _removals(files)
    raced: list[tuple[int, Snapshot, bool]] = []
    for delete in dangling.tolist():
        rewrite = removals.get(int(files.target[delete]))
        own = int(lifetimes.data_sequence_number[delete])
        if rewrite is None or own == NULL:
            continue
        start = _start(files, rewrite)
        if start is not None and own > start:
            raced.append((delete, rewrite, True))
        elif start is None and (born := files.born_at(delete)) and born.sequence_number > rewrite.sequence_number:
            raced.append((delete, rewrite, False))
    if not raced:
        return Clean(
            f"{formats.count(len(dangling), 'delete')} of files that are gone; each was applied by the rewrite"
        )
    certain = [found for found in raced if found[2]]
    delete, rewrite, exact = (certain or raced)[0]
    rows = sum(int(files.records[d]) for d, _, _ in raced)
    born = files.born_at(delete)
    since = max((s for s in (rewrite, born) if s), key=lambda s: s.sequence_number)
    chosen = np.array([d for d, _, _ in raced], np.int64)
    parent = known.parent(rewrite)
    return Finding(
        f"{formats.count(len(raced), 'delete')} of {formats.count(rows, 'row')} and rewrite {known.number(rewrite)}"
        " passed each other: the rows may live on in the new file",
        "wrong answers",
        "exact" if exact else "inferred",
        "The rewrite began before the delete: its files keep the data sequence number of its start."
        if exact
        else "The delete was committed after its file had been removed; when the rewrite began is not recorded.",
        formats.count(len(raced), "delete"),
        "one",
        "A rewrite carries over what it read; a delete that came later names the old file.",
        known.first(since),
        Evidence(
            ("delete", "rows", "deleted at", "rewritten at"),
            tuple(
                (files.name(d), f"{files.records[d]:,}", known.number_of(files.born_at(d)), known.number(r))
                for d, r, _ in raced[:100]
            ),
            len(raced),
            tuple(dict.fromkeys(s.snapshot_id for d, r, _ in raced[:100] for s in (files.born_at(d), r) if s)),
            files.names(chosen),
            sql=f"SELECT\n  file_path,\n  pos\nFROM {known.named.table}.position_deletes",
        ),
        not_ruled_out=("a rewrite that dropped these rows too",),
        next_certainty="the positions in the delete files, and these rows at the last snapshot that had the old file",
        fixes=(
            Fix(
                f"-- the keys of the positions, read where the old file was live\nDELETE FROM {known.named.table}\n"
                f"WHERE <key> IN (\n  SELECT\n    <key>\n  FROM {known.named.table} VERSION AS OF"
                f" {parent.snapshot_id if parent else 0}\n  WHERE _file = '<old file>' AND _pos IN (<positions>)\n)",
                "The rows that were meant to go are gone.",
                "Rows inserted since under these keys go too.",
                known.undo,
                f"SELECT count(*) FROM {known.named.table} WHERE <key>",
            ),
        ),
        question="t.sequence_timeline()",
    )


def _removals(files: Files) -> dict[int, Snapshot]:
    """By code of a path, the last commit of the line that removed the data file."""
    ends = files.lifetimes.ends
    on_line = files.on_line(ends)
    codes, _ = files.path_only
    found: dict[int, Snapshot] = {}
    for lifetime, place in zip(ends.lifetime[on_line].tolist(), ends.place[on_line].tolist(), strict=True):
        if files.kind[lifetime] == 0:
            snapshot = files.order[place]
            before = found.get(int(codes[lifetime]))
            if before is None or before.sequence_number < snapshot.sequence_number:
                found[int(codes[lifetime])] = snapshot
    return found


def _start(files: Files, rewrite: Snapshot) -> int | None:
    """The data sequence number at which a rewrite began, where its files say so; None where they do not."""
    if rewrite.operation != "replace":
        return None
    added = files.added_by(rewrite)
    added = added[files.kind[added] == 0]
    data, own = files.lifetimes.data_sequence_number[added], files.lifetimes.file_sequence_number[added]
    kept = data[(data != NULL) & (own != NULL) & (data < own)]
    return int(kept.min()) if len(kept) else None


SIGNATURE = Signature(
    "raced-delete", "rows returned", "deletes and rewrites that passed each other", "manifests", examine
)
