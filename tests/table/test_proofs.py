"""Rows that prove what a check inferred, or withdraw it: on tables of which the rows are known."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError
from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.model.triage.facts import Check
from explorer.table import Table
from tests.oracle.incident_tables import Maker, _tried_again

ROWS = "SELECT /*+ COALESCE(1) */ id, CAST({note} AS STRING) AS note FROM range({low}, {high})"


def check(spark: SparkSession, name: str, signature: str, *, prove: bool, where: str = "") -> Check:
    facts = Table.open(name, spark).triage(prove=[signature] if prove else [], where=where).facts
    return next(c for c in facts.checks if c.signature.name == signature)


@pytest.fixture
def made(spark: SparkSession, fresh_table: Callable[..., str]) -> Callable[..., Maker]:
    return lambda: Maker(spark, fresh_table("proved"), "id BIGINT, note STRING")


@pytest.mark.parametrize("is_one_load", [True, False])
def test_a_load_is_the_same_where_its_rows_are(spark, made, is_one_load):
    t = made()
    load = ROWS.format(note="id", low=100, high=160)
    other = load if is_one_load else ROWS.format(note="IF(id = 130, 131, id)", low=100, high=160)
    for number, query in enumerate((load, "SELECT 1L, 'other'", other)):
        rows = spark.sql(query).toDF("id", "note").writeTo(t.name)
        rows.option("snapshot-property.load-id", "7" if number != 1 else "8").append()
    before = check(spark, t.name, "same-load-twice", prove=False)
    assert before.finding is not None
    assert before.finding.certainty == "inferred"
    assert before.proof.startswith("the rows of 2 commits, ")
    found = check(spark, t.name, "same-load-twice", prove=True)
    if is_one_load:
        assert found.finding is not None
        assert (found.finding.certainty, found.finding.severity) == ("exact", "wrong answers")
        assert found.finding.title == "Commits 1 and 3 added the same 60 rows"
        assert found.finding.since.snapshot.sequence_number == 3
        spark.sql(found.finding.fixes[0].statement)
        assert spark.sql(f"SELECT count(*), count(DISTINCT id) FROM {t.name}").first()[:] == (61, 61)
        spark.sql(found.finding.fixes[0].undo)
        assert spark.table(t.name).count() == 121
    else:
        assert found.state == "clean"
        assert "the loads differ" in found.words


def test_one_file_is_enough_where_its_bounds_agree_and_its_repair_names_the_partition(spark, written_table):
    rows = "SELECT /*+ COALESCE(1) */ id, CAST(1 AS INT) AS day FROM range({low}, {high})"
    name = written_table(
        "again",
        "CREATE TABLE {t} (id BIGINT, day INT) USING iceberg PARTITIONED BY (day)",
        "INSERT INTO {t} " + rows.format(low=0, high=50),
        "INSERT INTO {t} " + rows.format(low=50, high=100),
        "INSERT INTO {t} " + rows.format(low=0, high=50),
    )
    found = check(spark, name, "same-load-twice", prove=False).finding
    assert found is not None
    assert (found.severity, found.since.snapshot.sequence_number) == ("information", 3)
    assert found.value == "1 file of equal size, row count and bounds"
    assert "AND day = '1'" in found.fixes[0].statement


@pytest.mark.parametrize("is_compacted", [True, False])
def test_a_load_that_ran_again_is_found_though_it_wrote_other_files_and_is_repaired_after_a_compaction_too(
    spark, written_table, is_compacted
):
    load = "SELECT /*+ COALESCE(1) */ id, CAST(id * 37 % 50 AS STRING) AS note, {day} AS day FROM range({low}, {high})"
    twice = load.format(low=50, high=100, day=2)
    again = f"INSERT INTO {{t}} SELECT /*+ REPARTITION(1) */ * FROM ({twice}) ORDER BY note"
    compaction = "CALL lab.system.rewrite_data_files(table => '{t}', options => map('min-input-files', '2'))"
    name = written_table(
        "again",
        "CREATE TABLE {t} (id BIGINT, note STRING, day INT) USING iceberg PARTITIONED BY (day)",
        "INSERT INTO {t} " + load.format(low=0, high=50, day=1),
        "INSERT INTO {t} " + twice,
        again,
        "INSERT INTO {t} " + load.format(low=100, high=150, day=3),
        *([compaction] if is_compacted else []),
    )
    found = check(spark, name, "same-load-twice", prove=True).finding
    assert found is not None
    assert found.title == "Commits 2 and 3 added the same 50 rows"
    assert (found.certainty, found.since.snapshot.sequence_number) == ("exact", 3)
    fix = found.fixes[0]
    assert fix.statement.count("SELECT DISTINCT") == is_compacted
    for statement in fix.statement.split(";\n"):
        spark.sql(statement)
    try:
        assert spark.sql(f"SELECT count(*), count(DISTINCT id) FROM {name}").first()[:] == (150, 150)
        if is_compacted:
            assert not spark.sql(fix.verify).collect()
    finally:
        spark.conf.unset("spark.sql.sources.partitionOverwriteMode")
    spark.sql(fix.undo)
    assert spark.table(name).count() == 200


@pytest.mark.parametrize("looks", ["three alike", "other bounds", "an update"])
def test_equal_row_counts_alone_are_no_load_done_twice(spark, written_table, looks):
    load = "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 1 AS day FROM range(LOW, HIGH)"
    statements = [load.replace("LOW", str(low)).replace("HIGH", str(low + 50)) for low in (0, 50)]
    if looks == "an update":
        statements = [*statements[:1], "UPDATE {t} SET id = id + 0"]
    elif looks == "three alike":
        statements = [*statements, statements[0].replace("range(0, 50)", "range(100, 150)"), "DELETE FROM {t}"]
    name = written_table(
        "alike", "CREATE TABLE {t} (id BIGINT, day INT) USING iceberg PARTITIONED BY (day)", *statements
    )
    assert check(spark, name, "same-load-twice", prove=False).state == "clean"


@pytest.mark.parametrize("has_two", [True, False])
def test_a_key_has_two_versions_in_a_commit_where_its_rows_say_so(spark, made, has_two):
    t = made()
    for values in ("(1, 'a'), (2, 'a')", "(1, 'b')" if has_two else "(3, 'b')"):
        spark.sql(f"INSERT INTO {t.name} VALUES {values}")
    delete_equal(spark, t.name, spark.sql("SELECT 9L AS id"))
    t.table.refresh()
    loaded = t.table
    adds, deletes = [], []
    for s in loaded.snapshots():
        adds += [f.copy() for f in s.addedDataFiles(loaded.io())]
        deletes += [f.copy() for f in s.addedDeleteFiles(loaded.io())]
        again = made()
    again.row_delta(added=adds, deletes=deletes)
    before = check(spark, again.name, "upsert-in-one-commit", prove=False)
    assert before.state == "cannot say"
    assert before.proof.startswith("the rows of 1 commit, ")
    found = check(spark, again.name, "upsert-in-one-commit", prove=True)
    if has_two:
        assert found.finding is not None
        assert found.finding.title.startswith("Commit 1 holds 1 key in several versions")
    else:
        assert found.state == "clean"


def test_rows_that_cannot_be_read_are_not_taken_for_none(spark, made):
    t = made()
    for values in ("(0, 'a')", "(1, 'a'), (2, 'a')", "(1, 'b')"):
        spark.sql(f"INSERT INTO {t.name} VALUES {values}")
    delete_equal(spark, t.name, spark.sql("SELECT 9L AS id"))
    t.table.refresh()
    before, *adds = [f.copy() for s in t.table.snapshots() for f in s.addedDataFiles(t.table.io())]
    deletes = [f.copy() for s in t.table.snapshots() for f in s.addedDeleteFiles(t.table.io())]
    again = made()
    again.append(before)
    [[of_before]] = spark.sql(f"SELECT path FROM {again.name}.manifests").collect()
    again.row_delta(added=adds, deletes=deletes)
    Path(urlsplit(of_before).path).unlink()
    assert check(spark, again.name, "upsert-in-one-commit", prove=False).proof
    with pytest.raises(ExplorerError, match=Path(of_before).name):
        check(spark, again.name, "upsert-in-one-commit", prove=True)


@pytest.mark.parametrize("is_lost", [True, False])
def test_rows_of_a_race_are_lost_where_nothing_holds_them(spark, made, is_lost):
    t = made()
    spark.sql(f"INSERT INTO {t.name} VALUES (1, 'a')")
    spark.sql(f"INSERT INTO {t.name} VALUES (2, 'b'), (3, 'c')")
    rest = "(1, 'a')" if is_lost else "(1, 'a'), (2, 'b'), (3, 'c')"
    spark.sql(f"INSERT OVERWRITE {t.name} VALUES {rest}")
    t.table.refresh()
    t.edit(_tried_again(3, 2))
    before = check(spark, t.name, "raced-writes", prove=False)
    assert before.finding is not None
    assert before.finding.certainty == "inferred"
    found = check(spark, t.name, "raced-writes", prove=True)
    if is_lost:
        assert found.finding is not None
        assert found.finding.certainty == "exact"
        assert found.finding.value == "2 rows"
    else:
        assert found.state == "clean"


MERGE_ON_READ = "TBLPROPERTIES ('format-version' = '{version}', 'write.delete.mode' = 'merge-on-read')"


def masked(spark: SparkSession, name: str, version: int, condition: str) -> None:
    """A table of two files of twenty rows each, of which a delete masks some of the first."""
    spark.sql(f"CREATE TABLE {name} (id BIGINT, note STRING) USING iceberg {MERGE_ON_READ.format(version=version)}")
    for low, high in ((0, 20), (20, 40)):
        spark.sql(f"INSERT INTO {name} {ROWS.format(note='id', low=low, high=high)}")
    spark.sql(f"DELETE FROM {name} WHERE {condition}")


def rows(spark: SparkSession, name: str) -> list[int]:
    spark.sql(f"REFRESH TABLE {name}")
    return sorted(row.id for row in spark.sql(f"SELECT id FROM {name}").collect())


@pytest.mark.parametrize("version", [2, 3])
def test_rows_of_a_removed_delete_are_back_where_they_can_be_read_again(spark, fresh_table, version):
    name = fresh_table("removed")
    masked(spark, name, version, "id IN (3, 5, 8)")
    before = rows(spark, name)
    t = Maker.of(spark, name)
    t.row_delta(removed=[file.copy() for file in t.table.currentSnapshot().addedDeleteFiles(t.table.io())])
    assert rows(spark, name) == sorted([*before, 3, 5, 8])
    told = check(spark, name, "applicable-delete-removed", prove=False)
    assert told.proof.startswith("the rows of 2 commits, ")
    found = check(spark, name, "applicable-delete-removed", prove=True).finding
    assert found is not None
    assert (found.certainty, found.value, found.since.snapshot.sequence_number) == ("exact", "3 rows", 4)
    assert found.title.endswith("3 rows can be read again")
    spark.sql(found.fixes[0].statement)
    assert rows(spark, name) == before
    spark.sql(found.fixes[0].undo)
    assert rows(spark, name) == sorted([*before, 3, 5, 8])


def test_a_removed_delete_is_withdrawn_where_no_key_of_it_was_in_a_file(spark, fresh_table):
    name = fresh_table("harmless")
    masked(spark, name, 2, "id < 0")
    delete_equal(spark, name, spark.sql("SELECT 99L AS id"))
    t = Maker.of(spark, name)
    t.row_delta(removed=[file.copy() for file in t.table.currentSnapshot().addedDeleteFiles(t.table.io())])
    told = check(spark, name, "applicable-delete-removed", prove=False)
    assert told.finding is not None
    assert told.finding.certainty == "inferred"
    proved = check(spark, name, "applicable-delete-removed", prove=True)
    assert proved.state == "clean"
    assert "no row that was masked can be read after it" in proved.words


# A vector goes with its file; a delete file stays, until it is cleaned away as one that reaches nothing.
@pytest.mark.parametrize(("version", "is_cleaned"), [(2, False), (2, True), (3, True)])
@pytest.mark.parametrize("lives_on", [True, False])
def test_a_rewrite_that_passed_a_delete_is_told_by_the_rows_it_wrote(spark, fresh_table, version, is_cleaned, lives_on):
    name, new = fresh_table("raced"), fresh_table("written")
    masked(spark, name, version, "id IN (3, 5, 8)")
    without = "" if lives_on else " WHERE id NOT IN (3, 5, 8)"
    spark.sql(f"CREATE TABLE {new} USING iceberg AS {ROWS.format(note='id', low=0, high=20)}{without}")
    t, other = Maker.of(spark, name), Maker.of(spark, new)
    first, *_ = sorted(t.table.snapshots(), key=lambda s: s.sequenceNumber())
    old = [file.copy() for file in first.addedDataFiles(t.table.io())]
    made = [file.copy() for file in other.table.currentSnapshot().addedDataFiles(other.table.io())]
    before = rows(spark, name)
    deletes = [file.copy() for file in t.table.currentSnapshot().addedDeleteFiles(t.table.io())]
    t.rewrite(old, made, number=1)
    if version == 2 and is_cleaned:
        t.row_delta(removed=deletes)
    after = sorted([*before, 3, 5, 8]) if lives_on else before
    assert rows(spark, name) == after
    told = check(spark, name, "raced-delete", prove=False)
    assert told.proof
    assert len(spark.sql(f"SELECT * FROM {name}.delete_files").collect()) == (not is_cleaned)
    proved = check(spark, name, "raced-delete", prove=True)
    if not lives_on:
        assert proved.state == "clean"
        assert "wrote none of the rows" in proved.words
        return
    assert proved.finding is not None
    assert (proved.finding.certainty, proved.finding.value) == ("exact", "3 rows")
    (fix,) = proved.finding.fixes
    assert len(spark.sql(fix.verify).collect()) == 3
    spark.sql(fix.statement)
    assert rows(spark, name) == before
    assert not spark.sql(fix.verify).collect()
    spark.sql(fix.undo)
    assert rows(spark, name) == after


def test_a_deleted_person_is_stored_as_long_as_a_file_holds_the_row(spark, written_table):
    name = written_table(
        "person",
        "CREATE TABLE {t} (id BIGINT, note STRING) USING iceberg TBLPROPERTIES ('format-version' = '2',"
        " 'write.delete.mode' = 'merge-on-read')",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'x' FROM range(40)",
        "DELETE FROM {t} WHERE id = 7",
    )
    assert check(spark, name, "deleted-but-stored", prove=False).state == "cannot say"
    found = check(spark, name, "deleted-but-stored", prove=True, where="id = 7")
    assert found.finding is not None
    assert found.finding.certainty == "exact"
    assert found.finding.title == "Rows with id = 7 are deleted, and 1 live file still holds them"
    assert found.finding.since.snapshot.sequence_number == 2
    assert check(spark, name, "deleted-but-stored", prove=True, where="id = 8").state == "cannot say"
    assert check(spark, name, "deleted-but-stored", prove=True, where="id = 99").state == "clean"
    table = Table.open(name, spark)
    with pytest.raises(ExplorerError, match="none are named"):
        table.triage(prove=["deleted-but-stored"])
    with pytest.raises(ExplorerError, match="do not prove 'small-files'"):
        table.triage(prove=["small-files"])
