"""So many equality deletes that each file must be checked against millions of keys.

Source: specification, "Scan Planning"; readers hold the keys of all deletes in scope in memory (about 100 bytes each).
"""

from __future__ import annotations

from datetime import timedelta

import numpy as np

from ... import formats
from ...iceberg.metadata import Snapshot
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, entries_sql
from ..repairs import still_listed
from ..scope import keys_in_scope

_WARN, _DELETES, _UNTOUCHED = 10**6, 100, timedelta(days=7)
_PILE = 10  # fewer are no pile yet, however long they stay


def examine(known: Known) -> Outcome:
    """By the live equality deletes in whose scope each data file lies, and by when any was last removed."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    equality = files.live & (files.kind == 2)
    if not equality.any():
        return Clean("no live equality delete")
    rows, count = keys_in_scope(files, files.live, known.metadata.specs)
    most_rows, most = int(rows.max(initial=0)), int(count.max(initial=0))
    grown, last = _never_removed(known)
    if most_rows < _WARN and most <= _DELETES and not grown:
        return Clean(f"{formats.count(int(equality.sum()), 'equality delete')}; at most {most:,} for one file")
    worst = np.argsort(-rows)[:50]
    worst = worst[rows[worst] > 0]
    since_removed = f"; none was removed since {known.number(last)}" if last else "; none was ever removed"
    deletes = [None if (n := s.count("total-equality-deletes")) is None else float(n) for s in known.line]
    heavy = most_rows >= _WARN or most > _DELETES
    return Finding(
        f"{formats.count(int(equality.sum()), 'equality delete')} pile up: a file is checked against"
        f" {formats.compact(most_rows)} {'key' if most_rows == 1 else 'keys'} of {formats.count(most, 'delete')}"
        + (since_removed if grown else ""),
        "slow" if heavy else "hygiene",
        "exact" if heavy else "inferred",
        "The reach is exact, but for bounds that may rule some out; what it costs in memory is a rule of thumb.",
        f"{formats.count(most_rows, 'key')}, {formats.count(most, 'delete')} for one file",
        f"{_WARN:,} keys or {_DELETES} deletes for one file; or none removed for {formats.duration(_UNTOUCHED)} while"
        f" {_PILE} commits or more added some",
        "A task keeps about 100 MB for a million keys.",
        known.trend(deletes, _WARN / 2) if most_rows >= _WARN else known.first(_grows_from(known, last)),
        Evidence(
            ("data file", "keys", "deletes"),
            tuple((files.name(n), f"{rows[n]:,}", f"{count[n]:,}") for n in worst.tolist()),
            int(np.count_nonzero(rows)),
            (last.snapshot_id,) if last else (),
            files.names(np.flatnonzero(equality)),
            sql=entries_sql(
                known,
                "count(*) AS deletes,\n  sum(data_file.record_count) AS keys",
                "status < 2 AND data_file.content = 2",
            ),
        ),
        not_ruled_out=("deletes whose bounds rule most files out",),
        fixes=(
            Fix(
                known.named.call_by_name(
                    "rewrite_data_files", options="map('delete-file-threshold', '1', 'remove-dangling-deletes', 'true')"
                ),
                "Files are written anew without the deleted rows, and deletes that reach nothing go.",
                "Since Iceberg 1.12 only: older versions could bring rows back. The defaults never count equality"
                " deletes.",
                known.undo,
                still_listed(known, files, np.flatnonzero(equality)),
            ),
        ),
        question="t.deletes()",
    )


def _never_removed(known: Known) -> tuple[bool, Snapshot | None]:
    """Whether equality deletes grew for a week with none removed; and the last commit that removed one."""
    last = next((s for s in reversed(known.line) if s.count("removed-equality-delete-files")), None)
    start, head = _grows_from(known, last), known.line[-1]
    if start.committed_at is None or head.committed_at is None:
        return False, last
    added = sum(bool(s.count("added-equality-delete-files")) for s in known.line if _is_after(s, last))
    return added >= _PILE and head.committed_at - start.committed_at > _UNTOUCHED, last


def _grows_from(known: Known, last: Snapshot | None) -> Snapshot:
    """The first commit that added an equality delete after the last removal of one."""
    later = (s for s in known.line if _is_after(s, last) and s.count("added-equality-delete-files"))
    return next(later, known.line[-1])


def _is_after(snapshot: Snapshot, last: Snapshot | None) -> bool:
    return last is None or snapshot.sequence_number > last.sequence_number


SIGNATURE = Signature("equality-delete-flood", "slow reads", "equality deletes that pile up", "manifests", examine)
