"""What each delete reaches, counted in Spark: for snapshots whose pairs are too many to be told one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import TypeVar

from pyspark.sql import Row
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.deletes.by_partition import MOST_WITHOUT_DELETES, Place, most_deletes
from ...model.deletes.counted import (
    CountedApart,
    CountedFiles,
    CountedMet,
    CountedNamed,
    DeleteCounts,
)
from ...model.deletes.facts import Partition
from ...model.deletes.stored_deletes import StoredDeletes
from ..files.live_files import data_manifests, live_files
from ..rows.local_rows import local_rows
from ..source import Source
from .pairs import PAIRS_IN_SCOPE, Sides

T = TypeVar("T")

_PLACE = "spec_id INT, partition STRING"
_HISTOGRAM = """\
SELECT
  spec_id, partition, data_sequence_number AS number, vectors = 1 AS vectored,
  count(*) AS files, sum(record_count) AS rows
FROM {data} GROUP BY ALL
"""
_PARTITIONS = """\
SELECT spec_id, partition, sum(files) AS files, sum(rows) AS rows, min(number) AS oldest, max(number) AS newest
FROM {histogram} LEFT JOIN {lying} USING (spec_id, partition)
GROUP BY spec_id, partition
ORDER BY max(lies) IS NULL, files DESC, spec_id, partition LIMIT {most}
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
  sum(IF(reached AND NOT ignored, files, 0)) AS reached,
  sum(IF(reached IS NULL AND NOT ignored, files, 0)) AS unknown,
  sum(IF(ignored AND reached IS NOT false, files, 0)) AS vectored
FROM compared GROUP BY id
"""
_DECIDED = """\
SELECT
  id, scope, spec_id, partition, decided_by, applies, min(data_sequence_number) AS number,
  count_if(old_enough IS NOT NULL) AS files, count_if(old_enough IS NULL) AS unknown
FROM {verdicts}
WHERE scope = 'one file' OR (decided_by = 'statistics' AND applies IS false)
GROUP BY ALL
"""


def without_deletes(stored: StoredDeletes) -> DeleteCounts:
    """The counts of a snapshot without a live delete: data files as the manifest list counts them; reads nothing."""
    by_spec: Counter[int] = Counter()
    for manifest in data_manifests(stored.listed):
        by_spec[manifest.partition_spec_id or 0] += live_files([manifest])
    return DeleteCounts(by_spec.total(), by_spec, (), 0, (), (), (), ())


def counts(
    source: Source, sides: Sides, lying: Sequence[Place], *, most_in_scope: int = PAIRS_IN_SCOPE
) -> DeleteCounts:
    """Count what deletes reach.

    Args:
        source: the table.
        sides: of `pairs.sides`.
        lying: in which partition each delete lies.
        most_in_scope: pairs of which statistics are compared at most.

    Cost: the data manifests, once; Spark keeps a row per data file while this runs.
    """
    spark = source.spark
    # Not `persist`: Spark forgets what is kept of a frame once a statement that names it has been analysed.
    sides = replace(sides, data=sides.data.localCheckpoint())
    histogram = spark.sql(_HISTOGRAM, data=sides.data).localCheckpoint()
    by_spec = {row.spec_id: (row.files, row.partitions) for row in spark.sql(_SPECS, histogram=histogram).collect()}
    places = local_rows(spark, [(*place, True) for place in sorted(set(lying))], f"{_PLACE}, lies BOOLEAN")
    most = MOST_WITHOUT_DELETES + len(set(lying))
    partitions = _values(
        Partition, spark.sql(_PARTITIONS, histogram=histogram, lying=F.broadcast(places), most=most).collect()
    )
    drawn = local_rows(spark, sorted(most_deletes(lying)), _PLACE)
    met = _values(CountedMet, spark.sql(_MET, deletes=sides.deletes, histogram=histogram).collect())
    compares = sum(found.reached for found in met) <= most_in_scope or sides.apart == "false"
    pairs = sides.met() if compares and sides.apart != "false" else sides.met().where("scope = 'one file'")
    decided = spark.sql(_DECIDED, verdicts=sides.verdicts(pairs)).collect()
    shown = histogram.join(F.broadcast(drawn), ["spec_id", "partition"], "left_semi")
    return DeleteCounts(
        data_files=sum(files for files, _ in by_spec.values()),
        by_spec={spec_id: files for spec_id, (files, _) in by_spec.items()},
        partitions=partitions,
        partition_count=sum(count for _, count in by_spec.values()),
        histogram=_values(CountedFiles, shown.collect()),
        named=_values(CountedNamed, (row for row in decided if row.scope == "one file")),
        met=met,
        apart=_values(CountedApart, (row for row in decided if row.scope != "one file")) if compares else None,
    )


def _values(kind: type[T], rows: Iterable[Row]) -> tuple[T, ...]:
    """Rows as values whose attributes are columns of them."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return tuple(kind(*(row[name] for name in names)) for row in rows)
