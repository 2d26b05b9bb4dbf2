"""Equal rows written into different files, and what a later MERGE makes of their owners.

Sequence A writes the first rows as three files, sequence B as one; the MERGE after it is the same. Where a MERGE copies
the files it touches, B's rows all get a new owner; where it marks rows as deleted instead, none does but the new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..lesson import Lesson, LiveTable

_COPY_ON_WRITE: Mapping[str, str] = {}  # Iceberg's default
_MERGE_ON_READ = {f"write.{command}.mode": "merge-on-read" for command in ("delete", "update", "merge")}
_FIRST_ROWS = "(1, 'a'), (2, 'b'), (3, 'c')"


def _insert_by_three_tasks(table: LiveTable) -> None:
    """Append the first rows as three files: a write task makes a file, whatever the number of rows."""
    with table.setting("spark.sql.leafNodeDefaultParallelism", "3"):
        table.sql("INSERT INTO {table} VALUES {rows}", rows=_FIRST_ROWS)


def _merge_by_one_task(table: LiveTable) -> None:
    """Append the first rows as one file."""
    table.sql(
        "MERGE INTO {table} AS t USING (VALUES {rows} AS s (id, value)) AS s ON t.id = s.id "
        "WHEN NOT MATCHED THEN INSERT *",
        rows=_FIRST_ROWS,
    )


def _lesson(
    name: str,
    title: str,
    story: str,
    *,
    first: Callable[[LiveTable], None],
    format_version: int,
    modes: Mapping[str, str] = _COPY_ON_WRITE,
) -> Lesson:
    properties = {"format-version": str(format_version), **modes}

    def build(table: LiveTable) -> None:
        listed = ", ".join(f"'{key}' = '{value}'" for key, value in properties.items())
        table.sql("CREATE TABLE {table} (id INT, value STRING) USING iceberg TBLPROPERTIES ({listed})", listed=listed)
        first(table)
        table.sql(
            "MERGE INTO {table} AS t USING (VALUES (1, 'd'), (5, 'e'), (6, 'f') AS s (id, value)) AS s ON t.id = s.id "
            "WHEN MATCHED THEN UPDATE SET t.value = s.value WHEN NOT MATCHED THEN INSERT *"
        )

    return Lesson(name, title, story, build, working_days=3)


LESSONS = (
    _lesson(
        "lessons.sequence_a",
        "Sequence A: three rows in three files, then a MERGE",
        "An INSERT by three parallel tasks wrote the rows 1, 2 and 3 into a file each. A MERGE then changed row 1 and "
        "added rows 5 and 6: it rewrote the one file that holds row 1. Rows 2 and 3 still lie in the files of the "
        "first commit, which is their owner. Compare sequence B, which holds the same rows.",
        first=_insert_by_three_tasks,
        format_version=2,
    ),
    _lesson(
        "lessons.sequence_b",
        "Sequence B: the same rows in one file, then the same MERGE",
        "A MERGE wrote the rows 1, 2 and 3 into one file. The same MERGE as in sequence A then changed row 1 and added "
        "rows 5 and 6: it rewrote the whole file, and rows 2 and 3 were carried over into the new one. Nobody changed "
        "them, and yet the second commit is the owner of all five rows.",
        first=_merge_by_one_task,
        format_version=2,
    ),
    _lesson(
        "lessons.sequence_a_v3",
        "Sequence A in format version 3: rows have ids",
        "The statements of sequence A on a table of format version 3, in which each row has an id and the sequence "
        "number of its last change (`_row_id`, `_last_updated_sequence_number`). The changed row kept its id.",
        first=_insert_by_three_tasks,
        format_version=3,
    ),
    _lesson(
        "lessons.sequence_b_v3",
        "Sequence B in format version 3: carried over rows keep their ids",
        "The statements of sequence B on a table of format version 3. Rows 2 and 3 moved into another file and kept "
        "their id and the number of their last change: here the table itself proves that they were carried over.",
        first=_merge_by_one_task,
        format_version=3,
    ),
    _lesson(
        "lessons.sequence_b_merge_on_read",
        "Sequence B, merge-on-read: no row is carried over",
        "The statements of sequence B on a table that writes merge-on-read. The MERGE rewrote nothing: a position "
        "delete file hides the old row 1, a new file holds the rows 1, 5 and 6. Rows 2 and 3 keep their owner, as in "
        "sequence A, although they share a file with row 1. Spark refuses to read this table's `.changes`.",
        first=_merge_by_one_task,
        format_version=2,
        modes=_MERGE_ON_READ,
    ),
    _lesson(
        "lessons.sequence_b_deletion_vectors",
        "Sequence B, merge-on-read in format version 3: a deletion vector",
        "The same again in format version 3, where a deletion vector in a Puffin file hides the old row 1. The changed "
        "row has the id of the hidden one. Spark refuses to read this table's `.changes`, too.",
        first=_merge_by_one_task,
        format_version=3,
        modes=_MERGE_ON_READ,
    ),
)
