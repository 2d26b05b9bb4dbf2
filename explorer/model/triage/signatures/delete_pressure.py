"""Rows that readers read only to throw them away.

Sources: specification, "Scan Planning"; Iceberg's BinPackRewriteFilePlanner (`delete-ratio-threshold` [0.3]).
"""

from __future__ import annotations

import numpy as np

from ... import formats
from ..facts import CannotSay, Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, entries_sql

_OF_TABLE, _OF_FILE, _DELETES_OF_A_FILE = 0.1, 0.3, 10
_LEAST_ROWS = 100_000  # below, reading all of them takes no time


def examine(known: Known) -> Outcome:
    """By the summary of the head; file by file where manifests were read. Merged vectors are counted as they live."""
    if known.head is None:
        return Clean("no snapshot")
    files = known.files
    if files is None:
        masked, rows = known.head.count("total-position-deletes"), known.head.count("total-records")
        if masked is None or rows is None:
            return CannotSay("The summary counts no deletes.", "manifests")
        if not masked or masked <= _OF_TABLE * rows:
            return Clean(f"{_beside(masked, rows)}, by the summary")
        return _finding(known, masked, rows, (), (), "the summary", "manifests, for which files they are of")
    live = files.live
    positions = files.masking
    if not positions.any() and known.hole:
        return CannotSay(f"{known.hole} No delete of positions was found in the others.")
    if not positions.any():
        return Clean("no live delete of positions")
    data = live & (files.kind == 0)
    codes, _ = files.path_only
    size = int(codes.max(initial=-1)) + 1
    named = positions & (files.target >= 0)
    rows, masked = int(files.records[data].sum()), int(files.records[positions].sum())
    of_file = np.bincount(files.target[named], weights=files.records[named], minlength=size)
    deletes = np.bincount(files.target[named], minlength=size)
    share = of_file[codes] / np.maximum(files.records, 1)
    heavy = np.flatnonzero(data & (share >= _OF_FILE))
    crowded = np.flatnonzero(data & (deletes[codes] > _DELETES_OF_A_FILE))
    if masked <= _OF_TABLE * rows and not len(crowded):
        return Clean(f"{_beside(masked, rows)} in live files")
    worst = heavy[np.argsort(-share[heavy])] if len(heavy) else crowded[np.argsort(-deletes[codes][crowded])]
    evidence = tuple(
        (files.name(n), f"{files.records[n]:,}", f"{int(of_file[codes[n]]):,}", f"{int(deletes[codes[n]]):,}")
        for n in worst[:50].tolist()
    )
    looked_at = "live files"
    if (positions & ~named).any():
        looked_at += "; a delete file for several data files may hold positions of such as are gone"
    return _finding(known, masked, rows, evidence, files.names(worst), looked_at, "", total=len(worst))


def _beside(masked: int, rows: int) -> str:
    return f"{formats.count(masked, 'deleted position')} beside {formats.count(rows, 'row')}"


def _finding(
    known: Known,
    masked: int,
    rows: int,
    evidence: tuple[tuple[str, ...], ...],
    paths: tuple[str, ...],
    looked_at: str,
    further: str,
    *,
    total: int = 0,
) -> Finding:
    share = masked / max(rows, 1)
    shares = [
        None if not (of := s.count("total-records")) else (s.count("total-position-deletes") or 0) / of
        for s in known.line
    ]
    return Finding(
        f"{min(share, 1):.0%} of the rows that are read are thrown away: {formats.count(masked, 'deleted position')}"
        + (f"; {formats.count(total, 'file')} worth a rewrite" if total else ""),
        "slow" if rows >= _LEAST_ROWS else "information",
        "exact",
        f"Counted in {looked_at}.",
        f"{share:.0%}",
        f"{_OF_TABLE:.0%} of the rows, or over {_DELETES_OF_A_FILE} deletes of a file; slow from {_LEAST_ROWS:,} rows",
        f"The planner of rewrite_data_files itself chooses files of which {_OF_FILE:.0%} are deleted.",
        known.trend(shares, _OF_TABLE),
        Evidence(
            ("file", "rows", "deleted", "deletes"),
            evidence,
            total,
            files=paths,
            sql=entries_sql(
                known,
                "data_file.content,\n  count(*) AS files,\n  sum(data_file.record_count) AS records",
                "status < 2",
                "GROUP BY data_file.content",
            ),
        ),
        ruled_out=("merged vectors that are counted twice: live ones alone are counted",) if total else (),
        not_ruled_out=("equality deletes, which no metadata counts",),
        next_certainty=further,
        fixes=(
            Fix(
                known.named.call_by_name(
                    "rewrite_data_files", options="map('delete-file-threshold', '1', 'remove-dangling-deletes', 'true')"
                ),
                "Files with deletes are written anew without the deleted rows.",
                "It rewrites whole files; a delete that comes meanwhile wins and the rewrite is tried again.",
                known.undo,
                f"SELECT\n  file_path\nFROM {known.named.table}.delete_files",
            ),
        ),
        question="t.deletes()",
    )


SIGNATURE = Signature("delete-pressure", "slow reads", "rows that are read and thrown away", "metadata.json", examine)
