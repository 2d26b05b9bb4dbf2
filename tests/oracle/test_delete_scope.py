"""What a delete reaches, on random tables: the rule for one pair, all pairs in SQL, counts over columns, Iceberg's own.

Iceberg's is its scan planning, of tables that it wrote. What it refuses to write, numbers that nobody knows and several
vectors of one file among it, is made up.
"""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Callable

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from explorer.model.deletes.counts import from_counts
from explorer.model.deletes.facts import Deletes
from explorer.model.deletes.reach import order
from explorer.model.deletes.stored import keys_of, scoped
from explorer.model.deletes.stored_deletes import StoredDeletes
from explorer.model.deletes.tally import Tally
from explorer.model.iceberg.touched_files import is_unpartitioned
from explorer.model.why.what_if import reader_views
from explorer.queries.deletes.pairs import Sides
from explorer.queries.deletes.sql import deletes_query
from explorer.queries.files.locate import locate
from tests.figures.deletes_stories import Work
from tests.oracle.delete_histories import DeleteHistory
from tests.queries.commit_facts import Opened
from tests.queries.deletes_facts import counted, counted_here, joined, outcome_of, pair_by_pair

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
    for ask in (counted, counted_here):
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


PLACES = [(1, "region=EU"), (1, "region=US"), (2, "region=EU"), (0, "")]
DELETE = (
    "id INT, delete_path STRING, content_offset BIGINT, delete_content STRING, delete_spec_id INT, "
    "delete_partition STRING, delete_sequence_number BIGINT, scope STRING, names STRING, lost_keys BOOLEAN"
)
DATA = "data_path STRING, spec_id INT, partition STRING, data_sequence_number BIGINT, vectors BIGINT"


def made_up(seed: int) -> Work:
    """Fifty files and as many deletes, some of which no reader takes."""
    work, pick = Work(), random.Random(seed)
    for i in range(50):
        spec_id, place = pick.choice(PLACES)
        work.file(pick.choice([None, *range(1, 9)]), place, f"data-{i}", spec_id=spec_id)
    for i in range(50):
        (spec_id, place), number = pick.choice(PLACES), pick.choice([None, *range(1, 9)])
        kind, target = pick.choice(["eq", "pos", "named", "dv"]), pick.choice(work.data[:20])
        if kind in ("named", "dv") and pick.random() < 0.8:
            spec_id, place = target.spec_id, target.partition
        named = {"of": pick.choice([target.file_path] * 9 + ["s3://gone"])} if kind in ("named", "dv") else {}
        more = {"content_offset": i} if kind == "dv" else {"lost_keys": (99,)} if kind == "eq" and i % 5 == 0 else {}
        kind = "pos" if kind == "named" else kind
        work.delete(kind, number, place, f"delete-{i:02d}", spec_id=spec_id, **named, **more)
    return work


@pytest.mark.parametrize("seed", range(6))
def test_pairs_in_sql_and_counts_say_what_the_rule_for_one_pair_says(spark: SparkSession, seed: int) -> None:
    work = made_up(seed)
    work.deletes.sort(key=order)
    found, deletes = work.all(), scoped(work.deletes)
    vectors = Counter(d.data_file for d in work.deletes if d.kind == "deletion vector")
    data = [
        (f.file_path, f.spec_id, f.partition, f.data_sequence_number.value, vectors[f.file_path]) for f in work.data
    ]
    sides = Sides(
        deletes=spark.createDataFrame([dataclasses.astuple(d)[:10] for d in deletes], DELETE),
        data=spark.createDataFrame(data, DATA),
        apart="false",
    )
    expected = {(*p.delete, p.data_path): (p.verdict.applies, p.verdict.decided_by) for p in found.pairs}
    every = sides.verdicts(sides.deletes.crossJoin(sides.data)).collect()
    assert {(r.delete_path, r.content_offset, r.data_path): (r.applies, r.decided_by) for r in every} == expected
    met = {(r.delete_path, r.content_offset, r.data_path) for r in sides.met().collect()}
    assert met >= {pair for pair, (applies, _) in expected.items() if applies is not False}

    columns = [
        {"file_path": f[0], "spec_id": f[1], "partition": f[2], "sequence_number": f[3], "record_count": 1}
        for f in data
    ]
    tally = Tally(deletes, ())
    for part in (columns[:20], columns[20:]):
        tally.add(pa.Table.from_pylist(part))
    stored = StoredDeletes((), "", (), len(deletes), None, statistics=True)
    counts = from_counts(found.snapshot, stored, work.deletes, tally.counts())
    assert [(d.state, d.reached, d.unknown, d.ruled_out) for d in counts.deletes] == [
        (d.state, d.reached, d.unknown, d.ruled_out) for d in found.deletes
    ]
    assert set(found.states) > {"reaches", "dangling", "corrupt"}
