"""What each delete reaches, counted in Spark: for snapshots whose pairs are too many to be told one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pyspark.sql import DataFrame, SparkSession

from ..files.avro import Row
from ..files.live_files import StoredDeletes, data_manifests, live_files
from ..rows.local_rows import local_rows
from .pairs import PAIRS_IN_SCOPE, Sides

_HISTOGRAM = """\
SELECT
  spec_id, partition, data_sequence_number AS number, vectors = 1 AS vectored,
  count(*) AS files, sum(record_count) AS rows
FROM {data} GROUP BY ALL
"""
_PARTITIONS = """\
SELECT spec_id, partition, sum(files) AS files, sum(rows) AS rows, min(number) AS oldest, max(number) AS newest
FROM {histogram} GROUP BY ALL ORDER BY files DESC, spec_id, partition LIMIT 100
"""
_SPECS = (
    "SELECT spec_id, sum(files) AS files, count(DISTINCT partition) AS partitions FROM {histogram} GROUP BY spec_id"
)
_MET = """\
WITH compared AS (
  SELECT
    id, number, files, vectored AND delete_content = 'position deletes' AS ignored,
    number < delete_sequence_number
      OR delete_content <> 'equality deletes' AND number = delete_sequence_number AS reached
  FROM (
    SELECT x.*, h.number, h.files, h.vectored FROM {deletes} AS x
    JOIN {histogram} AS h ON h.spec_id = x.delete_spec_id AND h.partition = x.delete_partition
    WHERE x.scope = 'partition'
    UNION ALL
    SELECT x.*, n.number, n.files, false AS vectored FROM {deletes} AS x
    CROSS JOIN (SELECT number, sum(files) AS files FROM {histogram} GROUP BY number) AS n
    WHERE x.scope = 'every file'
  )
)
SELECT
  id, sum(files) AS met, min(number) AS oldest,
  sum(IF(reached, files, 0)) AS reached, sum(IF(reached IS NULL, files, 0)) AS unknown,
  sum(IF(reached AND ignored, files, 0)) AS vectored
FROM compared GROUP BY id
"""
_DECIDED = """\
SELECT id, scope, spec_id, partition, decided_by, applies, min(data_sequence_number) AS number, count(*) AS files
FROM {verdicts}
WHERE scope = 'one file' OR (decided_by = 'statistics' AND applies IS false)
GROUP BY ALL
"""


@dataclass(frozen=True, slots=True)
class DeleteCounts:
    """Counts of data files.

    Attributes:
        data_files: live ones.
        by_spec: the same by spec id.
        partitions: those of most files, at most 100: spec_id, partition, files, rows, oldest, newest (data
            sequence numbers). partition_count: all.
        histogram: of these partitions: spec_id, partition, number, vectored, files.
        named: of deletes that name a live file: id, spec_id, partition, number (of its data), applies, decided_by.
        met: of all others that meet a file by partition, or are for every file: id, met (files), oldest (their
            smallest number), reached, unknown, vectored (reached, but ignored beside a deletion vector).
        apart: pairs that statistics rule out: id, spec_id, partition, files; None if they were not compared.
    """

    data_files: int
    by_spec: Mapping[int, int]
    partitions: tuple[Row, ...]
    partition_count: int
    histogram: tuple[Row, ...]
    named: tuple[Row, ...]
    met: tuple[Row, ...]
    apart: tuple[Row, ...] | None


def without_deletes(stored: StoredDeletes) -> DeleteCounts:
    """The counts of a snapshot without a live delete: data files as the manifest list counts them; reads nothing."""
    by_spec: Counter[int] = Counter()
    for manifest in data_manifests(stored.listed):
        by_spec[manifest.partition_spec_id or 0] += live_files([manifest])
    return DeleteCounts(by_spec.total(), by_spec, (), 0, (), (), (), ())


def counts(spark: SparkSession, sides: Sides, *, most_in_scope: int = PAIRS_IN_SCOPE) -> DeleteCounts:
    """Count what deletes reach.

    Args:
        spark: the session to ask.
        sides: of `delete_pairs.sides`.
        most_in_scope: pairs of which statistics are compared at most.

    Cost: the data manifests, once; Spark keeps a row per data file while this runs.
    """
    # Not `persist`: Spark forgets what is kept of a frame once a statement that names it has been analysed.
    sides = replace(sides, data=sides.data.localCheckpoint())
    histogram = spark.sql(_HISTOGRAM, data=sides.data).localCheckpoint()
    by_spec = {row.spec_id: (row.files, row.partitions) for row in spark.sql(_SPECS, histogram=histogram).collect()}
    partitions = _rows(spark.sql(_PARTITIONS, histogram=histogram))
    places = local_rows(spark, [(p["spec_id"], p["partition"]) for p in partitions], "spec_id INT, partition STRING")
    met = _rows(spark.sql(_MET, deletes=sides.deletes, histogram=histogram))
    compares = sum(row["reached"] for row in met) <= most_in_scope or sides.apart == "false"
    pairs = sides.met() if compares and sides.apart != "false" else sides.met().where("scope = 'one file'")
    decided = _rows(spark.sql(_DECIDED, verdicts=sides.verdicts(pairs)))
    return DeleteCounts(
        data_files=sum(files for files, _ in by_spec.values()),
        by_spec={spec_id: files for spec_id, (files, _) in by_spec.items()},
        partitions=partitions,
        partition_count=sum(count for _, count in by_spec.values()),
        histogram=_rows(histogram.join(places, ["spec_id", "partition"], "left_semi")),
        named=tuple(row for row in decided if row["scope"] == "one file"),
        met=met,
        apart=tuple(row for row in decided if row["scope"] != "one file") if compares else None,
    )


def _rows(frame: DataFrame) -> tuple[Row, ...]:
    return tuple(row.asDict() for row in frame.collect())
