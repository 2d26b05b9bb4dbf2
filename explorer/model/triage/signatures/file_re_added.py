"""A file that was removed and added again: deletes from before no longer cover it.

Source: specification, "Sequence Number Inheritance": an added file counts as young as the commit that adds it. Expiring
the snapshot that removed it may delete the live file.
"""

from __future__ import annotations

import numpy as np

from ... import formats
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known
from ..repairs import deleted_again, still_listed


def examine(known: Known) -> Outcome:
    """By files with several lifetimes on the line, each after the end of the one before."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    lifetimes = files.lifetimes
    data = np.flatnonzero(files.begun & (files.kind == 0))
    several = data[files.times(data)[files.path[data]] > 1]
    found = []
    for code in np.unique(files.path[several]).tolist():
        own = several[files.path[several] == code]
        own = own[np.argsort(lifetimes.added_number[own])]
        for before, after in zip(own[:-1].tolist(), own[1:].tolist(), strict=True):
            again = files.born_at(after)
            gone = None if files.live[before] else _removed_at(known, before)
            if again is None or gone is None or gone > again.sequence_number or "source-snapshot-id" in again.summary:
                continue  # listed twice at once, published, or the removal is not known
            found.append((before, after, gone, again))
    if not found:
        return Clean(f"{formats.count(len(data), 'data file')} of the line, each with one life")
    before, after, gone, again = found[0]
    between = _deletes_between(known, before, after)
    chosen = np.array([a for _, a, _, _ in found], np.int64)
    rows = int(files.records[chosen].sum())
    live = bool(files.live[chosen].any())
    return Finding(
        f"{formats.count(len(found), 'file')} removed before and added again at {known.number(again)}:"
        f" {formats.count(rows, 'row')} that older deletes no longer cover",
        "wrong answers" if between else "hygiene",
        "exact",
        "Entries name both commits that added it, and the one that removed it in between.",
        formats.count(len(found), "file") + (f", {formats.count(between, 'delete')} between" if between else ""),
        "one file",
        "The format advises against it: the file counts as younger than before.",
        known.first(again),
        Evidence(
            ("file", "rows", "removed at", "added again at"),
            tuple((files.name(a), f"{files.records[a]:,}", f"{g:,}", known.number(s)) for _, a, g, s in found[:100]),
            len(found),
            tuple(dict.fromkeys(s.snapshot_id for *_, s in found)),
            files.names(chosen),
            sql=f"SELECT\n  snapshot_id,\n  status,\n  sequence_number,\n  data_file.file_path\nFROM"
            f" {known.named.table}.all_entries\nWHERE data_file.file_path = '{files.name(after)}'",
        ),
        ruled_out=("a cherry-pick", "a rollback, which adds nothing"),
        next_certainty="" if not between else "the rows of the file that the deletes in between had masked",
        fixes=(
            *((_delete_again(known, gone),) if between and live else ()),
            Fix(
                known.named.call_by_name(
                    "rewrite_data_files", where="'<the partition of the file>'", options="map('rewrite-all', 'true')"
                ),
                "The rows lie in files of new names, before any expiry looks at the old one.",
                "Expiring the commit that removed the file may delete it: do not expire before.",
                known.undo,
                still_listed(known, files, np.array([after], np.int64)),
            ),
        )
        if live
        else (),
        question="t.sequence_timeline()",
    )


def _delete_again(known: Known, gone: int) -> Fix:
    """What had been masked before the file was removed, deleted once more."""
    removal = next((s for s in known.line if s.sequence_number == gone), None)
    parent = known.parent(removal) if removal else None
    before = f"{known.named.table} VERSION AS OF {parent.snapshot_id if parent else 0}"
    statement, verify = deleted_again(known, f"{before} AS s", "s._deleted")
    return Fix(
        statement,
        "What was masked before the file was removed is deleted again.",
        "Equal rows that were inserted since are hit too.",
        known.undo,
        verify,
    )


def _removed_at(known: Known, lifetime: int) -> int | None:
    """The sequence number of the commit of the line that ended a lifetime."""
    files = known.files
    if files is None:
        return None
    at = int(files.ended_at[lifetime])
    return files.order[at].sequence_number if at >= 0 else None


def _deletes_between(known: Known, before: int, after: int) -> int:
    """Deletes that covered the first life and do not cover the second: by key of the partition, by position of it."""
    files = known.files
    if files is None:
        return 0
    number, (codes, _) = files.lifetimes.data_sequence_number, files.path_only
    keys = (files.kind == 2) & (number > number[before]) & (number <= number[after])
    keys &= (files.place == files.place[after]) | (files.spec != files.spec[after])
    positions = (files.kind != 0) & (files.kind != 2) & (files.target == codes[after])
    positions &= (number >= number[before]) & (number < number[after])
    return int(np.count_nonzero(keys | positions))


SIGNATURE = Signature("file-re-added", "rows returned", "files removed and added again", "manifests", examine)
