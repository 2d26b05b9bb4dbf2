"""A delete and a rewrite that passed each other: rows meant to go live on in the new file.

Sources: specification, "Scan Planning"; "Sequence Numbers" (a rewrite that keeps the data sequence number of its start
has it below its file sequence number).
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np

from ... import formats
from ...arrays import NULL, Longs
from ...iceberg.metadata import Snapshot
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..files import Files
from ..known import Known, told_once
from ..repairs import deleted_again, names_of


class Race(NamedTuple):
    """A delete and a rewrite that passed each other.

    Attributes:
        delete: a lifetime.
        rewrite: what removed its file.
        is_certain: whether the rewrite surely had not seen it.
        seen: the snapshot that held the delete last.
    """

    delete: int
    rewrite: Snapshot
    is_certain: bool
    seen: Snapshot


def examine(known: Known) -> Outcome:
    """By deletes of positions whose data file a commit of the line removed, and by when that commit had begun.

    Also by those that are gone: when a delete that reaches nothing is cleaned away, the rows stay.
    """
    files = known.files
    if files is None:
        return Clean("no snapshot")
    raced, looked_at = races(known)
    if not raced:
        return Clean(looked_at)
    race = next((found for found in raced if found.is_certain), raced[0])
    rewrite, exact = race.rewrite, race.is_certain
    rows = sum(int(files.records[found.delete]) for found in raced)
    born = files.born_at(race.delete)
    since = max((s for s in (rewrite, born) if s), key=lambda s: s.sequence_number)
    chosen = np.array([found.delete for found in raced], np.int64)
    statement, verify = _deleted_again(known, files, raced)
    shown = raced[:100]
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
                (
                    files.name(found.delete),
                    f"{files.records[found.delete]:,}",
                    known.number_of(files.born_at(found.delete)),
                    known.number(found.rewrite),
                )
                for found in shown
            ),
            len(raced),
            tuple(
                dict.fromkeys(
                    s.snapshot_id for found in shown for s in (files.born_at(found.delete), found.rewrite) if s
                )
            ),
            files.names(chosen),
            sql=f"SELECT\n  file_path,\n  pos\nFROM {_positions(known, race.seen)}",
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
    """Deletes and the rewrites that passed them, in their order; and what was looked at, in words."""
    files, head = known.files, known.head
    if files is None or head is None:
        return [], ""
    lifetimes, own = files.lifetimes, files.lifetimes.data_sequence_number
    positions = (files.kind != 0) & (files.kind != 2)
    if positions.any():
        positions &= files.live | files.begun | (files.ended_at >= 0)
    if not positions.any():
        return [], "no delete of positions"
    named = np.flatnonzero(positions & (files.target >= 0) & (own != NULL))
    removed_at = _removals(files)[files.target[named]]
    dangling, removed_at = named[removed_at >= 0], removed_at[removed_at >= 0]
    if not len(dangling):
        return [], f"{formats.count(len(named), 'delete')} of one file each; all name a live file"
    raced: list[Race] = []
    for place in np.unique(removed_at).tolist():
        rewrite, those = files.order[place], dangling[removed_at == place]
        start = _start(files, rewrite)
        late = own[those] > start if start is not None else lifetimes.added_number[those] > rewrite.sequence_number
        for delete in those[late].tolist():
            ended = int(files.ended_at[delete])
            seen = head if ended < 0 else known.parent(files.order[ended])
            if seen is not None:
                raced.append(Race(delete, rewrite, start is not None, seen))
    return raced, f"{formats.count(len(dangling), 'delete')} of files that are gone; each was applied by the rewrite"


def _positions(known: Known, seen: Snapshot) -> str:
    """The metadata table of deleted positions, as a snapshot has it."""
    at = "" if seen is known.head else f" VERSION AS OF {seen.snapshot_id}"
    return f"{known.named.table}.position_deletes{at}"


def _deleted_again(known: Known, files: Files, raced: list[Race]) -> tuple[str, str]:
    """The rows at these positions, where the old files were live last, deleted by value; and which are still there."""
    together: dict[tuple[int, int], list[Race]] = defaultdict(list)
    for race in raced:
        together[race.rewrite.snapshot_id, race.seen.snapshot_id].append(race)
    statements, queries = [], []
    for those in together.values():
        parent = known.parent(those[0].rewrite)
        before = f"{known.named.table} VERSION AS OF {parent.snapshot_id if parent else 0} AS s"
        deletes = np.array([race.delete for race in those], np.int64)
        statement, query = deleted_again(
            known,
            f"{before}\n  JOIN {_positions(known, those[0].seen)} AS d\n  ON s._file = d.file_path AND s._pos = d.pos",
            f"d.delete_file_path IN (\n    {names_of(files, deletes)}\n  )\n"
            "  AND s._deleted IN (true, false)  -- asked for, so that masked rows are there",
        )
        statements.append(statement)
        queries.append(query)
    return ";\n".join(statements), "\nUNION ALL\n".join(queries)


def _removals(files: Files) -> Longs:
    """By code of a path, the place of the last commit of the line that removed the data file; -1 where it is live."""
    codes, paths = files.path_only
    numbers = np.array([s.sequence_number for s in files.order], np.int64)
    data = np.flatnonzero((files.kind == 0) & (files.ended_at >= 0))
    data = data[np.argsort(numbers[files.ended_at[data]], kind="stable")]
    found = np.full(len(paths), -1)
    found[codes[data]] = files.ended_at[data]
    found[codes[files.live & (files.kind == 0)]] = -1
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
