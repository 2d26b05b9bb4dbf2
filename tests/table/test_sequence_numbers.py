"""The questions about sequence numbers as the face answers them: on the lessons' live tables, and on real ones."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyspark
import pytest
from pyiceberg.table import StaticTable
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError, UnknownSnapshot, UnreadableMetadata
from explorer.figures.page.theme import DARK, LIGHT
from explorer.lessons.lesson import Lesson, LiveTable
from explorer.lessons.stories import compaction, concurrent_writers, phantom_deletion
from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.model.sequence_timeline.facts import Window
from explorer.table import Table, columns
from explorer.table.picture import Picture

_STORED = ("snapshot_id", "sequence_number", "file_sequence_number", "first_row_id")
CONTRACT = {
    "entries": [
        *("manifest_path", "manifest_sequence_number", "content", "status", "file_path", "content_offset"),
        *(name for number in _STORED for name in (f"stored_{number}", number)),
    ],
    "sequence_timeline": [
        *("file_path", "content_offset", "content", "spec_id", "partition", "record_count"),
        *("data_sequence_number", "file_sequence_number", "added_snapshot_id", "added_sequence_number"),
        *("removed_snapshot_id", "removed_sequence_number"),
    ],
    "deletes": [
        *("delete_path", "content_offset", "delete_content", "delete_sequence_number"),
        *("data_path", "data_sequence_number", "applies", "decided_by", "reason"),
    ],
    "retries": ["snapshot_id", "sequence_number", "attempt", "manifests_added", "manifests_written_before"],
    "why": ["_file", "_pos", "_deleted", "row", "reason"],
}
QUESTIONS: dict[str, Callable[[Table], Picture[Any]]] = {
    "entries": lambda table: table.entries(),
    "retries": lambda table: table.retries(),
    "deletes": lambda table: table.deletes(),
    "why": lambda table: table.why("true"),
    "sequence_timeline": lambda table: table.sequence_timeline(),
}
Answers = list[tuple[str, str, Picture[Any]]]
LESSONS = {"phantom": phantom_deletion.LESSON, "compaction": compaction.LESSON, "writers": concurrent_writers.LESSON}


def _vectors(table: LiveTable) -> None:
    """Two deletion vectors in format version 3, one replaced by a larger one; and a branch."""
    table.sql(
        "CREATE TABLE {table} (id BIGINT, region STRING) USING iceberg PARTITIONED BY (region) TBLPROPERTIES "
        "('format-version' = '3', 'write.delete.mode' = 'merge-on-read')"
    )
    table.sql("INSERT INTO {table} SELECT /*+ COALESCE(1) */ id, IF(id < 5, 'n', 's') FROM range(10)")
    table.sql("DELETE FROM {table} WHERE id IN (1, 7)")
    table.sql("DELETE FROM {table} WHERE id = 2")
    table.sql("ALTER TABLE {table} CREATE BRANCH side")
    table.sql("INSERT INTO {table}.branch_side VALUES (99, 'n')")


LESSONS["vectors"] = Lesson("lessons.vectors", "", "", _vectors)


@pytest.fixture(scope="module")
def names(spark: SparkSession, fresh_table: Callable[..., str]) -> dict[str, str]:
    found = {}
    for story, lesson in LESSONS.items():
        found[story] = fresh_table(story)
        lesson.build(LiveTable(spark, found[story]))
    return found


@pytest.fixture(scope="module")
def tables(spark: SparkSession, names: dict[str, str]) -> dict[str, Table]:
    return {story: Table.open(name, spark) for story, name in names.items()}


def content(table: Table) -> dict[Path, tuple[int, bytes]]:
    folder = Path(table.metadata.location.removeprefix("file:"))
    return {f: (f.stat().st_mtime_ns, f.read_bytes()) for f in folder.rglob("*") if f.is_file()}


@pytest.fixture(scope="module")
def before(tables: dict[str, Table]) -> dict[str, dict[Path, tuple[int, bytes]]]:
    """Every file of the tables before anything was asked."""
    return {story: content(table) for story, table in tables.items()}


@pytest.fixture(scope="module")
def answers(tables: dict[str, Table], before: object) -> Answers:
    """Story, question and answer, each asked once."""
    return [(story, question, ask(table)) for story, table in tables.items() for question, ask in QUESTIONS.items()]


@pytest.fixture(scope="module")
def empty(spark: SparkSession, fresh_table: Callable[..., str]) -> Table:
    name = fresh_table("empty")
    spark.sql(f"CREATE TABLE {name} (id BIGINT) USING iceberg")
    return Table.open(name, spark)


def plain(value: Any) -> str | None:
    """A cell of pandas or of a row of Spark as text that can be compared."""
    if isinstance(value, list):
        return str(sorted(map(str, value)))
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if hasattr(value, "microsecond"):
        return str(pd.Timestamp(value).tz_localize(None))
    return str(value)


def counted(rows: Sequence[Mapping[Any, Any]], wanted: list[str]) -> Counter[tuple[str | None, ...]]:
    return Counter(tuple(plain(row[name]) for name in wanted) for row in rows)


def test_data_begins_with_the_contract_and_has_its_types(answers: Answers, empty: Table) -> None:
    of_empty: Answers = [
        ("empty", "retries", empty.retries()),
        ("empty", "sequence_timeline", empty.sequence_timeline()),
    ]
    for _, question, picture in [*answers, *of_empty]:
        data = picture.data
        assert list(data.columns)[: len(CONTRACT[question])] == CONTRACT[question]
        for name, kind in data.dtypes.items():
            match str(name).removeprefix("stored_"):
                case "snapshot_id" | "added_snapshot_id" | "removed_snapshot_id":
                    wanted = "string"
                case "applies" | "holds_row" | "masks" | "is_live" | "_deleted":
                    wanted = "boolean"
                case "manifests_added" | "manifests_written_before" | "rivals" | "equality_ids":
                    wanted = "object"
                case "committed_at":
                    wanted = "datetime64[us, UTC]"
                case number if number.endswith(
                    ("_number", "_offset", "_count", "_bytes", "spec_id", "order_id", "row_id")
                ) or number in ("attempt", "position", "_pos"):
                    wanted = "Int64"
                case _:
                    wanted = "string"
            assert str(kind) == wanted, (question, name)


def test_the_frame_has_the_same_columns_and_rows(answers: Answers) -> None:
    for story, question, picture in answers:
        assert picture.frame.columns == list(picture.data.columns), question
        data, frame = picture.data.to_dict("records"), [row.asDict() for row in picture.frame.collect()]
        assert counted(data, picture.frame.columns) == counted(frame, picture.frame.columns), (story, question)


def test_the_sql_gives_the_same(spark: SparkSession, answers: Answers) -> None:
    beside = {"partition", "removed_by"}  # a struct in SQL; every removal instead of that on the line
    for story, question, picture in answers:
        if question == "why":  # its SQL shows the rows alone
            continue
        frame = spark.sql(picture.sql)
        shared = [name for name in frame.columns if name in picture.data.columns and name not in beside]
        assert set(frame.columns) <= {*shared, *beside}
        rows = [row.asDict() for row in frame.collect()]
        assert counted(rows, shared) == counted(picture.data.to_dict("records"), shared), (story, question)


def test_the_sql_of_why_shows_the_rows_in_question(spark: SparkSession, tables: dict[str, Table]) -> None:
    picture = tables["phantom"].why("id = 12345")
    rows = {(row._file, row._pos, row._deleted) for row in spark.sql(picture.sql).collect()}
    data = picture.data
    assert rows == set(zip(data["_file"], data["_pos"], data["_deleted"], strict=True))
    assert {row.name: row._deleted for row in spark.sql(picture.sql).collect()} == {"Alice": True, "Bob": False}


def test_pairs_that_are_ruled_out_are_listed_on_request(tables: dict[str, Table]) -> None:
    table = tables["phantom"]
    picture = table.deletes(ruled_out=True)
    assert len(picture.data) == picture.facts.pair_count == 2 * picture.facts.data_file_count
    shared = [name for name in picture.frame.columns if name != "reason"]  # Spark's is shorter where ranges decide
    frame = [row.asDict() for row in picture.frame.collect()]
    assert counted(frame, shared) == counted(picture.data.to_dict("records"), shared)
    assert Counter(picture.data["applies"]) == {True: 2, False: len(picture.data) - 2}
    assert set(picture.data.query("applies == False")["decided_by"]) == {"sequence", "statistics"}


def test_deletes_without_a_data_file_are_listed_though_they_are_in_no_pair(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("left_behind")
    spark.sql(f"CREATE TABLE {name} (id BIGINT) USING iceberg")
    delete_equal(spark, name, spark.range(1))
    for ruled_out in (False, True):
        picture = Table.open(name, spark).deletes(ruled_out=ruled_out)
        assert list(picture.data["decided_by"]) == [row.decided_by for row in picture.frame.collect()] == ["live"]


def test_numbers_are_those_that_pyiceberg_reads(tables: dict[str, Table]) -> None:
    for table in tables.values():
        static = StaticTable.from_metadata(table.metadata_location)
        for snapshot in static.metadata.snapshots:
            theirs = Counter(
                (m.manifest_path, e.data_file.file_path, str(e.snapshot_id), e.sequence_number, e.file_sequence_number)
                for m in snapshot.manifests(static.io)
                for e in m.fetch_manifest_entry(static.io, discard_deleted=False)
            )
            data = table.entries(str(snapshot.snapshot_id)).data
            numbers = ["manifest_path", "file_path", "snapshot_id", "sequence_number", "file_sequence_number"]
            assert Counter(data[numbers].itertuples(index=False, name=None)) == theirs


def test_the_entries_of_one_manifest_or_one_file(tables: dict[str, Table]) -> None:
    table = tables["vectors"]
    whole = table.entries().data
    vector = whole[(whole["content"] == "deletion vector") & (whole["status"] != "DELETED")].iloc[0]
    by_manifest = table.entries(manifest=vector["manifest_path"])
    assert set(by_manifest.data["manifest_path"]) == {vector["manifest_path"]}
    by_file = table.entries(file=vector["file_path"], content_offset=int(vector["content_offset"]))
    assert list(by_file.data["content_offset"]) == [vector["content_offset"]]
    for picture in (by_manifest, by_file):
        assert picture.frame.count() == len(picture.data)
    with pytest.raises(ExplorerError, match=r"lists no manifest nowhere\.avro"):
        table.entries(manifest="nowhere.avro").read()
    assert table.entries(file="nowhere.parquet").data.empty


def test_a_window_of_the_timeline_and_the_snapshot_that_it_is_of(tables: dict[str, Table]) -> None:
    table = tables["compaction"]
    europe = table.sequence_timeline(window=Window(partition="region=EU", spec_id=0))
    assert set(europe.data["partition"]) == {"region=EU"}
    assert europe.frame.count() == len(europe.data) < len(table.sequence_timeline().data)
    first = table.graph.nodes[0].snapshot.snapshot_id
    then = table.sequence_timeline(first).data
    assert set(then.query("is_live")["added_sequence_number"]) == {1}
    compacted = table.sequence_timeline().data.query("data_sequence_number < file_sequence_number")
    assert [(row.data_sequence_number, row.file_sequence_number) for row in compacted.itertuples()] == [(4, 6)]


def test_a_spark_that_knows_no_arrow_gives_the_same_rows(
    spark: SparkSession, tables: dict[str, Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    by_arrow = tables["compaction"].sequence_timeline().frame
    monkeypatch.setattr(pyspark, "__version__", "3.5.6")
    by_rows = tables["compaction"].sequence_timeline().frame
    assert by_rows.schema == by_arrow.schema == columns.SEQUENCE_TIMELINE.schema
    assert by_rows.collect() == by_arrow.collect()


def test_the_retries_of_writers_that_fought(tables: dict[str, Table]) -> None:
    data = tables["writers"].retries().data
    static = StaticTable.from_metadata(tables["writers"].metadata_location).metadata
    assert dict(zip(data["snapshot_id"], data["sequence_number"], strict=True)) == {
        str(s.snapshot_id): s.sequence_number for s in static.snapshots
    }
    retried = data[data["attempt"] > 1]
    assert not retried.empty
    assert (retried["rivals"].map(len) > 0).all()
    assert {rival for rivals in retried["rivals"] for rival in rivals} <= set(data["snapshot_id"])


def test_every_answer_draws_in_both_themes_and_shows_itself_without_a_script(answers: Answers) -> None:
    for story, question, picture in answers:
        for theme in (LIGHT, DARK):
            assert picture.draw(theme).data, (story, question)
        shown = picture._repr_mimebundle_()
        assert picture.title in shown["text/plain"]
        assert "<script" not in shown["text/html"]
        assert "data:image/svg+xml;base64," in shown["text/html"]
        assert shown["text/html"].count("<p><b>") == len(picture.notes)


def test_by_its_metadata_file_alone_the_same_is_answered_without_sql(
    spark: SparkSession, tables: dict[str, Table], answers: Answers
) -> None:
    by_path = {story: Table.open(table.metadata_location, spark) for story, table in tables.items()}
    for story, question, by_name in answers:
        picture = QUESTIONS[question](by_path[story])
        pd.testing.assert_frame_equal(picture.data, by_name.data)
        assert picture.frame.count() == len(picture.data)
        assert picture.sql == ""
        assert any("opened by its file" in note.reason for note in picture.notes)


def test_the_views_are_made_for_a_snapshot_too(spark: SparkSession, tables: dict[str, Table]) -> None:
    table = tables["vectors"]
    for at, wanted in ((None, 1), ("side", 2)):
        texts = table.create_views(at)
        for view, text in texts.items():
            assert counted([row.asDict() for row in spark.table(view).collect()], spark.table(view).columns) == counted(
                [row.asDict() for row in spark.sql(text).collect()], spark.table(view).columns
            )
        joined = spark.sql(
            "SELECT DISTINCT f.file_path FROM explorer_files f JOIN explorer_snapshots s "
            "ON s.snapshot_id = f.added_snapshot_id AND s.sequence_number = f.file_sequence_number "
            "WHERE f.content = 0 AND f.partition.region = 'n'"
        )
        assert joined.count() == wanted
    with pytest.raises(UnknownSnapshot, match="side"):
        table.create_views("nowhere")


def test_a_snapshot_that_is_not_there_is_refused_with_the_names_of_those_that_are(tables: dict[str, Table]) -> None:
    table = tables["vectors"]
    asked: list[Callable[[int | str], Picture[Any]]] = [
        table.entries, table.deletes, table.sequence_timeline, lambda at: table.why("true", at),
    ]  # fmt: skip
    for ask in asked:
        for unknown in ("nowhere", 999_999, "3" * 30):
            with pytest.raises(UnknownSnapshot, match="main, side"):
                ask(unknown)
        assert ask("side").data is not None


def test_a_table_without_a_snapshot_says_so(spark: SparkSession, empty: Table) -> None:
    for ask in (empty.entries, empty.deletes, lambda: empty.why("true")):
        with pytest.raises(UnknownSnapshot, match="Nothing has been committed yet"):
            ask()
    for picture in (empty.retries(), empty.sequence_timeline()):
        assert picture.data.empty
        assert picture.frame.count() == 0
        assert spark.sql(picture.sql).count() == 0
        assert picture.to_static_html()
        assert "no" in picture.title.lower()
    empty.create_views()
    assert spark.table("explorer_files").count() == spark.table("explorer_snapshots").count() == 0


@pytest.mark.parametrize("condition", ["", "nothing = 1", "id =", "id; DROP TABLE x", "count(*) > 1", "id", "id = 'x'"])
def test_a_condition_that_is_none_is_refused_in_words(tables: dict[str, Table], condition: str) -> None:
    with pytest.raises(ExplorerError, match="Write a condition over the table's columns"):
        _ = tables["phantom"].why(condition).data


def test_asking_changes_nothing_in_the_tables_folder(
    spark: SparkSession, tables: dict[str, Table], answers: Answers, before: dict[str, dict[Path, tuple[int, bytes]]]
) -> None:
    for _, _, picture in answers:
        picture.to_static_html()
        picture.frame.collect()
        spark.sql(picture.sql).collect()
    for table in tables.values():
        table.create_views()
        spark.table("explorer_files").collect()
    assert {story: content(table) for story, table in tables.items()} == before


def test_small_local_tables_are_answered_without_a_spark_job(spark: SparkSession, tables: dict[str, Table]) -> None:
    tracker = spark.sparkContext.statusTracker()
    for name in tables:
        table = Table.open(tables[name].name, spark)
        spark.sparkContext.setJobGroup(f"numbers-{name}", "")
        start = time.perf_counter()
        for question in QUESTIONS.keys() - {"why"}:  # which reads rows
            assert QUESTIONS[question](table).data is not None
        spark.sparkContext.setLocalProperty("spark.jobGroup.id", None)  # type: ignore[arg-type]
        assert not tracker.getJobIdsForGroup(f"numbers-{name}")
        assert time.perf_counter() - start < 60, "a busy machine is slow, but not so slow"


UNREADABLE = {"duckdb_eq_deletes_hole", "pglake_expired", "lithium_1000_snapshots"}


def test_every_real_table_is_answered_or_what_is_missing_is_named(
    spark: SparkSession, real_tables: dict[str, dict[str, Any]]
) -> None:
    import table_paths

    for name, facts in real_tables.items():
        if name == "duckdb_bad_snapshot_id":
            with pytest.raises(UnreadableMetadata):
                Table.open(f"real.t.{name}", spark)
            continue
        table = Table.open(f"real.t.{name}", spark)
        for question in QUESTIONS.keys() - {"why"}:  # which reads all rows: asked by the matrix of tables and pictures
            picture = QUESTIONS[question](table)
            assert picture.draw(LIGHT).data
            assert list(picture.data.columns)[: len(CONTRACT[question])] == CONTRACT[question]
        timeline = table.sequence_timeline()
        unreadable_files = [commit for commit in timeline.facts.commits if commit.unreadable]
        assert bool(unreadable_files) == (name in UNREADABLE), name
        assert bool(unreadable_files) == any(note.certainty == "unknown" for note in timeline.notes), name
        assert len(table.retries().data) == len(facts["snapshots"])
        _agrees_with_expected(table, table_paths.expected(name))


def _agrees_with_expected(table: Table, expected: dict[str, Any] | None) -> None:
    """Entries and live deletes of the current snapshot, as fastavro and pyarrow alone have told them."""
    if expected is None:
        return
    by_manifest = {manifest["path"]: manifest["entries"] for manifest in expected["manifests"]}
    data = table.entries().data
    for path, rows in data.groupby("manifest_path"):
        wanted = next(entries for known, entries in by_manifest.items() if str(path).endswith(known))
        fields = ("snapshot_id", "sequence_number", "file_sequence_number")
        assert counted(rows.to_dict("records"), [*(f"stored_{f}" for f in fields), *fields, "file_path"]) == counted(
            wanted, [*(f"{f}_stored" for f in fields), *fields, "file_path"]
        )
    current = [s for s in expected["snapshots"] if s["snapshot_id"] == table.metadata.current_snapshot_id]
    for snapshot in current:
        deletes = table.deletes()
        assert deletes.facts.delete_count == snapshot["delete_files"]
        assert deletes.facts.data_file_count == snapshot["data_files"]
        assert set(deletes.data["delete_path"]) == {delete["delete_file"] for delete in snapshot["deletes"]}
