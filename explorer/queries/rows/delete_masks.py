"""How many rows of each data file the deletes of a commit mask.

If one delete of the commit can reach a file, it masks every row that is gone from it: nothing is read. If several can,
their content decides (`holding`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.commit.matched import Masked
from ...model.iceberg.inheritance import StoredEntry
from ...model.iceberg.touched_files import TouchedFiles
from ..files import spark_errors
from ..source import Source
from .holding import DeleteContents
from .question import RowQuestion

Deletes = Callable[[StoredEntry], Sequence[StoredEntry]]
"""The deletes of a commit that can apply to a data file."""

_POSITIONS = 1  # content of a delete file


def masked(
    source: Source,
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
        found, unknown = _by_content(source, question, question.gone, several, added)
    except Exception as error:  # the answer is complete without it, and says that it lacks this
        return tuple(known), spark_errors.reason(error)
    return (*known, *found), unknown


def _sums(by_file: Mapping[tuple[str, bool, str], int], *, left: bool) -> Mapping[str, int]:
    sums: dict[str, int] = defaultdict(int)
    for (path, went, _), rows in by_file.items():
        if went == left:
            sums[path] += rows
    return sums


def _by_content(
    source: Source,
    question: RowQuestion,
    gone: DataFrame,
    several: Mapping[str, Sequence[StoredEntry]],
    added: Sequence[str],
) -> tuple[list[Masked], str]:
    contents = DeleteContents(source, (delete for deletes in several.values() for delete in deletes))
    inside = gone.where(F.col("_file").isin(list(several)))
    rows = inside.selectExpr("_file", "_pos", contents.keys.of_rows(question.schema))
    # In a kept file positions may have been masked before; those in an added file never were seen.
    held = contents.frame(rows)
    if added:
        held = held.unionAll(contents.positions().where(F.col("data_path").isin(list(added))))
    counts = held.groupBy("data_path", "delete_path", "content_offset").count().collect()
    reached = {(path, d.file_path, d.content_offset) for path, found in several.items() for d in found}
    known = [Masked(*row) for row in counts if tuple(row)[:3] in reached]
    return known, next(iter(contents.unreadable.values()), "")
