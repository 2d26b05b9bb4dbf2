"""Two commits that wrote different bytes under one name: the rows of the first are lost.

Source: specification, "Manifests": a file is immutable, so that one path has one size and one row count.
"""

from __future__ import annotations

import numpy as np

from ... import formats
from ...arrays import NULL, numbers
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known


def examine(known: Known) -> Outcome:
    """By the sizes and row counts that all entries of the history give of each path."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    entries = files.lifetimes.entries
    code, size, rows = files.path_of_entry, numbers(entries["file_size_in_bytes"]), numbers(entries["record_count"])
    order = np.argsort(code, kind="stable")
    code, size, rows = code[order], size[order], rows[order]
    same = code[1:] == code[:-1]
    known_both = (size[1:] != NULL) & (size[:-1] != NULL)
    differs = same & known_both & ((size[1:] != size[:-1]) | (rows[1:] != rows[:-1]))
    reused = np.unique(code[1:][differs])
    if not len(reused):
        return Clean(f"sizes and row counts of {formats.count(len(files.one_of_path), 'file')}")
    lifetimes = np.flatnonzero(np.isin(files.path, reused))
    lifetimes = lifetimes[np.argsort(files.lifetimes.added_number[lifetimes])]
    second = files.born_at(int(lifetimes[-1]))
    path = files.name(int(lifetimes[0]))
    lost = int(files.records[lifetimes[:-1]].sum())
    return Finding(
        f"{formats.count(len(reused), 'name')} {'was' if len(reused) == 1 else 'were'} used for two files: the rows of"
        f" the first, {formats.count(lost, 'row')}, are lost",
        "wrong answers" if files.live[lifetimes].any() else "hygiene",
        "exact",
        "Entries of one path give two sizes or row counts; the storage can hold one of them.",
        formats.count(len(reused), "name"),
        "one",
        "Iceberg never writes a name twice.",
        known.first(second),
        Evidence(
            ("file", "rows", "bytes", "added at"),
            tuple(
                (files.name(n), f"{files.records[n]:,}", f"{files.size[n]:,}", known.number_of(files.born_at(n)))
                for n in lifetimes[:100].tolist()
            ),
            len(lifetimes),
            tuple(dict.fromkeys(s.snapshot_id for n in lifetimes[:100].tolist() if (s := files.born_at(n)))),
            files.names(lifetimes),
            sql="SELECT\n  data_file.file_path,\n  count(DISTINCT data_file.file_size_in_bytes) AS sizes\n"
            f"FROM {known.named.table}.all_entries\nGROUP BY data_file.file_path\n"
            "HAVING count(DISTINCT data_file.file_size_in_bytes) > 1",
        ),
        next_certainty="the size of the object in storage: which of the two it is",
        fixes=(
            Fix(
                f"undelete the older version of {path} under a new name, copy the newer one to another, and replace the"
                " path by both in one transaction of Iceberg's Java library: newDelete().deleteFile(path), then"
                " newAppend() of the two; SQL would read the file before it replaces it",
                "The rows of both are there, each under a name of its own.",
                "Only where the storage keeps versions. Deletes that reached rows of the two do not reach them again."
                " Upgrade the writer first.",
                known.undo,
                "the table reads, and has as many rows as the entries of both say",
            ),
        ),
        question=f"t.entries(file={path!r})",
    )


SIGNATURE = Signature("path-reused", "cannot be read", "one name for two files", "manifests", examine)
