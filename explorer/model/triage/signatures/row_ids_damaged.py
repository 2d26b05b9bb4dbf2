"""Row ids that repeat, are missing, or run past the next one.

Source: specification, "Row Lineage" (version 3: first_row_id of files, next-row-id of the table).
"""

from __future__ import annotations

import numpy as np

from ... import formats
from ...arrays import NULL
from ..facts import CannotSay, Clean, Evidence, Finding, Outcome, Signature
from ..known import Known
from ..live import LiveFile


def examine(known: Known) -> Outcome:
    """By the first row ids of live data files, as readers see them."""
    if known.metadata.format_version < 3:
        return Clean(f"format version {known.metadata.format_version}, which has no row ids")
    if known.live is None or known.head is None:
        return CannotSay("It needs the live files.", "manifests")
    live, first_ids = known.live, known.live.first_row_ids
    by_id = np.argsort(first_ids, kind="stable")
    by_id = by_id[first_ids[by_id] != NULL]
    ends = first_ids + live.records
    within = np.flatnonzero(first_ids[by_id[1:]] < ends[by_id[:-1]])
    wrong: list[tuple[LiveFile, str]] = [
        (after, f"its ids begin at {after.first_row_id:,}, within those of another file")
        for before, after in zip(live.files(by_id[within]), live.files(by_id[within + 1]), strict=True)
        if before.path != after.path
    ]
    following = known.document.get("next-row-id")
    if isinstance(following, int):
        beyond = by_id[ends[by_id] > following]
        wrong += [(f, f"its ids run past the next one, {following:,}") for f in live.files(beyond)]
    if known.head.first_row_id is not None:
        lacking = np.flatnonzero((first_ids == NULL) & (live.records > 0))
        wrong += [(f, "it has none") for f in live.files(lacking)]
    if not wrong:
        return Clean(f"first row ids of {live.looked_at}", is_part=not live.is_whole)
    ids = tuple(dict.fromkeys(f.added_by for f, _ in wrong if f.added_by is not None))
    first = known.earliest(map(known.metadata.by_id.get, ids))
    return Finding(
        f"Row ids of {formats.count(len({f.path for f, _ in wrong}), 'file')} are damaged: {wrong[0][1]}",
        "hygiene",
        "exact",
        "Every file's rows have ids of their own, from its first one on; files that store ids were not looked into.",
        formats.count(len(wrong), "file"),
        "one",
        "An id is given once; whoever follows rows by it follows the wrong one.",
        known.first(first),
        Evidence(
            ("file", "first row id", "rows", "what"),
            tuple((f.path, formats.count(f.first_row_id), f"{f.record_count:,}", words) for f, words in wrong[:100]),
            len(wrong),
            ids[:50],
            tuple(f.path for f, _ in wrong[:200]),
            sql=f"SELECT\n  file_path,\n  first_row_id,\n  record_count\nFROM {known.named.table}.data_files\n"
            "ORDER BY first_row_id",
        ),
        not_ruled_out=("files that store the ids of their rows themselves",),
        next_certainty="the _row_id of the rows in these files",
        question="t.entries()",
    )


SIGNATURE = Signature("row-ids-damaged", "cannot be read", "row ids that repeat or jump", "manifests", examine)
