"""Which delete applies to which data file, as SQL over a table's entries that a person can run and change.

The rule is that of `model.iceberg.delete_scope`, where its sources are named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from .. import identifiers
from ..files import entry_sql
from ..files.locate import Located
from ..query import Query

_DELETES = """\
-- Live deletes of snapshot {id} of {name} and the data files that each applies to; one that applies to none has one row
WITH live AS (
  SELECT sequence_number, data_file.*, readable_metrics FROM {name}.entries VERSION AS OF {id} WHERE status < 2
),
data AS (
  SELECT * FROM live WHERE content = 0
),
deletes AS (
  SELECT
    *, file_format = 'PUFFIN' AS is_vector, spec_id IN ({unpartitioned}) AS is_unpartitioned,
{named_file} AS names
  FROM live WHERE content IN (1, 2)
),
vectors AS (
  SELECT DISTINCT names FROM deletes WHERE is_vector
),
pairs AS (
  -- position deletes and deletion vectors that name their file: the path alone decides where
  SELECT x.file_path AS delete_path, x.content_offset, d.file_path AS data_path, d.sequence_number
  FROM deletes AS x JOIN data AS d ON d.file_path = x.names AND d.sequence_number <= x.sequence_number
  LEFT JOIN vectors AS v ON v.names = d.file_path
  WHERE x.content = 1 AND (x.is_vector OR v.names IS NULL)
  UNION ALL
  -- position deletes of a partition; beside a deletion vector they are ignored
  SELECT x.file_path, x.content_offset, d.file_path, d.sequence_number
  FROM deletes AS x JOIN data AS d ON {same_place} AND d.sequence_number <= x.sequence_number
  LEFT ANTI JOIN vectors AS v ON v.names = d.file_path
  WHERE x.content = 1 AND x.names IS NULL
  UNION ALL
  -- equality deletes: strictly older data, of their partition, or everywhere if their spec is unpartitioned
  SELECT x.file_path, x.content_offset, d.file_path, d.sequence_number
  FROM deletes AS x JOIN data AS d ON {same_place} AND d.sequence_number < x.sequence_number
  WHERE x.content = 2 AND NOT x.is_unpartitioned{statistics}
  UNION ALL
  SELECT x.file_path, x.content_offset, d.file_path, d.sequence_number
  FROM deletes AS x JOIN data AS d ON d.sequence_number < x.sequence_number
  WHERE x.content = 2 AND x.is_unpartitioned{statistics}
)
SELECT
  x.file_path AS delete_path,
  x.content_offset,
  CASE WHEN x.content = 2 THEN 'equality deletes' WHEN x.is_vector THEN 'deletion vector' ELSE 'position deletes' END
    AS delete_content,
  x.sequence_number AS delete_sequence_number,
  p.data_path,
  p.sequence_number AS data_sequence_number,
  p.data_path IS NOT NULL AS applies
FROM deletes AS x
LEFT JOIN pairs AS p ON p.delete_path = x.file_path AND p.content_offset <=> x.content_offset
ORDER BY delete_content, delete_sequence_number, delete_path, x.content_offset, data_path
"""
_APART = """
    -- no {name} in common, by counts and bounds
    AND NOT coalesce(array_contains(x.equality_ids, {id}) AND ({apart}), false)"""


def deletes_query(
    located: Located,
    snapshot_id: int,
    *,
    partitioned: bool,
    unpartitioned_specs: Collection[int],
    keys: Iterable[tuple[int, str, bool]] = (),
) -> Query | None:
    """One row per live delete and data file that it applies to; a delete that applies to none has one row.

    Columns: delete_path string; content_offset bigint, bytes, only of deletion vectors; delete_content string
    (`equality deletes`, `position deletes`, `deletion vector`); delete_sequence_number bigint; data_path string,
    nullable; data_sequence_number bigint, nullable; applies boolean, false where data_path is null.

    Cost: Iceberg reads every manifest of the snapshot, several times over. None if the table has no name: SQL cannot
    name the entries of a metadata file. Two vectors for one file, and a delete that names a file of another partition,
    are not told apart here: the metadata is corrupt.

    Args:
        located: the table.
        snapshot_id: that is asked about.
        partitioned: whether any spec of the table has fields; else there is no column `partition`.
        unpartitioned_specs: ids of specs without fields, or with `void` ones alone.
        keys: of columns that equality deletes name: field id, name in the current schema, whether it is required. One
            that is not in it has no readable statistics, so it rules out nothing.
    """
    if located.relation is None:
        return None
    text = _DELETES.format(
        id=snapshot_id,
        name=located.relation,
        unpartitioned=", ".join(map(str, sorted(unpartitioned_specs))) or "-1",
        same_place="d.spec_id = x.spec_id" + (" AND d.partition <=> x.partition" if partitioned else ""),
        named_file=entry_sql.named_file(of="", margin="    "),
        statistics="".join(_apart(*key) for key in keys),
    )
    return Query("deletes", text)


def _apart(field_id: int, name: str, required: bool) -> str:
    column = identifiers.quoted([name])
    keys, data = (f"{side}.readable_metrics.{column}" for side in ("x", "d"))
    bounds = f"{data}.lower_bound > {keys}.upper_bound OR {keys}.lower_bound > {data}.upper_bound"
    apart = f"({bounds})"
    if not required:
        may = " AND ".join(f"coalesce({side}.null_value_count > 0, true)" for side in (keys, data))
        nulls = (
            f"({one}.null_value_count = {one}.value_count AND {other}.null_value_count <= 0)"
            for one, other in ((data, keys), (keys, data))
        )
        apart = f"NOT ({may}) AND (coalesce({bounds}, false) OR {' OR '.join(f'coalesce({n}, false)' for n in nulls)})"
    return _APART.format(name=name, id=field_id, apart=apart)
