"""All pairs of a delete and a data file in Spark: the join that finds those which may apply, and the rule as SQL.

A delete that names its file meets it by path, one of a partition by spec and partition, and one of every file meets
all: three joins in one, by a key, so that data files are read once and few pairs are compared that cannot meet.

The rule is that of `model.iceberg.delete_scope`, where its sources are named; both give the same verdicts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark import cloudpickle
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.deletes.counted import ScopedDelete
from ...model.deletes.rows import PairRow
from ...model.deletes.stored_deletes import StoredDeletes
from ...model.iceberg.key_ranges import KeyColumn, KeyRange
from ...model.iceberg.statistics import Statistics
from .. import tasks
from ..files import manifests as stored_manifests
from ..files.avro import STATISTICS
from ..files.live_files import Place, data_manifests, in_place, live_rows
from ..rows.local_rows import local_rows
from ..source import Source

_DELETES = (
    "id INT, delete_path STRING, content_offset BIGINT, delete_content STRING, delete_spec_id INT, "
    "delete_partition STRING, delete_sequence_number BIGINT, scope STRING, names STRING, lost_keys BOOLEAN"
)
_PAIR = (
    "delete_path STRING, content_offset BIGINT, delete_content STRING, delete_sequence_number BIGINT, "
    "data_path STRING, data_sequence_number BIGINT, applies BOOLEAN, decided_by STRING, reason STRING"
)
_DATA = """\
SELECT
  file_path AS data_path, spec_id, partition, record_count, {statistics}sequence_number AS data_sequence_number
FROM {{entries}}
"""
_WITH_VECTORS = """\
SELECT d.*, coalesce(v.vectors, 0) AS vectors
FROM {data} AS d LEFT JOIN (
  SELECT names, count(*) AS vectors FROM {deletes} WHERE delete_content = 'deletion vector' GROUP BY names
) AS v ON v.names = d.data_path
"""

_OLD_ENOUGH = """\
IF(
    delete_content = 'equality deletes',
    data_sequence_number < delete_sequence_number,
    data_sequence_number <= delete_sequence_number
  )"""
_FAILS = """\
CASE
    WHEN scope = 'one file' AND names <> data_path THEN 'path'
    WHEN scope = 'partition' AND delete_spec_id <> spec_id THEN 'spec'
    WHEN scope = 'partition' AND delete_partition <> partition THEN 'partition'
    WHEN NOT old_enough THEN 'sequence'
    WHEN delete_content = 'position deletes' AND vectors = 1 THEN 'deletion vector'
    WHEN delete_content = 'equality deletes' AND NOT lost_keys AND ({apart}) THEN 'statistics'
  END"""
_UNKNOWN = """\
CASE
    WHEN scope = 'one file' AND names IS NULL THEN 'path'
    WHEN scope = 'one file' AND old_enough AND delete_spec_id <> spec_id THEN 'spec'
    WHEN scope = 'one file' AND old_enough AND delete_partition <> partition THEN 'partition'
    WHEN old_enough IS NULL THEN 'sequence'
    WHEN delete_content <> 'equality deletes' AND vectors > 1 THEN 'deletion vector'
    WHEN lost_keys THEN 'statistics'
  END"""
_VERDICTS = """\
WITH compared AS (
  SELECT *, <old enough> AS old_enough FROM {pairs}
),
judged AS (
  SELECT *, <fails> AS fails, <unknown> AS not_known FROM compared
)
SELECT
  *,
  IF(fails IS NOT NULL, false, IF(not_known IS NOT NULL, NULL, true)) AS applies,
  coalesce(fails, not_known, IF(scope = 'one file', 'path', 'sequence')) AS decided_by
FROM judged
"""
_MET = """\
SELECT * FROM (
  SELECT
    *, explode(array(
      concat('one file ', data_path), concat('partition ', spec_id, ' ', partition), 'every file'
    )) AS meets
  FROM {data}
) JOIN (
  SELECT
    *, CASE scope
      WHEN 'one file' THEN concat('one file ', names)
      WHEN 'partition' THEN concat('partition ', delete_spec_id, ' ', delete_partition)
      ELSE 'every file'
    END AS meets
  FROM {deletes}
) USING (meets)
"""
_SHOWN = """\
SELECT
  delete_path, content_offset, delete_content, delete_sequence_number, data_path, data_sequence_number,
  applies, decided_by,
  CASE decided_by
    WHEN 'path' THEN IF(names IS NULL, 'names no data file', IF(applies, 'names this file', 'names another file'))
    WHEN 'spec' THEN concat('spec ', delete_spec_id, ', the file has spec ', spec_id)
    WHEN 'partition' THEN concat('partition ', delete_partition, ', the file lies in ', partition)
    WHEN 'sequence' THEN coalesce(
      concat(
        format_number(data_sequence_number, 0), IF(delete_content = 'equality deletes', ' < ', ' ≤ '),
        format_number(delete_sequence_number, 0), IF(applies, '', ' is false')
      ),
      'a data sequence number is unknown'
    )
    WHEN 'deletion vector' THEN IF(
      vectors > 1, concat(vectors, ' deletion vectors name this file'), 'the file has a deletion vector'
    )
    WHEN 'statistics' THEN IF(lost_keys, 'no schema has a key column', 'no key can occur in the file')
  END AS reason
FROM {verdicts}
"""


Ranges = Callable[[Statistics], Mapping[int, KeyRange]]
"""From a file's statistics to what they say of each key column: `model.iceberg.key_ranges.key_ranges`."""


@dataclass(frozen=True)
class Sides:
    """Deletes and data files of a snapshot as frames, to be joined.

    Attributes:
        deletes: id int and what the rule asks of a delete; small.
        data: data_path, spec_id, partition, record_count, data_sequence_number, vectors (that name it), lazily read.
        apart: SQL that is true of a pair whose statistics have no key in common.
    """

    deletes: DataFrame
    data: DataFrame
    apart: str

    def frame(self, nothing: Sequence[PairRow] = (), *, ruled_out: bool = False) -> DataFrame:
        """Pairs as the contract of `deletes()` has them; lazy.

        Columns: delete_path string; content_offset bigint, bytes, only of deletion vectors; delete_content string;
        delete_sequence_number bigint; data_path string, null if the delete reaches nothing; data_sequence_number
        bigint; applies boolean, null if it cannot be told; decided_by string; reason string.

        Args:
            nothing: deletes that reach nothing, of `model.deletes.rows.nothing_row`.
            ruled_out: every pair, also those that do not apply.
        """
        applying = self.applying()
        if ruled_out:
            return applying.unionByName(self.ruled_out())
        return applying.unionByName(local_rows(applying.sparkSession, nothing, _PAIR))

    def applying(self) -> DataFrame:
        """Every pair that applies, or of which it cannot be told, in the columns of `frame`."""
        return self._shown(self.verdicts(self.met()).where("applies IS NOT false"))

    def ruled_out(self) -> DataFrame:
        """Every other pair: deletes × data files of them, so take what you need."""
        return self._shown(self.verdicts(self.deletes.crossJoin(self.data)).where("applies IS false"))

    def met(self) -> DataFrame:
        """Pairs that meet by path, by spec and partition, or because the delete is for every file."""
        return self.data.sparkSession.sql(_MET, deletes=self.deletes, data=self.data)

    def verdicts(self, pairs: DataFrame) -> DataFrame:
        """The pairs with applies boolean (null if it cannot be told) and decided_by string."""
        text = _VERDICTS.replace("<old enough>", _OLD_ENOUGH).replace("<unknown>", _UNKNOWN)
        text = text.replace("<fails>", _FAILS.format(apart=self.apart))
        return pairs.sparkSession.sql(text, pairs=pairs)

    def _shown(self, verdicts: DataFrame) -> DataFrame:
        return verdicts.sparkSession.sql(_SHOWN, verdicts=verdicts)


def sides(
    source: Source,
    stored: StoredDeletes,
    deletes: Sequence[ScopedDelete],
    keys: Sequence[KeyColumn],
    ranges: Ranges,
    place: Place | None = None,
) -> Sides:
    """The two sides of the joins.

    Args:
        source: the table.
        stored: of `files.live_files.read`.
        deletes: of `model.deletes.stored.scoped`.
        keys: every key column of an equality delete.
        ranges: of `model.iceberg.key_ranges`, of these keys.
        place: whose data files alone are wanted; all if None.

    Cost: now, a listing of the folders of manifests; each time a frame is read, the data manifests.
    """
    compared = [key for key in keys if stored.statistics]
    types = {key.field_id: _spark_type(key.type) for key in compared}
    ddl = ", ".join([_DELETES, *(f"x{i} BOOLEAN, {_range_ddl(f'x{i}', kind)}" for i, kind in types.items())])
    rows = [(*(getattr(d, name) for name in _names(_DELETES)), *_of_delete(d, types)) for d in deletes]
    frame = F.broadcast(local_rows(source.spark, rows, ddl))
    data = _data(source, stored, types, ranges)
    if place is not None:
        data = in_place(data, place)
    return Sides(
        deletes=frame,
        data=source.spark.sql(_WITH_VECTORS, data=data, deletes=frame),
        apart=" OR ".join(_apart(key) for key in compared) or "false",
    )


def _data(
    source: Source,
    stored: StoredDeletes,
    types: Mapping[int, str],
    ranges: Ranges,
) -> DataFrame:
    manifests = data_manifests(stored.listed)
    entries = live_rows(stored_manifests.entries(source, manifests, statistics=bool(types)))
    names = ["file_path", "spec_id", "partition", "record_count", "sequence_number"]
    kept = entries.select(*names, *(STATISTICS.names if types else ()))
    if types:
        kept = tasks.mapped(kept, _ranged(names, types, ranges), _ranged_ddl(kept, names, types))
    statistics = "".join(f"d{i}_{part}, " for i in types for part in _PARTS)
    return source.spark.sql(_DATA.format(statistics=statistics), entries=kept)


# --- statistics of key columns ---

_PARTS = ("lower", "upper", "nulls", "values")
_INTEGERS = ("int", "long", "date", "time", "timestamp", "timestamptz", "timestamp_ns", "timestamptz_ns")
_PLAIN = {"boolean": "BOOLEAN", "float": "DOUBLE", "double": "DOUBLE", "string": "STRING"}


def _spark_type(kind: str) -> str:
    """A type that holds a bound as PyIceberg decodes it, and orders it in the same way."""
    kind = kind.replace(" ", "")
    if kind in _INTEGERS:
        return "BIGINT"
    return f"DECIMAL(38,{kind[:-1].partition(',')[2]})" if kind.startswith("decimal(") else _PLAIN.get(kind, "BINARY")


def _range_ddl(prefix: str, kind: str) -> str:
    return f"{prefix}_lower {kind}, {prefix}_upper {kind}, {prefix}_nulls BIGINT, {prefix}_values BIGINT"


def _names(ddl: str) -> list[str]:
    return [part.split()[0] for part in ddl.split(", ")]


def _of_delete(delete: ScopedDelete, types: Iterable[int]) -> Iterator[Any]:
    for i in types:
        yield i in delete.keys
        found = delete.ranges.get(i)
        yield from (getattr(found, part, None) for part in _PARTS)


def _apart(key: KeyColumn) -> str:
    """True of a pair whose statistics rule out a common value; see `model.iceberg.key_ranges.no_common_key`."""
    i, nulls = key.field_id, {}
    for side in ("x", "d"):
        at = f"{side}{i}"
        nulls[side] = (
            ("false", "true", "false")
            if key.required
            else (
                f"coalesce({at}_nulls > 0, true)",
                f"coalesce({at}_nulls <= 0, false)",
                f"coalesce({at}_nulls = {at}_values, false)",
            )
        )
    (keys_may, keys_no, keys_all), (data_may, data_no, data_all) = nulls["x"], nulls["d"]
    bounds = f"coalesce(d{i}_lower > x{i}_upper OR x{i}_lower > d{i}_upper, false)"
    known = f"x{i}_lower IS NOT NULL AND x{i}_upper IS NOT NULL AND d{i}_lower IS NOT NULL AND d{i}_upper IS NOT NULL"
    apart = f"({data_all} AND {keys_no}) OR ({keys_all} AND {data_no}) OR ({known} AND {bounds})"
    return f"(x{i} AND NOT ({keys_may} AND {data_may}) AND ({apart}))"


def _ranged_ddl(frame: DataFrame, names: Sequence[str], types: Mapping[int, str]) -> str:
    plain = (f"{name} {frame.schema[name].dataType.simpleString()}" for name in names)
    return ", ".join([*plain, *(_range_ddl(f"d{i}", kind) for i, kind in types.items())])


def _ranged(
    names: Sequence[str], types: Mapping[int, str], ranges: Ranges
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """From stored statistics to ranges of key columns, in tasks that need nothing of this package."""
    for module in (getattr(ranges, "func", ranges).__module__, Statistics.__module__, __name__):
        cloudpickle.register_pickle_by_value(sys.modules[module])  # type: ignore[no-untyped-call]
    fields = [(f"d{i}_{part}", i, part, _arrow_type(kind, part)) for i, kind in types.items() for part in _PARTS]
    maps = tuple(STATISTICS.names)

    def convert(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            stored = zip(*(batch.column(name).to_pylist(maps_as_pydicts="strict") for name in maps), strict=True)
            found = [ranges(Statistics(*(value or {} for value in values))) for values in stored]
            columns = [batch.column(name) for name in names]
            columns += [pa.array([getattr(r[i], part) for r in found], kind) for _, i, part, kind in fields]
            yield pa.RecordBatch.from_arrays(columns, [*names, *(name for name, *_ in fields)])

    return convert


def _arrow_type(kind: str, part: str) -> pa.DataType:
    if part in ("nulls", "values") or kind == "BIGINT":
        return pa.int64()
    if kind.startswith("DECIMAL"):
        return pa.decimal128(38, int(kind[:-1].partition(",")[2]))
    return {"BOOLEAN": pa.bool_(), "DOUBLE": pa.float64(), "STRING": pa.string(), "BINARY": pa.binary()}[kind]
