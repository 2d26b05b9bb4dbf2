"""A delete and a rewrite that passed each other: rows meant to go live on in the new file.

Sources: specification, "Scan Planning"; "Sequence Numbers" (a rewrite that keeps the data sequence number of its start
has it below its file sequence number).
"""

from __future__ import annotations

import numpy as np

from ... import formats
from ...arrays import NULL, Longs
from ...iceberg.metadata import Snapshot
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..files import Files
from ..known import Known, told_once
from ..repairs import deleted_again, names_of

Race = tuple[int, Snapshot, bool]
"""A delete, as a lifetime; the rewrite that removed its file; whether the rewrite surely had not seen it."""


def examine(known: Known) -> Outcome:
    """By live deletes of positions whose data file a commit removed, and by when that commit had begun."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    raced, looked_at = races(known)
    if not raced:
        return Clean(looked_at)
    certain = [found for found in raced if found[2]]
    delete, rewrite, exact = (certain or raced)[0]
    rows = sum(int(files.records[d]) for d, _, _ in raced)
    born = files.born_at(delete)
    since = max((s for s in (rewrite, born) if s), key=lambda s: s.sequence_number)
    chosen = np.array([d for d, _, _ in raced], np.int64)
    parent = known.parent(rewrite)
    statement, verify = _deleted_again(known, files, parent, chosen)
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
                statement,
                "The rows that were meant to go are gone.",
                "Equal rows that were inserted since are hit too.",
                known.undo,
                verify,
            ),
        ),
        question="t.sequence_timeline()",
    )


@told_once
def races(known: Known) -> tuple[list[Race], str]:
    """Deletes and the rewrites that passed them; and what was looked at, in words."""
    files = known.files
    if files is None:
        return [], ""
    lifetimes = files.lifetimes
    positions = np.flatnonzero((files.kind != 0) & (files.kind != 2) & files.live)
    if not len(positions):
        return [], "no live delete of positions"
    named = positions[files.target[positions] >= 0]
    codes, paths = files.path_only
    is_live = np.zeros(len(paths), dtype=bool)
    is_live[codes[files.live & (files.kind == 0)]] = True
    dangling = named[~is_live[files.target[named]]]
    if not len(dangling):
        return [], f"{formats.count(len(named), 'delete')} of one file each; all name a live file"
    removals = _removals(files)
    raced: list[Race] = []
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
    return raced, f"{formats.count(len(dangling), 'delete')} of files that are gone; each was applied by the rewrite"


def _deleted_again(known: Known, files: Files, parent: Snapshot | None, deletes: Longs) -> tuple[str, str]:
    """The rows at these positions, where the old files were live last, deleted by their values."""
    table = known.named.table
    at_parent = f"{table} VERSION AS OF {parent.snapshot_id if parent else 0}"
    rows = f"{at_parent} AS s\n  JOIN {table}.position_deletes AS d\n  ON s._file = d.file_path AND s._pos = d.pos"
    named = f"d.delete_file_path IN (\n    {names_of(files, deletes)}\n  )"
    return deleted_again(
        known, rows, f"{named}\n  AND s._deleted IN (true, false)  -- asked for, so that masked rows are there"
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
