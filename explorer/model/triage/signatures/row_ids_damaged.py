"""Row ids that repeat, are missing, or run past the next one.

Source: specification, "Row Lineage" (version 3: first_row_id of files, next-row-id of the table).
"""

from __future__ import annotations

from itertools import pairwise

from ... import formats
from ..facts import CannotSay, Clean, Evidence, Finding, Outcome, Signature
from ..known import Known, LiveFile


def examine(known: Known) -> Outcome:
    """By the first row ids of live data files, as readers see them."""
    if known.metadata.format_version < 3:
        return Clean(f"format version {known.metadata.format_version}, which has no row ids")
    if known.live is None or known.head is None:
        return CannotSay("It needs the live files.", "manifests")
    files = sorted((f for f in known.live.files if f.first_row_id is not None), key=lambda f: f.first_row_id or 0)
    following = known.document.get("next-row-id")
    wrong: list[tuple[LiveFile, str]] = []
    for before, after in pairwise(files):
        end = (before.first_row_id or 0) + before.entry.record_count
        if (after.first_row_id or 0) < end and before.entry.file_path != after.entry.file_path:
            wrong.append((after, f"its ids begin at {after.first_row_id:,}, within those of another file"))
    for f in files:
        if isinstance(following, int) and (f.first_row_id or 0) + f.entry.record_count > following:
            wrong.append((f, f"its ids run past the next one, {following:,}"))
    if known.head.first_row_id is not None:
        wrong += [(f, "it has none") for f in known.live.files if f.first_row_id is None and f.entry.record_count]
    if not wrong:
        return Clean(f"first row ids of {known.live.looked_at}")
    ids = tuple(dict.fromkeys(f.added_by for f, _ in wrong if f.added_by is not None))
    first = known.earliest(map(known.metadata.by_id.get, ids))
    return Finding(
        f"Row ids of {formats.count(len({f.entry.file_path for f, _ in wrong}), 'file')} are damaged: {wrong[0][1]}",
        "hygiene",
        "exact",
        "Every file's rows have ids of their own, from its first one on; files that store ids were not looked into.",
        formats.count(len(wrong), "file"),
        "one",
        "An id is given once; whoever follows rows by it follows the wrong one.",
        known.first(first),
        Evidence(
            ("file", "first row id", "rows", "what"),
            tuple(
                (f.entry.file_path, formats.count(f.first_row_id), f"{f.entry.record_count:,}", words)
                for f, words in wrong[:100]
            ),
            len(wrong),
            ids[:50],
            tuple(f.entry.file_path for f, _ in wrong[:200]),
            sql=f"SELECT\n  file_path,\n  first_row_id,\n  record_count\nFROM {known.named.table}.data_files\n"
            "ORDER BY first_row_id",
        ),
        not_ruled_out=("files that store the ids of their rows themselves",),
        next_certainty="the _row_id of the rows in these files",
        question="t.entries()",
    )


SIGNATURE = Signature("row-ids-damaged", "cannot be read", "row ids that repeat or jump", "manifests", examine)
