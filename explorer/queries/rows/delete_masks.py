"""How many rows of each data file the deletes of a commit mask.

If one delete of the commit can reach a file, it masks every row that is gone from it: nothing is read. If several can,
their content decides: positions from Iceberg's `position_deletes` table, keys from the equality delete files.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.commit.matched import Masked
from ...model.iceberg.inheritance import StoredEntry
from ...model.iceberg.touched_files import TouchedFiles
from ..files import spark_errors
from ..source import Source
from . import equality_keys, table_rows
from .question import RowQuestion
from .schema_mapping import text

Deletes = Callable[[StoredEntry], Sequence[StoredEntry]]
"""The deletes of a commit that can apply to a data file."""

_POSITIONS, _KEYS = 1, 2  # content of a delete file
_COLUMNS = ("data_path", "delete_path", "content_offset")


def masked(
    source: Source,
    snapshot_id: int,
    question: RowQuestion,
    files: TouchedFiles,
    deletes_of: Deletes,
    by_file: Mapping[tuple[str, bool, str], int],
) -> tuple[tuple[Masked, ...], str]:
    """Rows masked in kept files, and in added files that the commit's own deletes reach; and why some are not known.

    `by_file` counts rows as `MatchedRows` does.
    """
    if question.gone is None:
        return (), ""
    known: list[Masked] = []
    several: dict[str, Sequence[StoredEntry]] = {}
    gone, seen = _sums(by_file, left=True), _sums(by_file, left=False)
    hidden = [(file, list(deletes_of(file)), gone[file.file_path]) for file in files.kept]
    for file in files.added if files.deletes_added else ():
        # An equality delete applies to older files only.
        deletes = [d for d in deletes_of(file) if d.content == _POSITIONS]
        hidden.append((file, deletes, file.record_count - seen[file.file_path]))
    for file, deletes, rows in hidden:
        if rows <= 0:
            continue
        if len(deletes) == 1:
            known.append(Masked(file.file_path, deletes[0].file_path, deletes[0].content_offset, rows))
        elif deletes:
            several[file.file_path] = deletes
    if not several:
        return tuple(known), ""
    try:
        added = [file.file_path for file in files.added if file.file_path in several]
        known += _by_content(source, snapshot_id, question, question.gone, several, added)
    except Exception as error:  # the answer is complete without it, and says that it lacks this
        return tuple(known), spark_errors.reason(error)
    return tuple(known), ""


def _sums(by_file: Mapping[tuple[str, bool, str], int], *, left: bool) -> Mapping[str, int]:
    sums: dict[str, int] = defaultdict(int)
    for (path, went, _), rows in by_file.items():
        if went == left:
            sums[path] += rows
    return sums


def _by_content(
    source: Source,
    snapshot_id: int,
    question: RowQuestion,
    gone: DataFrame,
    several: Mapping[str, Sequence[StoredEntry]],
    added: Sequence[str],
) -> list[Masked]:
    deletes = {(d.file_path, d.content_offset): d for found in several.values() for d in found}
    gone = gone.where(F.col("_file").isin(list(several)))
    parts = []
    if any(d.content == _POSITIONS for d in deletes.values()):
        inside = _positions(source, snapshot_id, [d.file_path for d in deletes.values()])
        # In a kept file positions may have been masked before; those in an added file never were seen.
        places = gone.select(F.col("_file").alias("data_path"), F.col("_pos").alias("pos"))
        parts += [
            inside.join(places, ["data_path", "pos"], "left_semi").select(*_COLUMNS),
            inside.where(F.col("data_path").isin(added)).select(*_COLUMNS),
        ]
    parts += [_keyed(source, question, gone, d) for d in deletes.values() if d.content == _KEYS]
    rows = reduce(DataFrame.unionAll, parts).groupBy(*_COLUMNS).count().collect()
    reached = {(path, d.file_path, d.content_offset) for path, found in several.items() for d in found}
    return [Masked(*row) for row in rows if tuple(row)[:3] in reached]


def _positions(source: Source, snapshot_id: int, paths: Sequence[str]) -> DataFrame:
    """Every position in these delete files and vectors, each once."""
    content = table_rows.at(source, snapshot_id, "position_deletes")
    offset = "content_offset" if "content_offset" in content.columns else "CAST(NULL AS BIGINT)"
    shown = ("file_path AS data_path", "delete_file_path AS delete_path", f"{offset} AS content_offset", "pos")
    return content.where(F.col("delete_file_path").isin(list(paths))).selectExpr(*shown).distinct()


def _keyed(source: Source, question: RowQuestion, gone: DataFrame, delete: StoredEntry) -> DataFrame:
    """Gone rows whose key is in an equality delete file."""
    key, keys = equality_keys.matching(source, gone, question.schema, delete, question.schemas)
    path, offset = text(delete.file_path), "CAST(NULL AS BIGINT)"
    rows = gone.selectExpr(
        f"{key} AS key", "_file AS data_path", f"{path} AS delete_path", f"{offset} AS content_offset"
    )
    return rows.join(keys, "key", "left_semi").select(*_COLUMNS)
