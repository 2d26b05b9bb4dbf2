"""Every table that others wrote through every picture: answered, a part that names what is missing, or one refusal."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError, UnreadableMetadata
from explorer.model.changelog.facts import MODES
from explorer.queries.create_views import FILES_VIEW, SNAPSHOTS_VIEW
from explorer.table import Table
from tests.asked import Outcome, outcome, questions, views
from tests.oracle.conftest import MATRIX

pytestmark = pytest.mark.timeout(1800)  # every picture of every table is read once, for all tests

COLUMNS = (
    "graph",
    "commit",
    "rows",
    "boundary",
    "compare",
    "compare rows",
    *MODES,
    "entries",
    "deletes",
    "retries",
    "timeline",
    "partitions",
    "why",
    "biography",
    "triage",
    "views",
)
ROWS = ("rows", "compare rows", *MODES, "why", "biography")
ALL_LISTS = ("retries", "timeline", "partitions")

# Every cell that is no full answer, with what names what is missing or the reason; all others must be answered.
NO_LIST = "The file does not exist"
NO_TYPE = r"Spark does not support time fields|data type TIME is not supported"
NO_DATA = r"\.parquet does not exist"
PART = {
    "duckdb_v1_to_v3": {"retries": "names of their manifest lists do not count attempts"}
    | dict.fromkeys(("compare", "compare rows"), "rows in data files at B.*is counted"),
    "duckdb_eq_deletes_hole": dict.fromkeys(("commit", "changes", "biography", *ALL_LISTS), NO_LIST),
    "pglake_expired": dict.fromkeys(
        ("commit", "compare", "changes", "entries", "deletes", "biography", *ALL_LISTS), NO_LIST
    )
    | {"ownership": "rows that it removed cannot be read any more"},
    "lithium_1000_snapshots": dict.fromkeys(("commit", "compare", "entries", "deletes", *ALL_LISTS), NO_LIST),
}
REFUSED = {
    "duckdb_bad_snapshot_id": dict.fromkeys(  # all but what the metadata file alone answers
        (column for column in COLUMNS if column not in ("graph", "triage")), r"(?s)9876543210123456789.*2\^63-1"
    ),
    "lithium_uuid": dict.fromkeys(ROWS, NO_TYPE),
    "pglake_expired": dict.fromkeys(("boundary", "compare rows"), NO_LIST),
    "lithium_1000_snapshots": dict.fromkeys(ROWS, NO_DATA) | dict.fromkeys(("boundary", "compare rows"), NO_LIST),
}


@dataclass
class Row:
    """One table: the outcomes in each column."""

    cells: dict[str, list[Outcome]] = field(default_factory=lambda: defaultdict(list))

    def text(self, column: str) -> str:
        """`answered`, or how often what: a column about snapshots has several outcomes."""
        kinds = [outcome.kind for outcome in self.cells[column]]
        if len(set(kinds)) == 1:
            return kinds[0]
        return ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))


def asked(spark: SparkSession, name: str) -> Row:
    import table_paths

    row = Row()
    try:
        table = Table.open(f"real.t.{name}", spark)
    except UnreadableMetadata:  # its catalog refuses it: by its file
        table = Table.open(table_paths.metadata_path(name), spark)
    for column, ask in questions(table):
        row.cells[column].append(outcome(ask))
    try:
        counted = views(spark, table)
    except ExplorerError as error:
        row.cells["views"].append(Outcome("refused", str(error)))
        return row
    assert counted[SNAPSHOTS_VIEW] == len(table.metadata.snapshots)
    row.cells["views"].append(Outcome("answered", str(counted[FILES_VIEW])))
    return row


@pytest.fixture(scope="module")
def matrix(spark: SparkSession, real_tables: Mapping[str, Any]) -> dict[str, Row]:
    return {name: asked(spark, name) for name in real_tables}


def printed(found: Mapping[str, Row]) -> Iterator[str]:
    """The matrix: a table per line, a picture per column; then the reason of each cell that is no full answer."""
    short = {"answered": "yes", "part": "part", "refused": "no"}
    width = max(map(len, found))
    yield " " * width + "".join(f" {column[:9]:>9}" for column in COLUMNS)
    for name, row in found.items():
        cells = ("+".join(dict.fromkeys(short[o.kind] for o in row.cells[c])) or "—" for c in COLUMNS)
        yield f"{name:<{width}}" + "".join(f" {cell:>9}" for cell in cells)
    reasons = defaultdict(list)
    for name, row in found.items():
        for column in COLUMNS:
            for answer in row.cells[column]:
                if answer.kind != "answered":
                    reasons[name, answer.kind, _reason(answer)].append(column)
    for (name, kind, reason), columns in reasons.items():
        yield f"{name}: {kind} in {', '.join(dict.fromkeys(columns))}: {reason}"


def _reason(answer: Outcome) -> str:
    line = re.sub(r"\d{15,}|\S+/\S+", "…", answer.reason).replace("\n", " ")
    return f"{line[:150]}…" if len(line) > 150 else line


def test_no_cell_is_unexplained(matrix: Mapping[str, Row], record_property: Callable[[str, object], None]) -> None:
    record_property(MATRIX, "\n".join(printed(matrix)))
    for name, row in matrix.items():
        for column in COLUMNS:
            answers = row.cells[column]
            assert answers, (name, column)
            for kind, reasons in (("part", PART), ("refused", REFUSED)):
                wanted = reasons.get(name, {}).get(column)
                found = [outcome.reason for outcome in answers if outcome.kind == kind]
                assert bool(found) == (wanted is not None), (name, column, kind, found)
                for reason in found:
                    assert re.search(wanted or "", reason), (name, column, reason)


def test_every_explained_cell_exists(real_tables: Mapping[str, Any]) -> None:
    assert PART.keys() | REFUSED.keys() <= real_tables.keys()
    assert {column for cells in (*PART.values(), *REFUSED.values()) for column in cells} <= set(COLUMNS)


def test_a_note_says_where_iceberg_refuses_the_sql_and_it_does(spark: SparkSession, matrix: Mapping[str, Row]) -> None:
    """The last of each column. Elsewhere the text is understood; that it gives the same rows other tests hold."""
    refused, understood = set(), 0
    for name, row in matrix.items():
        for column, outcomes in row.cells.items():
            answered = next((o for o in reversed(outcomes) if o.sql), None)
            if answered is None:
                continue
            if answered.sql_refused:
                refused.add(name)
                with pytest.raises(Exception, match=r"(?i)iceberg|spark|manifest|exist"):
                    spark.sql(answered.sql).collect()
            else:
                assert spark.sql(answered.sql).columns, (name, column)
                understood += 1
    assert refused == {
        "trino_conflict",
        "lithium_uuid",
        "duckdb_v1_to_v3",
        "duckdb_eq_deletes_hole",
        "pglake_expired",
        "lithium_1000_snapshots",
    }
    assert understood > 200


def test_rows_of_a_shuffle_beside_those_of_files_with_a_place_are_read(spark: SparkSession) -> None:
    """Spark in local mode waited for ever for a better place for one of the two."""
    picture = Table.open("real.t.impala_v3_row_lineage", spark).changelog(mode="updates")
    assert len(spark.sql(picture.sql).collect()) == len(picture.data)
