"""Equality deletes that cannot reach a row's old version, since it lies in another partition.

Source: specification, "Scan Planning" (an equality delete of a partitioned spec applies to data files of its own
partition alone).
"""

from __future__ import annotations

import numpy as np

from ... import formats
from ..facts import Clean, Evidence, Finding, Fix, Outcome, Signature
from ..known import Known, column_in_sql, entries_sql


def examine(known: Known) -> Outcome:
    """By the columns of live equality deletes, beside those that their partitions are made of."""
    files = known.files
    if files is None:
        return Clean("no snapshot")
    deletes = np.flatnonzero(files.live & (files.kind == 2))
    if not len(deletes):
        return Clean("no live equality delete")
    ids = files.lifetimes.column("equality_ids", deletes).to_pylist()
    missing = [
        (n, sorted(sources - set(own or ())))
        for n, own in zip(deletes.tolist(), ids, strict=True)
        if (sources := _sources(known, int(files.spec[n]))) and not sources <= set(own or ())
    ]
    if not missing:
        return Clean(f"{formats.count(len(deletes), 'live equality delete')}, whose keys name their partitions")
    names = {f.field_id: f.path for fields in known.metadata.schemas.values() for f in fields}
    lacking = sorted({names.get(i, f"field {i}") for _, those in missing for i in those})
    chosen = np.array([n for n, _ in missing], np.int64)
    chosen = chosen[np.argsort(files.lifetimes.added_number[chosen], kind="stable")]
    first = files.born_at(int(chosen[0]))
    own = {names.get(i, f"field {i}") for found in ids for i in found or ()}
    key = ", ".join(sorted(own)) or "the key"
    columns = [column_in_sql(column) for column in sorted(own)] or ["<the key>"]
    same = "\n  AND ".join(f"newer.{column} = t.{column}" for column in columns)
    return Finding(
        f"{formats.count(len(missing), 'equality delete')} by {key} cannot reach a row whose {', '.join(lacking)}"
        " changed: it lies in another partition",
        "information",
        "inferred",
        "That they reach their own partition alone is exact; whether any row moved between partitions, rows tell.",
        formats.count(len(missing), "equality delete"),
        "one whose key lacks a column of the partition",
        "Such a delete only looks where the new row lies.",
        known.first(first),
        Evidence(
            ("delete", "partition", "rows", "its key lacks"),
            tuple(
                (
                    files.name(n),
                    files.partition(n),
                    f"{files.records[n]:,}",
                    ", ".join(names.get(i, str(i)) for i in those),
                )
                for n, those in missing[:100]
            ),
            len(missing),
            tuple(dict.fromkeys(s.snapshot_id for n in chosen[:100].tolist() if (s := files.born_at(n)))),
            files.names(chosen),
            sql=entries_sql(
                known,
                "data_file.spec_id,\n  data_file.equality_ids,\n  count(*) AS deletes",
                "status < 2 AND data_file.content = 2",
                "GROUP BY data_file.spec_id, data_file.equality_ids",
            ),
        ),
        not_ruled_out=(f"that {', '.join(lacking)} never changes for a key",),
        next_certainty=f"the rows: a key that lives in two partitions, by {key}",
        fixes=(
            Fix(
                f"DELETE FROM {known.named.table} AS t\nWHERE EXISTS (\n  SELECT\n    1\n"
                f"  FROM {known.named.table} AS newer\n  WHERE {same}\n"
                "  AND newer.<a column that grows with each change> > t.<a column that grows with each change>\n)",
                "Of each key its newest version is left.",
                "Versions that are equal in that column both stay. Partition by a bucket of the key, or have the writer"
                " send rows before their change, else it comes again.",
                known.undo,
                f"SELECT\n  {', '.join(columns)},\n  count(*) AS versions\nFROM {known.named.table}\n"
                f"GROUP BY {', '.join(columns)}\n"
                "HAVING count(*) > 1",
            ),
        ),
        question=f't.why("{next(iter(sorted(own)), "id")} = …")',
    )


def _sources(known: Known, spec_id: int) -> set[int]:
    """Ids of the columns that a spec partitions by."""
    found = set()
    for field in known.metadata.specs.get(spec_id, ()):
        if field.get("transform") != "void" and isinstance(field.get("source-id"), int):
            found.add(int(field["source-id"]))
    return found


SIGNATURE = Signature(
    "upsert-missed-old-row", "rows doubled", "deletes that cannot reach a row's old partition", "manifests", examine
)
