"""What a delete reaches, on random tables: the rule for one pair, all pairs in SQL, and Iceberg's own scan planning."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from explorer.model.deletes.facts import Deletes
from explorer.model.deletes.stored import keys_of
from explorer.model.iceberg.touched_files import is_unpartitioned
from explorer.model.why.what_if import reader_views
from explorer.queries.deletes.sql import deletes_query
from explorer.queries.files.locate import locate
from tests.oracle.delete_histories import DeleteHistory
from tests.queries.commit_facts import Opened
from tests.queries.deletes_facts import counted, joined, outcome_of, pair_by_pair, tallied

Applied = set[tuple[str, int | None, str]]


def applied(found: Deletes) -> Applied:
    return {(*pair.delete, pair.data_path) for pair in found.pairs if pair.verdict.applies}


@pytest.mark.parametrize("seed", [6, 0])
def test_the_rule_is_that_of_scan_planning(spark: SparkSession, fresh_table: Callable[..., str], seed: int) -> None:
    history = DeleteHistory(spark, fresh_table("deletes"), seed).play(7)
    opened = Opened(spark, history.name)
    for snapshot in opened.metadata.snapshots[-3:]:
        found = pair_by_pair(opened, snapshot.snapshot_id)
        assert applied(found) == history.planned(snapshot.snapshot_id), history.done

    specs = opened.metadata.specs
    query = deletes_query(
        locate(spark, history.name),
        snapshot.snapshot_id,
        partitioned=any(specs.values()),
        unpartitioned_specs=[i for i, spec in specs.items() if is_unpartitioned(spec)],
        keys=[(key.field_id, key.name, key.required) for key in keys_of([d.file for d in found.deletes])],
    )
    assert query is not None
    shown = query.run(spark).collect()
    assert {(r.delete_path, r.content_offset, r.data_path) for r in shown if r.applies} == applied(found), query.sql
    assert len({(r.delete_path, r.content_offset) for r in shown}) == found.delete_count

    everything = joined(opened, snapshot.snapshot_id)
    rows = [row for frame in (everything.applying(), everything.ruled_out()) for row in frame.collect()]
    in_sql = {(r.delete_path, r.content_offset, r.data_path): (r.applies, r.decided_by) for r in rows}
    assert in_sql == {(*p.delete, p.data_path): (p.verdict.applies, p.verdict.decided_by) for p in found.pairs}, (
        history.done
    )
    assert len(rows) == len(found.pairs)
    for ask in (counted, tallied):
        again = ask(opened, snapshot.snapshot_id)
        for name in ("deletes", "delete_count", "data_file_count", "pair_count", "reached_pairs", "states"):
            assert getattr(again, name) == getattr(found, name), (ask, name, history.done)
        for name in ("by_partition", "partition_count", "unknown_pairs", "apart_pairs", "findings", "notes"):
            assert getattr(again, name) == getattr(found, name), (ask, name, history.done)

    outcome = outcome_of(opened, snapshot.snapshot_id, "true", most=500)
    masked = {(row.file_path, row.position) for row in outcome.rows if any(d.masks for d in row.deletes)}
    by_spark = spark.sql(f"SELECT _file, _pos FROM {history.name} VERSION AS OF {snapshot.snapshot_id} WHERE _deleted")
    assert masked == {tuple(row) for row in by_spark.collect()}, history.done
    assert all((seen.by is None) == seen.seen for seen in reader_views(outcome)[0].rows)
