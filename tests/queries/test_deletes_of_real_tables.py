"""Every delete of every real table against what fastavro and pyarrow alone found in it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pyspark.sql import SparkSession

from explorer.model.deletes.facts import Deletes, LiveDelete
from tests.queries.commit_facts import Opened
from tests.queries.deletes_facts import counted_here, pair_by_pair

KINDS = {"eq_delete": "equality deletes", "pos_delete": "position deletes", "dv": "deletion vector"}
UNREADABLE = {"duckdb_bad_snapshot_id"}  # every engine refuses its metadata file


def in_scope_by_number(found: Deletes, delete: LiveDelete) -> set[str]:
    """The data files of the delete's spec and partition, or of all, whose sequence number it reaches."""
    file, places = delete.file, {f.file.file_path: (f.file.spec_id, f.file.partition) for f in found.data_files}
    reached = set()
    for pair in found.pairs:
        old_enough = pair.verdict.clause("sequence")
        same_place = places[pair.data_path] == (file.spec_id, file.partition) or file.scope == "every file"
        if pair.delete == file.key and same_place and old_enough is not None and old_enough.holds:
            reached.add(pair.data_path)
    return reached


def test_every_verdict_is_that_of_an_independent_reader(
    spark: SparkSession, real_tables: dict[str, dict[str, Any]]
) -> None:
    import table_paths

    seen: Counter[str] = Counter()
    for name in real_tables.keys() - UNREADABLE:
        snapshots = [s for s in (table_paths.expected(name) or {}).get("snapshots", ()) if s.get("deletes")]
        opened = Opened(spark, f"real.t.{name}") if snapshots else None
        for snapshot in snapshots:
            assert opened is not None
            found = pair_by_pair(opened, snapshot["snapshot_id"])
            assert found.data_file_count == snapshot["data_files"]
            assert found.delete_count == snapshot["delete_files"] == len(snapshot["deletes"])
            by_columns = counted_here(opened, snapshot["snapshot_id"])
            assert (by_columns.deletes, by_columns.by_partition) == (found.deletes, found.by_partition), name
            left = list(found.deletes)
            for want in snapshot["deletes"]:
                candidates = set(want["candidates_by_sequence_and_partition"])
                got = next(
                    d
                    for d in left
                    if d.file.file_path == want["delete_file"]
                    and KINDS[want["kind"]] == d.file.kind
                    and (d.file.kind != "deletion vector" or d.file.data_file in candidates)
                )
                left.remove(got)
                seen[got.file.kind] += 1
                applies = {p.data_path for p in found.pairs if p.delete == got.file.key and p.verdict.applies}
                assert got.file.data_sequence_number.value == want["sequence_number"]
                assert [key.field_id for key in got.file.keys] == (want["equality_ids"] or [])
                assert got.reached == len(applies)
                if got.file.kind == "deletion vector":
                    assert applies == candidates
                    continue
                assert in_scope_by_number(found, got) == candidates, (name, want)
                assert applies <= candidates
                if got.file.kind == "equality deletes":
                    assert (got.state == "dangling") == want["dangling"], (name, got)
                elif got.file.data_file is not None:  # rows name the file that the entry names, perhaps with its host
                    assert [path for path in want["rows_name_these_files"] if path.endswith(got.file.data_file)]
                    assert applies == {got.file.data_file} & candidates
                else:
                    assert applies == candidates
    assert set(seen) == set(KINDS.values())
    assert seen.total() > 30
