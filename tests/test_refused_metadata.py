"""A metadata file that Iceberg refuses to read still tells its snapshots; what needs more says why it cannot."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError, UnreadableMetadata
from explorer.queries.files import locate
from explorer.table import Table
from explorer.table.picture import Picture
from tests.asked import questions

# Of the real table, as its file writes them: the second is above 2^63-1.
IDS = [4327154639183968397, 9876543210123456789]
REFUSED = "Iceberg refuses this metadata file"


@pytest.fixture(scope="module", params=["by its file", "by its folder"])
def beyond(spark: SparkSession, real_tables: Any, request: pytest.FixtureRequest) -> Table:
    """A real table with a snapshot id that no long can hold."""
    import table_paths

    path = table_paths.metadata_path("duckdb_bad_snapshot_id")
    return Table.open(path if request.param == "by its file" else str(Path(path).parents[1]), spark)


def refusals(picture: Picture[Any]) -> list[str]:
    return [note.reason for note in picture.notes if note.about == REFUSED and note.certainty == "exact"]


def test_a_snapshot_id_beyond_a_long_is_shown_exactly(beyond: Table) -> None:
    picture = beyond.snapshot_graph()
    assert picture.data["snapshot_id"].tolist() == [str(i) for i in IDS]
    assert picture.data["parent_id"].fillna("").tolist() == ["", str(IDS[0])]
    assert picture.data["state"].tolist() == ["main", "current"]
    assert picture.data["added_delete_files"].tolist() == [0, 1]
    assert beyond.metadata.by_id[IDS[1]].summary == {"added-delete-files": "1"}
    assert beyond.snapshot("main") == beyond.snapshot(str(IDS[1])) == beyond.snapshot(IDS[1])
    for rows in (picture.frame, beyond.spark.sql(picture.sql)):
        assert [int(row.snapshot_id) for row in rows.orderBy("sequence_number").collect()] == IDS
    assert str(IDS[1]) in picture.to_static_html()


def test_the_refusal_has_the_words_of_iceberg(beyond: Table) -> None:
    [reason] = refusals(beyond.snapshot_graph())
    assert f"Cannot parse to a long value: current-snapshot-id: {IDS[1]}" in reason


def test_what_needs_more_than_the_file_is_refused(beyond: Table) -> None:
    asked = [
        (name, ask) for name, ask in questions(beyond) if name not in ("graph", "triage")
    ]  # they tell what the file does
    assert len(asked) > 10
    for name, ask in [*asked, ("views", beyond.create_views), ("cost", lambda: beyond.commit_cost(IDS[0]))]:
        with pytest.raises(UnreadableMetadata, match=rf"(?s){IDS[1]}.*2\^63-1.*earlier metadata file"):
            looked_at(ask())
        assert name


def test_a_catalog_that_refuses_the_file_leads_to_its_path(spark: SparkSession, real_tables: Any) -> None:
    with pytest.raises(UnreadableMetadata, match=r"Open its current metadata file by its path"):
        Table.open("real.t.duckdb_bad_snapshot_id", spark)


def test_the_file_is_named_where_the_catalog_names_it() -> None:
    error = RuntimeError("Cannot parse missing long: next-row-id in s3://b/t/metadata/v3.metadata.json (version 3)")
    assert "Open s3://b/t/metadata/v3.metadata.json by its path" in locate.refused("lake.t", error).next_step


def looked_at(picture: Any) -> None:
    _ = picture.facts, picture.data


@pytest.fixture
def version_3(spark: SparkSession, written_table: Callable[..., str], tmp_path: Path) -> tuple[Table, Path]:
    """A healthy table of version 3, and a copy of its metadata file without `next-row-id`."""
    name = written_table(
        "lineage",
        "CREATE TABLE {t} (id BIGINT) USING iceberg TBLPROPERTIES ('format-version' = '3')",
        "INSERT INTO {t} VALUES (1)",
        "INSERT INTO {t} VALUES (2)",
    )
    table = Table.open(name, spark)
    document = json.loads(Path(table.metadata_location.removeprefix("file:")).read_text("utf-8"))
    del document["next-row-id"]
    file = tmp_path / "v3.metadata.json"
    file.write_text(json.dumps(document), "utf-8")
    return table, file


def test_version_3_without_its_next_row_id_is_shown_with_the_refusal(
    spark: SparkSession, version_3: tuple[Table, Path]
) -> None:
    healthy, file = version_3
    refused = Table.open(str(file), spark)
    shown, expected = refused.snapshot_graph(), healthy.snapshot_graph()
    assert shown.data.equals(expected.data)
    assert shown.frame.collect() == expected.frame.collect()
    [reason] = refusals(shown)
    assert "next-row-id" in reason
    assert refusals(expected) == refusals(Table.open(healthy.metadata_location, spark).snapshot_graph()) == []
    with pytest.raises(ExplorerError, match="next-row-id"):
        looked_at(refused.changelog())
