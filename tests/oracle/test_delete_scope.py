"""What a delete reaches, on random tables: the rule for one pair, all pairs in SQL, and Iceberg's own scan planning."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from explorer.model.deletes import Deletes
from tests.oracle.delete_histories import DeleteHistory
from tests.queries.commit_facts import Opened
from tests.queries.delete_facts import counted, joined, told

Applied = set[tuple[str, int | None, str]]


def applied(found: Deletes) -> Applied:
    return {(*pair.delete, pair.data_path) for pair in found.pairs if pair.verdict.applies}


@pytest.mark.parametrize("seed", (0, 6))
def test_the_rule_is_that_of_scan_planning(spark: SparkSession, fresh_table: Callable[..., str], seed: int) -> None:
    history = DeleteHistory(spark, fresh_table("deletes"), seed).play(9)
    opened = Opened(spark, history.name)
    for snapshot in opened.metadata.snapshots[-4:]:
        found = told(opened, snapshot.snapshot_id)
        assert applied(found) == history.planned(snapshot.snapshot_id), history.done

    everything = joined(opened, snapshot.snapshot_id)
    rows = [row for frame in (everything.applying(), everything.ruled_out()) for row in frame.collect()]
    in_sql = {(r.delete_path, r.content_offset, r.data_path): (r.applies, r.decided_by) for r in rows}
    assert in_sql == {(*p.delete, p.data_path): (p.verdict.applies, p.verdict.decided_by) for p in found.pairs}, (
        history.done
    )
    assert len(rows) == len(found.pairs)
    again = counted(opened, snapshot.snapshot_id)
    for name in ("deletes", "delete_count", "data_file_count", "pair_count", "reached_pairs", "states"):
        assert getattr(again, name) == getattr(found, name), (name, history.done)
    for name in ("partitions", "groups", "blocks", "findings", "notes"):
        assert getattr(again, name) == getattr(found, name), (name, history.done)
