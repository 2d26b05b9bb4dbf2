"""The rows of one commit, counted in Spark: from which file to which they went, and which deletes mask them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.commit.matched import Flow, MatchedRows
from ...model.commit.rows import Outcome
from ...model.iceberg.touched_files import TouchedFiles
from ..rows import cells as row_cells
from ..rows import delete_masks
from ..rows import matching as row_matching
from ..rows.cells import Outcomes
from ..rows.delete_masks import Deletes
from ..rows.identifier_columns import IdentifierColumn
from ..rows.question import RowQuestion
from ..source import Source

MOST_FLOWS = 100_000


def read(
    source: Source,
    question: RowQuestion,
    files: TouchedFiles,
    *,
    deletes_of: Deletes,
    identity: Sequence[IdentifierColumn] = (),
    keeps_all_rows: bool = False,
    most_flows: int = MOST_FLOWS,
) -> MatchedRows:
    """Read the rows of a commit and count what became of them.

    Args:
        source: the table.
        question: of `row_question`, with unchanged rows if they are few; its `row_ids` say whether to match by them.
        files: of `line_files.touched_files`, as given to `row_question`.
        deletes_of: `model.iceberg.touched_files.deletes_of` of the deletes that the commit added.
        identity: of `identifier_columns`.
        keeps_all_rows: whether the commit must not change rows (operation `replace`): if row ids say that it did, the
            values are asked too.
        most_flows: flows brought to Python.

    Cost: reads the rows of the question once; twice if row ids prove useless and the rows are not so few that they are
    shown. Deletes are opened only for a data file that several deletes of the commit can mask.
    """
    few = row_cells.are_few(files) and question.before_known
    if few:  # each reading would have Iceberg fetch the manifests of the snapshots again
        question = replace(question, rows=question.rows.localCheckpoint())
    by_row_id = question.row_ids and question.before_known
    found = _found(_pairs(question, files, identity, by_row_id=by_row_id), few, most_flows)
    failed = ""
    if by_row_id and found.doubtful:
        failed = "Some rows have none, or share one."
    elif by_row_id and keeps_all_rows and any(outcome != "carried over" for _, _, outcome in found.by_file):
        failed = "The commit gave its rows new ones."
    if failed:
        found = _found(_pairs(question, files, identity, by_row_id=False), few, most_flows)
    masked, unknown = delete_masks.masked(source, question, files, deletes_of, found.by_file)
    return MatchedRows(
        before_known=question.before_known,
        flows=found.flows[:most_flows],
        flow_count=found.flow_count,
        by_file=found.by_file,
        by_row_id=by_row_id and not failed,
        row_ids_failed=failed,
        identifier_columns=() if by_row_id and not failed else tuple(column.name for column in identity),
        ambiguous=found.doubtful,
        not_compared=row_matching.not_compared(question),
        masked=masked,
        masks_unknown=unknown,
        cells=row_cells.cells(question, found.outcomes, files) if few else (),
        listed_again=tuple(sorted(files.listed_too)),
    )


def _pairs(
    question: RowQuestion, files: TouchedFiles, identity: Sequence[IdentifierColumn], *, by_row_id: bool
) -> DataFrame:
    """What became of every row; where there are rows on one side only, no two of them need to be compared."""
    none_gone = files.complete and not files.removed and not (files.kept and files.masks)
    none_new = files.complete and not files.added and not (files.kept and files.unmasks)
    if question.gone is None or none_gone:
        return row_matching.alone(question.new, gone=False)
    if none_new:
        return row_matching.alone(question.gone, gone=True)
    expressions = [column.sql for column in identity]
    return row_matching.pairs(question, by_row_id=by_row_id, identity=expressions)


@dataclass(frozen=True, slots=True)
class _Found:
    flows: tuple[Flow, ...]
    flow_count: int
    doubtful: int
    by_file: Mapping[tuple[str, bool, str], int]
    outcomes: Outcomes = field(default_factory=dict)


def _found(pairs: DataFrame, few: bool, most: int) -> _Found:
    return _of_few(pairs) if few else _of_many(pairs, most)


def _of_few(pairs: DataFrame) -> _Found:
    """Counted here, since each row is shown too."""
    outcomes: dict[tuple[str, int, bool], Outcome] = {}
    counts: Counter[tuple[str | None, str | None, Outcome]] = Counter()
    doubtful = 0
    for pair in pairs.collect():
        doubtful += pair.doubtful
        places = [None if side is None else (side._file, side._pos) for side in (pair.source, pair.target)]
        counts[places[0] and places[0][0], places[1] and places[1][0], pair.outcome] += 1
        outcomes |= {(*place, left): pair.outcome for place, left in zip(places, (True, False), strict=True) if place}
    flows = tuple(Flow(*key, rows) for key, rows in counts.most_common())
    return _Found(flows, len(flows), doubtful, _by_file(flows), outcomes)


def _of_many(pairs: DataFrame, most: int) -> _Found:
    grouped = pairs.groupBy(
        F.col("source._file").alias("source"), F.col("target._file").alias("target"), "outcome"
    ).agg(F.count("*").alias("rows"), F.count_if("doubtful").alias("doubtful"))
    rows = grouped.orderBy(F.desc("rows"), "source", "target", "outcome").limit(most + 1).collect()
    flows = tuple(Flow(row.source, row.target, row.outcome, row.rows) for row in rows)
    if len(flows) <= most:
        return _Found(flows, len(flows), sum(row.doubtful for row in rows), _by_file(flows))
    count, doubtful = grouped.agg(F.count("*"), F.sum("doubtful")).collect()[0]
    by_file: dict[tuple[str, bool, str], int] = {}
    for side, left in (("source", True), ("target", False)):
        sums = grouped.where(F.col(side).isNotNull()).groupBy(side, "outcome").agg(F.sum("rows").alias("rows"))
        by_file |= {(row[side], left, row.outcome): row.rows for row in sums.collect()}
    return _Found(flows, count, doubtful, by_file)


def _by_file(flows: Iterable[Flow]) -> dict[tuple[str, bool, str], int]:
    sums: Counter[tuple[str, bool, str]] = Counter()
    for flow in flows:
        for path, left in ((flow.source, True), (flow.target, False)):
            if path is not None:
                sums[path, left, flow.outcome] += flow.rows
    return dict(sums)
