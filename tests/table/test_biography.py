"""What became of rows of live tables: the edge cases, one by one. Random histories are held in `tests/oracle`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pandas as pd
import pytest
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError, UnknownSnapshot
from explorer.model.biography import finding, words
from explorer.table import Table
from explorer.table.readers import biographies
from explorer.table.readers.biographies import AskedBiography, Question
from tests.table.opened_files import opened_files

V2, V3 = (f"TBLPROPERTIES ('format-version' = '{version}')" for version in "23")
MERGE_ON_READ = (
    "TBLPROPERTIES ('format-version' = '{}', 'write.delete.mode' = 'merge-on-read',"
    " 'write.update.mode' = 'merge-on-read')"
)
ORDERS = "(id BIGINT, status STRING, amount INT) USING iceberg"


@pytest.fixture
def opened(spark: SparkSession, written_table: Callable[..., str]) -> Callable[..., Table]:
    return lambda *statements: Table.open(written_table("lives", *statements), spark)


def story(data: pd.DataFrame, *more: str) -> list[tuple[Any, ...]]:
    columns = ["event", "how", "sequence_number", "version", "changed", "certainty", *more]
    found = data[columns].astype(object).where(data[columns].notna(), None)
    return list(found.itertuples(index=False, name=None))


def insert(*rows: str) -> str:
    return f"INSERT INTO {{t}} SELECT /*+ COALESCE(1) */ * FROM VALUES {', '.join(rows)}"


@pytest.mark.parametrize(
    ("limit", "low", "events", "reason"),
    [
        ("_ROUNDS", 8, 4, None),
        ("_ROUNDS", 1, 2, "followed 1 time, and there may be more"),
        ("_FOLLOWED", 0, 1, "where at most 0 lives are told; here are 1"),
    ],
)
def test_rows_that_are_followed_no_longer_are_said_to_be(
    opened: Callable[..., Table], monkeypatch: pytest.MonkeyPatch, limit: str, low: int, events: int, reason: str | None
) -> None:
    changes = (f"UPDATE {{t}} SET id = {10 ** (n + 1)} WHERE id = {10**n}" for n in range(3))
    table = opened(f"CREATE TABLE {{t}} {ORDERS} {V3}", insert("(1, 'paid', 5)", "(2, 'paid', 6)"), *changes)
    monkeypatch.setattr(biographies, limit, low)
    picture = table.biography("id = 1")
    assert len(picture.data) >= events
    told = [note for note in picture.notes if "before they met the condition" in note.about]
    assert [note.certainty for note in told] == (["unknown"] if reason else [])
    assert all(str(reason) in note.reason for note in told)
    assert (list(picture.data["id"])[-1] == 1000) == (reason is None)


def test_each_small_manifest_is_opened_once_whichever_rows_are_asked_about(
    opened: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = opened(f"CREATE TABLE {{t}} {ORDERS}", *(insert(f"({n}, 'paid', 5)") for n in range(3)))
    seen = opened_files(monkeypatch)
    assert [list(table.biography(f"id = {n}").data["event"]) for n in (1, 2)] == [["CREATED"]] * 2
    assert len(seen()) == len(set(seen())) == 3


def test_a_changed_key_is_followed_by_its_row_id_from_either_end(opened: Callable[..., Table]) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} {V3}",
        insert("(1, 'paid', 5)", "(2, 'paid', 6)"),
        "UPDATE {t} SET id = 10 WHERE id = 1",
    )
    wanted = [
        ("CREATED", "file added", 1, 1, None, "exact"),
        ("UPDATED", "file rewritten", 2, 1, "id: 1 → 10", "exact"),
    ]
    for condition in ("id = 1", "id = 10"):
        picture = table.biography(condition)
        assert story(picture.data) == wanted
        assert list(picture.data["id"]) == [1, 10]
        assert picture.data["id"].dtype == "Int64"
    title = table.biography("id = 1").title
    assert title == "No row with id = 1 is left: last seen at 1, updated at 2 (id: 1 → 10)"


def test_a_changed_key_is_inferred_without_row_ids(opened: Callable[..., Table]) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} {V2}",
        insert("(1, 'paid', 5)", "(2, 'paid', 6)"),
        "UPDATE {t} SET id = 10 WHERE id = 1",
    )
    for condition in ("id = 1", "id = 10"):
        assert story(table.biography(condition).data)[1] == (
            *("UPDATED", "file rewritten", 2, 1, "id: 1 → 10", "inferred"),
        )
    notes = [note.about for note in table.biography("id = 1").notes]
    assert "Which row became which" in notes


@pytest.mark.parametrize(("properties", "certainty"), [(V3, "exact"), (V2, "inferred")])
def test_what_a_row_was_before_it_met_the_condition_is_told(
    opened: Callable[..., Table], properties: str, certainty: str
) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} {properties}",
        insert("(1, 'paid', 5)", "(2, 'paid', 6)"),
        "UPDATE {t} SET status = 'shipped', amount = 7 WHERE id = 2",
        "UPDATE {t} SET status = 'returned' WHERE id = 2",
    )
    picture = table.biography("status = 'shipped'", identifier_columns="id")
    assert story(picture.data) == [
        ("CREATED", "file added", 1, 1, None, "exact"),
        ("UPDATED", "file rewritten", 2, 1, "status: paid → shipped, amount: 6 → 7", certainty),
        ("UPDATED", "file rewritten", 3, 1, "status: shipped → returned", certainty),
    ]
    assert [row.meets for row in (event.row for event in picture.facts.events)] == [False, True, False]
    assert picture.title.startswith("No row with status = 'shipped' is left: last seen at 2, updated at 3")


def test_the_identifier_fields_of_the_table_tell_rows_apart(opened: Callable[..., Table]) -> None:
    table = opened(
        "CREATE TABLE {t} (id BIGINT NOT NULL, status STRING, amount INT) USING iceberg " + V2,
        "ALTER TABLE {t} SET IDENTIFIER FIELDS id",
        insert("(1, 'paid', 5)", "(2, 'paid', 6)"),
        "UPDATE {t} SET status = 'shipped', amount = 9 WHERE id = 2",
    )
    assert table.biography("amount = 9").facts.key == (0,)
    assert story(table.biography("amount = 9").data, "id")[1][4:] == (
        *("status: paid → shipped, amount: 6 → 9", "inferred", 2),
    )
    with pytest.raises(ExplorerError, match="Rows cannot be told apart by nothing"):
        table.biography("amount = 9", identifier_columns=["nothing"]).read()


@pytest.mark.parametrize("condition", ["id BETWEEN 1 AND 2", "CAST(id AS STRING) <> ''", "amount > 2"])
def test_the_story_of_rows_does_not_depend_on_how_they_are_asked_for(
    opened: Callable[..., Table], condition: str
) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} {V2}",
        insert("(1, 'paid', 5)", "(2, 'paid', 6)"),
        "UPDATE {t} SET status = 'shipped' WHERE id = 1",
        "DELETE FROM {t} WHERE id = 2",
    )
    told = table.biography(condition)
    assert told.title == f"1 of 2 rows with {condition} lives at 3; 1 is gone"
    assert [(e.life, e.kind) for e in told.facts.events if e.kind != "MOVED"] == [
        (1, "CREATED"), (2, "CREATED"), (1, "UPDATED"), (2, "DELETED"),
    ]  # fmt: skip
    assert told.facts.key_is_guessed
    assert any("by equal id. It is a guess" in note.reason for note in told.notes)
    known = table.biography(condition, identifier_columns="id")
    assert not known.facts.key_is_guessed
    assert story(known.data) == story(told.data)


@pytest.mark.parametrize(
    ("kind", "condition", "key", "guessed"),
    [
        ("INT", "id = 1 AND p = 1", (0, 1), False),
        ("INT", "id = 1 AND amount > 2", (1,), True),
        ("STRING", "id = '1' AND amount > '2'", (), False),  # texts do not number rows
    ],
)
def test_a_key_is_guessed_from_a_condition_that_gives_values_alone_else_from_the_files(
    opened: Callable[..., Table], kind: str, condition: str, key: tuple[int, ...], guessed: bool
) -> None:
    table = opened(
        f"CREATE TABLE {{t}} (id {kind}, p {kind}, amount {kind}) USING iceberg {V2}",
        insert("(1, 1, 5)", "(1, 2, 5)"),
        "UPDATE {t} SET amount = 9 WHERE p = 1",
    )
    told = table.biography(condition)
    assert (told.facts.key, told.facts.key_is_guessed) == (key, guessed)
    kinds = [event.kind for event in told.facts.events if event.row.same[1] == "1" and event.move is None]
    assert kinds == (["CREATED", "UPDATED"] if key else ["CREATED", "DELETED", "CREATED"])
    assert any("Name identifier columns" in note.reason for note in told.notes) == (guessed or not key)


def test_where_every_column_is_of_the_key_there_is_no_other_one_to_follow_a_row_by(
    opened: Callable[..., Table],
) -> None:
    table = opened(
        "CREATE TABLE {t} (id BIGINT, status STRING) USING iceberg " + V2,
        insert("(1, 'paid')"),
        "UPDATE {t} SET status = 'shipped' WHERE id = 1",
    )
    told = table.biography("id = 1", identifier_columns=["id", "status"]).facts
    assert [event.kind for event in told.events] == ["CREATED", "DELETED", "CREATED"]


@pytest.mark.parametrize("condition", ["id IS NULL", "id <=> NULL"])
def test_a_null_key_is_a_key(opened: Callable[..., Table], condition: str) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} {MERGE_ON_READ.format(2)}",
        insert("(CAST(NULL AS BIGINT), 'paid', 5)", "(2, 'paid', 6)"),
        "UPDATE {t} SET status = 'shipped' WHERE id IS NULL",
        "DELETE FROM {t} WHERE id IS NULL",
    )
    picture = table.biography(condition, identifier_columns="id")
    assert [(e, v) for e, _, _, v, *_ in story(picture.data)] == [("CREATED", 1), ("UPDATED", 1), ("DELETED", 1)]
    assert list(picture.data["delete_path"].isna()) == [True, False, False]
    assert picture.data["id"].isna().all()


def test_equal_rows_are_told_apart_and_never_merged(opened: Callable[..., Table]) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} {V2}",
        insert("(1, 'paid', 5)", "(1, 'paid', 5)"),
        insert("(1, 'paid', 5)"),
        "CALL lab.system.rewrite_data_files(table => '{t}', options => map('rewrite-all', 'true'))",
    )
    picture = table.biography("id = 1")
    assert story(picture.data)[:3] == [
        ("CREATED", "file added", n, v, None, "exact") for n, v in ((1, 1), (1, 2), (2, 3))
    ]
    assert [row[:2] + row[5:] for row in story(picture.data)[3:]] == [("MOVED", "file rewritten", "inferred")] * 3
    assert picture.title == "id = 1 is there 3 times at 3"


def test_a_file_that_is_listed_twice_has_two_copies_of_its_rows(
    spark: SparkSession, opened: Callable[..., Table]
) -> None:
    name = opened(
        f"CREATE TABLE {{t}} {ORDERS} {MERGE_ON_READ.format(3)}", insert("(1, 'paid', 5)", "(2, 'paid', 6)")
    ).name
    jvm: Any = spark._jvm
    iceberg = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, name)
    file = iceberg.newScan().planFiles().iterator().next().file()
    iceberg.newAppend().appendFile(file).commit()
    spark.sql(f"DELETE FROM {name} WHERE id = 1")
    data = Table.open(name, spark).biography("id = 1").data
    assert story(data) == [
        ("CREATED", "file added", 1, 1, None, "exact"),
        ("CREATED", "file listed again", 2, 2, None, "exact"),
        ("DELETED", "masked by deletion vector", 3, 1, None, "exact"),
        ("DELETED", "masked by deletion vector", 3, 2, None, "exact"),
    ]
    assert data["row_id"].nunique() == 2


def test_a_rollback_brings_a_row_back_and_is_told_beside_the_line(
    spark: SparkSession, opened: Callable[..., Table]
) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} {V2}",
        insert("(1, 'paid', 5)", "(2, 'paid', 6)"),
        "DELETE FROM {t} WHERE id = 1",
        insert("(3, 'bad', 1)"),
    )
    first = table.metadata.snapshots[0].snapshot_id
    spark.sql(f"CALL lab.system.rollback_to_snapshot('{table.name}', {first})")
    spark.sql(f"INSERT INTO {table.name} VALUES (4, 'late', 2)")
    table.reload()
    data = table.biography("id IN (1, 3)").data
    main, aside = data[data["line"] == "main"], data[data["line"] != "main"]
    assert story(main) == [("CREATED", "file added", 1, 1, None, "exact")]
    assert [(e, how) for e, how, *_ in story(aside)] == [
        ("DELETED", "removed with its file"),
        ("CREATED", "file added"),
        ("RETURNED", "rollback"),
        ("DELETED", "rollback"),
    ]
    assert aside["line"].str.startswith("rolled back").all()
    assert list(aside["snapshot_id"][-2:]) == [str(first)] * 2
    every = table.biography("id > 0")
    assert every.title == "All 3 rows with id > 0 live at 4; 1 more was rolled back"
    lost = table.biography("id = 3")
    assert lost.title.startswith("No row with id = 3 is on main any more: created at 3, rolled back 20")
    assert [words.state(lost.facts, life) for life in lost.facts.lives] == ["was rolled back"]
    ended = lost.facts.lives[0].events[-1]
    assert (words.at(ended), words.sentence(ended)) == ("main to 1", "rolled back")
    assert aside["sequence_number"].isna().sum() == 2


def test_when_main_was_elsewhere_its_readers_did_not_get_the_row(
    spark: SparkSession, opened: Callable[..., Table]
) -> None:
    def call(procedure: str, *of: int) -> None:
        spark.sql(f"CALL lab.system.{procedure}('{name}', {', '.join(map(str, of))})")

    name = opened(f"CREATE TABLE {{t}} {ORDERS} {V2}", *(insert(f"({n}, 'paid', 5)") for n in (1, 2, 3))).name
    snapshots = Table.open(name, spark).metadata.snapshots
    call("rollback_to_snapshot", snapshots[1].snapshot_id)
    spark.sql(insert("(4, 'paid', 5)").format(t=name))  # on a line beside
    call("set_current_snapshot", snapshots[2].snapshot_id)
    spark.sql(insert("(5, 'paid', 5)").format(t=name))
    call("rollback_to_snapshot", snapshots[0].snapshot_id)
    call("set_current_snapshot", Table.open(name, spark).metadata.snapshots[-1].snapshot_id)
    table = Table.open(name, spark)
    log = table.metadata.snapshot_log
    seen = [
        {row.id for row in spark.sql(f"SELECT id FROM {name} VERSION AS OF {e.snapshot_id}").collect()} for e in log
    ]
    told = table.biography("id > 0").facts
    for row in (1, 2, 3, 5):
        (life,) = [life for life in told.lives if life.last.same[0] == str(row)]
        is_away, wanted = False, list[tuple[Any, Any]]()
        for entry, before, now in zip(log[1:], seen, seen[1:], strict=False):
            if row in before and row not in now:
                is_away, wanted = True, [*wanted, (entry.made_current_at, None)]
            elif is_away and row in now:
                is_away, wanted[-1] = False, (wanted[-1][0], entry.made_current_at)
        assert [(a.since, a.until) for a in told.absences if a.life == life.number] == wanted, row
        assert len(wanted) == {1: 0, 2: 1, 3: 2, 5: 1}[row]
    title = table.biography("id = 3").title
    assert title.startswith("The row with id = 3 is there: created at 3; main was without it from ")
    assert title.endswith(", twice in all")
    assert any(note.about.startswith("Main was elsewhere from ") for note in table.biography("id = 3").notes)
    assert table.biography("id = 1").title == "The row with id = 1 is there: created at 1"


def test_what_is_staged_is_never_mains_story(spark: SparkSession, opened: Callable[..., Table]) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} TBLPROPERTIES ('format-version' = '2', 'write.wap.enabled' = 'true')",
        insert("(1, 'paid', 5)"),
    )
    spark.conf.set("spark.wap.id", "w1")
    try:
        spark.sql(f"INSERT INTO {table.name} VALUES (7, 'staged', 2)")
    finally:
        spark.conf.unset("spark.wap.id")
    table.reload()
    picture = table.biography("id = 7")
    assert list(picture.data["line"]) == ["staged w1"]
    assert picture.title == "No row with id = 7 was ever on main; 1 row is on staged w1"
    assert [words.state(picture.facts, life) for life in picture.facts.lives] == ["is on staged w1"]
    staged = table.metadata.snapshots[-1].snapshot_id
    assert table.biography("id = 7", staged).title == "The row with id = 7 is there: created at 2"


def test_what_only_a_ref_holds_whose_ancestors_have_expired_is_told(
    spark: SparkSession, opened: Callable[..., Table]
) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} {V2}",
        insert("(1, 'paid', 5)"),
        insert("(2, 'paid', 5)"),
        "ALTER TABLE {t} CREATE TAG kept",
        "ALTER TABLE {t} CREATE BRANCH audit RETAIN 1 DAYS WITH SNAPSHOT RETENTION 2 SNAPSHOTS",
        "INSERT INTO {t}.branch_audit VALUES (7, 'new', 1)",
        "DELETE FROM {t} WHERE id = 2",
        insert("(3, 'paid', 5)"),
    )
    spark.sql(
        f"CALL lab.system.expire_snapshots(table => '{table.name}', retain_last => 1,"
        " older_than => TIMESTAMP '2100-01-01 00:00:00')"
    )
    table.reload()
    for ref in ("kept", "branch_audit"):
        assert (
            spark.sql(f"SELECT id FROM {table.name}.{ref if ref != 'kept' else 'tag_kept'} WHERE id = 2").count() == 1
        )
    gone = table.biography("id = 2")
    assert gone.title.startswith("No row with id = 2 on main in its known history, which begins at ")
    assert set(gone.data["line"]) <= {"audit", "kept"}
    assert len(gone.facts.lives) == 1, "one file, and so one row, of both refs"
    assert table.biography("id = 7").title.endswith("; 1 row is on audit")
    there = table.biography("id = 1")
    assert there.title.startswith("The row with id = 1 is there")
    assert len(there.facts.lives) == 1


def test_rows_of_a_replaced_table_are_no_rows_of_columns_with_another_type(opened: Callable[..., Table]) -> None:
    table = opened(
        "CREATE TABLE {t} (id INT, v STRING) USING iceberg",
        "INSERT INTO {t} VALUES (1, 'a')",
        "CREATE OR REPLACE TABLE {t} (id STRING, v INT) USING iceberg",
        "INSERT INTO {t} VALUES ('1', 1)",
    )
    for condition in ("v = 1", "id = '1'", "id IS NOT NULL"):
        found = table.biography(condition)
        assert found.title == f"The row with {condition} is there: created at 2"
        assert [
            note for note in found.notes if "id was of the type int and id is of the type string now" in note.reason
        ]
    with pytest.raises(ExplorerError, match="CAST_INVALID_INPUT"):
        table.biography("v = 'x'").read()
    told = opened(
        "CREATE TABLE {t} (id INT, w INT) USING iceberg",
        "INSERT INTO {t} VALUES (1, 7)",
        "CREATE OR REPLACE TABLE {t} (id STRING, w INT) USING iceberg",
        "INSERT INTO {t} VALUES ('1', 7)",
    ).biography("id = '1'")
    assert told.price.reason == "the column id was of the type int before"
    assert told.title == "The row with id = '1' is there: created at 2; 1 more was replaced"


def test_what_has_expired_existed_at_or_before(spark: SparkSession, opened: Callable[..., Table]) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} {V2}",
        insert("(1, 'paid', 5)"),
        insert("(2, 'paid', 5)"),
        "DELETE FROM {t} WHERE id = 1",
    )
    first = table.metadata.snapshots[0]
    spark.sql(f"CALL lab.system.expire_snapshots(table => '{table.name}', older_than => TIMESTAMP'2100-01-01',"
              " retain_last => 2)")  # fmt: skip
    table.reload()
    picture = table.biography("id = 1")
    by = f"by the append {first.snapshot_id} of {first.committed_at:%Y-%m-%d %H:%M:%S}"
    assert by in picture.data["reason"][0]
    for entry in table.metadata.metadata_log:
        Path(urlsplit(entry.file).path).unlink()
    picture = table.biography("id = 1")
    assert by not in picture.data["reason"][0]
    assert story(picture.data)[0] == ("CREATED", "existed at or before", 2, 1, None, "unknown")
    assert "its file was added with sequence number 1" in picture.data["reason"][0]
    assert picture.title == "No row with id = 1 is left: last seen at 2, removed with its file at 3"
    assert any(note.about.startswith("What was before snapshot") for note in picture.notes)


def test_a_file_that_is_missing_is_a_hole_with_its_reason(spark: SparkSession, opened: Callable[..., Table]) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} {V2}",
        insert("(1, 'paid', 5)"),
        insert("(1, 'paid', 6)"),
        "UPDATE {t} SET status = 'shipped' WHERE amount = 5",
    )
    lost = next(path for path in table.commit(table.metadata.snapshots[0].snapshot_id).data["file_path"])
    Path(urlsplit(lost).path).unlink()
    picture = table.biography("id = 1")
    assert any(note.certainty == "unknown" and lost.rsplit("/", 1)[-1] in note.about for note in picture.notes)
    unsure = picture.data[picture.data["sequence_number"] == 3]
    assert list(unsure["certainty"]) == ["unknown"]
    assert (picture.data["certainty"] == "exact").any()
    for path in table.sequence_timeline().data["file_path"]:
        Path(urlsplit(path).path).unlink(missing_ok=True)
    with pytest.raises(ExplorerError, match="does not exist"):
        table.biography("id = 1").read()


@pytest.mark.parametrize("rewrites", [False, True])
def test_what_younger_manifests_carry_on_is_told_though_the_old_ones_are_gone(
    spark: SparkSession, opened: Callable[..., Table], rewrites: bool
) -> None:
    merged = "1" if not rewrites else "100"
    table = opened(
        "CREATE TABLE {t} (id BIGINT) USING iceberg TBLPROPERTIES"
        f" ('format-version' = '2', 'commit.manifest.min-count-to-merge' = '{merged}')",
        *(f"INSERT INTO {{t}} VALUES ({n})" for n in (1, 2, 3)),
    )
    if rewrites:
        spark.sql(f"CALL {table.name.split('.')[0]}.system.rewrite_manifests('{table.name}')")
    spark.sql(f"INSERT INTO {table.name} VALUES (4)")
    needed, every = (
        {row.path for row in spark.sql(f"SELECT path FROM {table.name}.{which}").collect()}
        for which in ("manifests", "all_manifests")
    )
    assert every > needed
    for path in every - needed:
        Path(urlsplit(path).path).unlink()
    table = Table.open(table.name, spark)
    assert [row.id for row in spark.sql(f"SELECT id FROM {table.name} ORDER BY id").collect()] == [1, 2, 3, 4]
    last = table.metadata.snapshots[-1].sequence_number
    for row, number in ((1, 1), (2, 2), (3, 3), (4, last)):
        picture = table.biography(f"id = {row}")
        told = f"he row with id = {row} is there: created at {number}"
        assert picture.title in (f"T{told}", f"As far as can be read: t{told}")  # or more befell it at that commit
        assert any("The file does not exist." in note.reason for note in picture.notes)
    assert table.biography("id > 0").title == f"All 4 rows with id > 0 live at {last}"
    files = table.sequence_timeline()
    assert sorted(files.data["added_sequence_number"]) == [1, 2, 3, last]
    assert sum(file.is_live for file in files.facts.files) == 4


def test_a_row_is_read_where_the_delete_that_is_gone_does_not_apply_yet(opened: Callable[..., Table]) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} {MERGE_ON_READ.format(2)}",
        insert("(1, 'paid', 5)", "(2, 'paid', 6)"),
        "DELETE FROM {t} WHERE id = 2",
        insert("(3, 'paid', 7)"),
    )
    (lost,) = table.deletes().data["delete_path"].unique()
    Path(urlsplit(lost).path).unlink()
    one, every = table.biography("id = 1"), table.biography("id > 0")
    assert one.title == "The row with id = 1: created at 1; whether it is masked now is not known"
    assert every.title == "1 of 3 rows with id > 0 lives at 3; whether 2 are masked now is not known"


def test_too_many_rows_are_cut_between_keys_and_counted(opened: Callable[..., Table]) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} {V2}",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'paid', 1 FROM range(20)",
        "UPDATE {t} SET status = 'shipped' WHERE id < 10",
    )
    version = table._version
    question = Question("id >= 0", table.snapshot("main"), "main", ("id",))
    source, timelines = version.readers.commits.source, version.readers.timelines
    facts = AskedBiography(source, timelines, question, tuple, most=11).facts
    assert facts.rows == 40
    assert 0 < facts.told <= 11
    keys = [{stretch.row.values[0] for stretch in life.stretches} for life in facts.lives]
    whole = AskedBiography(source, timelines, question, tuple).facts
    for life, key in zip(facts.lives, keys, strict=True):
        [same] = [other for other in whole.lives if other.last.values[0] in key]
        assert [e.kind for e in life.events] == [e.kind for e in same.events]
    assert f"{facts.told} are told" in finding.title(facts)


def test_a_younger_column_reads_as_null_before(opened: Callable[..., Table]) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} {V3}",
        insert("(1, 'paid', 5)"),
        "ALTER TABLE {t} ADD COLUMN channel STRING",
        "UPDATE {t} SET channel = 'web' WHERE id = 1",
    )
    picture = table.biography("channel = 'web'")
    assert [row[4] for row in story(picture.data)] == [None, "channel: null → web"]
    assert any("channel is younger than snapshot" in note.about for note in picture.notes)


def test_the_sql_gives_the_rows_and_a_table_without_a_name_has_none(
    spark: SparkSession, opened: Callable[..., Table]
) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} {MERGE_ON_READ.format(3)}",
        insert("(1, 'paid', 5)", "(2, 'paid', 6)"),
        "UPDATE {t} SET status = 'shipped' WHERE id = 1",
        "DELETE FROM {t} WHERE id = 1",
    )
    picture = table.biography("id = 1 -- the first")
    assert len(spark.sql(picture.sql).collect()) == picture.facts.rows == 2
    by_file = Table.open(table.metadata_location, spark).biography("id = 1")
    assert by_file.sql == ""
    assert by_file.data.drop(columns=["reason"]).equals(table.biography("id = 1").data.drop(columns=["reason"]))
    assert any(note.about == "SQL for these rows" for note in by_file.notes)


def test_the_sql_runs_whatever_columns_are_called_now_and_over_row_ids(
    spark: SparkSession, opened: Callable[..., Table]
) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} {V3}",
        insert("(1, 'paid', 5)", "(2, 'paid', 6)"),
        "ALTER TABLE {t} RENAME COLUMN status TO old",
        "ALTER TABLE {t} RENAME COLUMN amount TO status",
        "INSERT OVERWRITE {t} VALUES (3, 'paid', 7)",
    )
    first = table.metadata.snapshots[0].snapshot_id
    for picture, rows in (
        (table.why("status = 'paid'", first), 2),
        (table.biography("old = 'paid'"), 3),
        (table.biography("status = 6"), 1),
        (table.biography("_row_id = 0"), 1),
        (table.why("_row_id = 0", first), 1),
    ):
        assert len(spark.sql(picture.sql).collect()) == rows, picture.sql


def test_the_price_counts_what_the_condition_leaves(opened: Callable[..., Table]) -> None:
    table = opened(
        f"CREATE TABLE {{t}} {ORDERS} {MERGE_ON_READ.format(2)}",
        *(insert(f"({i}, 'paid', 5)") for i in range(4)),
        "DELETE FROM {t} WHERE id = 3 AND amount > 4",
    )
    price = table.biography("id = 3").price
    assert (price.files, price.of_files, price.pruned) == (1, 4, True)
    assert price.deletes == 0  # the whole file went
    every = table.biography("upper(status) = 'PAID'").price
    assert (every.files, every.pruned) == (4, False)
    assert every.reason
    assert table.biography("id = 77").price.files == 0
    assert table.biography("id = 77").title == "No row with id = 77 in the known history"


def test_what_cannot_be_asked_is_refused_in_words(opened: Callable[..., Table]) -> None:
    table = opened(f"CREATE TABLE {{t}} {ORDERS} {V2}", insert("(1, 'paid', 5)"))
    with pytest.raises(UnknownSnapshot):
        table.biography("id = 1", "nowhere")
    for condition in ("nothing = 1", "id =", "CAST(status AS INT) = 1"):
        with pytest.raises(ExplorerError, match="Write a condition over the table's columns"):
            table.biography(condition).read()
    for picture in (table.biography("_row_id = 0"), table.why("_row_id = 0")):
        with pytest.raises(ExplorerError, match="These rows have no _row_id: rows have ids since version 3"):
            picture.read()
    for picture in (table.biography(" "), table.why("")):
        with pytest.raises(ExplorerError, match=r"(?s)The condition is empty\..*for example id = 42"):
            picture.read()
    for picture in (table.biography("rand() < 0.5"), table.why("monotonically_increasing_id() = 0")):
        with pytest.raises(ExplorerError, match="It gives another answer each time"):
            picture.read()
    with pytest.raises(ExplorerError, match=r"(?s)could not be read.*USER_RAISED_EXCEPTION.*Write a condition"):
        table.biography("id = 1 AND raise_error('boom') IS NULL").read()
