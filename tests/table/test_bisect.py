"""Bisection of real tables, against the answer of the statement at every snapshot in a row."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError, UnknownSnapshot
from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.queries import bisect as queries
from explorer.table import Table

STATEMENTS = (
    "SELECT count(*) FROM {t} WHERE id = 3",
    "SELECT sum(amount) FROM {t} AS o WHERE region = 'EU' AND id < 6",
    "SELECT count(*) - count(DISTINCT id) FROM {t}",
    "WITH big AS (SELECT * FROM {t} WHERE amount > 40) SELECT count(*) FROM big",
    "SELECT count(*) = count(DISTINCT id) FROM {t} WHERE region = 'US';",
)


def history(spark: SparkSession, name: str, seed: int, steps: int) -> None:
    """Appends, deletes of every kind, updates and compactions, chosen by chance."""
    pick = random.Random(seed)
    spark.sql(
        f"CREATE TABLE {name} (id INT, region STRING, amount INT) USING iceberg PARTITIONED BY (region) TBLPROPERTIES"
        f" ('format-version'='{2 + seed % 2}', 'write.delete.mode'='merge-on-read',"
        " 'write.update.mode'='copy-on-write')"
    )

    def insert() -> None:
        first = pick.randint(0, 6)
        rows = [(first + i, pick.choice(["EU", "US"]), pick.randint(1, 99)) for i in range(3)]
        spark.sql(f"INSERT INTO {name} (id, region, amount) VALUES {', '.join(map(str, rows))}")

    def delete() -> None:
        spark.sql(f"DELETE FROM {name} WHERE id = {pick.randint(0, 8)} AND region = '{pick.choice(['EU', 'US'])}'")

    def update() -> None:
        spark.sql(f"UPDATE {name} SET amount = amount + 1 WHERE id = {pick.randint(0, 8)}")

    def upsert() -> None:
        key = pick.randint(0, 8)
        delete_equal(spark, name, spark.sql(f"SELECT {key} AS id"), partition=f"region={pick.choice(['EU', 'US'])}")

    def compact() -> None:
        spark.sql(f"CALL lab.system.rewrite_data_files(table => '{name}', options => map('rewrite-all','true'))")

    def widen() -> None:
        spark.sql(f"ALTER TABLE {name} ADD COLUMN extra_{pick.randint(0, 10**6)} INT")

    insert()
    insert()
    for step in pick.choices([insert, insert, insert, delete, delete, update, upsert, compact, widen], k=steps):
        step()


@pytest.fixture(scope="module")
def table(spark: SparkSession, fresh_table: Callable[..., str]) -> Table:
    name = fresh_table("bisected")
    history(spark, name, seed=1, steps=10)
    return Table.open(name, spark)


def in_a_row(table: Table, sql: str) -> list[str | None]:
    """The answer at every snapshot of the line, by one query that is not the explorer's."""
    asked = [
        f"SELECT {place} AS place, CAST(({sql.rstrip(';').format(t=f'{table.name} VERSION AS OF {s.snapshot_id}')})"
        " AS STRING) AS answer"
        for place, s in enumerate(table.metadata.snapshots)
    ]
    return [row.answer for row in table.spark.sql(f"{' UNION ALL '.join(asked)} ORDER BY place").collect()]


def told(answers: pd.Series[str]) -> list[str | None]:
    return [None if pd.isna(answer) else answer for answer in answers]


@pytest.mark.parametrize("sql", STATEMENTS)
def test_what_is_told_is_what_every_snapshot_answers(table: Table, sql: str) -> None:
    truth = in_a_row(table, sql)
    ids = [str(s.snapshot_id) for s in table.metadata.snapshots]
    changes = [i for i in range(1, len(truth)) if truth[i] != truth[i - 1]]
    is_boolean = truth[0] in ("true", "false")
    is_good = [answer == ("true" if is_boolean else truth[0]) for answer in truth]

    every = table.bisect(sql, every=True)
    if is_boolean and not is_good[0] and is_good[-1]:
        with pytest.raises(ExplorerError, match="good end answers false"):
            every.read()
        return
    data = every.data
    assert list(data["snapshot_id"]) == ids
    assert told(data["answer"]) == truth
    assert [change.after.place for change in every.facts.changes] == changes
    assert every.facts.is_complete
    assert len(every.facts.reads) <= every.price.reads
    for place, verdict in enumerate(data["verdict"]):
        if verdict == "inherited":
            assert truth[place] == truth[place - 1], f"{place} was ruled out and changed the answer"
        else:
            assert verdict == ("good" if is_good[place] else "bad")

    quick = table.bisect(sql)
    assert len(quick.facts.reads) <= quick.price.reads
    first = quick.facts.first_bad
    if is_good[0] and not is_good[-1]:
        assert first is not None
        place = ids.index(str(first.snapshot_id))
        assert is_good[place - 1]
        assert not is_good[place]
        assert str(first.sequence_number) in quick.title
    else:
        assert first is None
        assert len(quick.facts.reads) == 2


def test_the_sql_gives_the_answers_that_were_read(table: Table) -> None:
    quick = table.bisect(STATEMENTS[0])
    read = {quick.facts.snapshots[read.place].snapshot_id: read.answer.value for read in quick.facts.reads}
    assert {row.snapshot_id: row.answer for row in table.spark.sql(quick.sql).collect()} == read


def test_an_answer_is_not_asked_twice(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    sql = STATEMENTS[2]
    first = table.bisect(sql, every=True).read()
    monkeypatch.setattr(queries, "answer", lambda *_: pytest.fail("it was asked again"))
    assert table.bisect(sql).facts.good == first.facts.good


def test_a_table_that_was_opened_by_its_file_is_asked_alike(table: Table) -> None:
    opened = Table.open(table.metadata_location, table.spark)
    by_file, by_name = opened.bisect(STATEMENTS[1]), table.bisect(STATEMENTS[1])
    assert by_file.data.equals(by_name.data)
    assert by_file.sql == ""
    assert any(note.about == "SQL for these rows" for note in by_file.notes)


REFUSED = {
    "SELECT 1": "does not name the table",
    " ": "The statement is empty",
    "DROP TABLE {t}": "this is none",
    "DELETE FROM {t} WHERE id = 1": "this is none",
    "INSERT INTO {t} SELECT * FROM {t}": "this is none",
    "FROM {t} INSERT INTO {t} SELECT *": "this is none",
    "WITH a AS (SELECT 1) DELETE FROM {t}": "this is none",
    "UPDATE {t} SET id = 1": "this is none",
    "CREATE TEMP VIEW bisected AS SELECT * FROM {t}": "this is none",
    "EXPLAIN SELECT count(*) FROM {t}": "this is none",
    "CALL lab.system.rewrite_manifests('{t}')": "this is none",
    "SET spark.bisected = {t}": "this is none",
    "SELECT count(*) FROM {t}; DROP TABLE {t}": "this is none",
    "SELECT 1), more AS (SELECT 2 FROM {t}": "this is none",
    "BEGIN SELECT count(*) FROM {t}; END": "this is none",
    "SELECT count(* FROM {t}": "this is none",
    "CLEAR CACHE -- {t}": "this is none",
    "SELECT nothing FROM {t}": "cannot be asked of the table",
    "SELECT count(*) FROM {t}.snapshots": "no {t}.snapshots of its own",
    "SELECT CAST('x' AS BINARY) FROM {t}": "gives bytes",
    "SELECT count(*), max(id) FROM {t}": "2 columns: count(1), max(id)",
}


@pytest.mark.parametrize(("sql", "said"), REFUSED.items())
def test_what_is_no_question_is_refused_before_anything_is_read(
    table: Table, sql: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "answer", lambda *_: pytest.fail("it was asked"))
    with pytest.raises(ExplorerError) as refused:
        _ = table.bisect(sql).price
    assert said in str(refused.value)
    assert refused.value.next_step
    assert table.change() is None  # nothing was done


def test_the_ends_are_checked_against_the_metadata(spark: SparkSession, written_table: Callable[..., str]) -> None:
    name = written_table(
        "ends",
        "CREATE TABLE {t} (id INT) USING iceberg",
        "INSERT INTO {t} VALUES (1)",
        "INSERT INTO {t} VALUES (2)",
        "ALTER TABLE {t} CREATE BRANCH audit",
        "INSERT INTO {t}.branch_audit VALUES (1)",
        "INSERT INTO {t} VALUES (3)",
    )
    opened, count = Table.open(name, spark), "SELECT count(*) FROM {t}"
    for asked in (
        lambda: opened.bisect(count, good="audit"),
        lambda: opened.bisect(count, good="main", bad=1),
        lambda: opened.bisect(count, bad="nowhere"),
        lambda: opened.bisect(count, ref="nowhere"),
        lambda: opened.bisect(count, good=1, bad=1),
        lambda: opened.bisect(count, good="4711"),
    ):
        with pytest.raises(UnknownSnapshot):
            asked()
    unique = "SELECT count(*) = count(DISTINCT id) FROM {t}"
    on_audit = opened.bisect(unique, ref="audit").facts
    assert on_audit.first_bad is not None
    assert on_audit.first_bad.snapshot_id == opened.snapshot("audit").snapshot_id
    assert on_audit.begins == "root"
    assert opened.bisect(unique).title == "Nothing to find between 1 and 4: both answer true"
    with pytest.raises(ExplorerError, match="NULL"):
        opened.bisect("SELECT CAST(NULL AS BOOLEAN) FROM {t} LIMIT 1").read()
    with pytest.raises(ExplorerError, match="more than one row"):
        opened.bisect("SELECT id FROM {t}").read()


def test_snapshots_that_cannot_be_asked_and_an_expired_good_end_are_said(
    spark: SparkSession, written_table: Callable[..., str]
) -> None:
    name = written_table(
        "holes",
        "CREATE TABLE {t} (id INT, part INT) USING iceberg PARTITIONED BY (part)"
        " TBLPROPERTIES ('write.delete.mode'='copy-on-write')",
        "INSERT INTO {t} VALUES (0, 0)",
        "INSERT INTO {t} VALUES (1, 1)",
        "INSERT INTO {t} VALUES (2, 2)",
        "DELETE FROM {t} WHERE part IN (0, 2)",
        "INSERT INTO {t} VALUES (3, 3)",
        "INSERT INTO {t} VALUES (1, 1)",
    )
    ids = [row[0] for row in spark.sql(f"SELECT snapshot_id FROM {name}.snapshots ORDER BY committed_at").collect()]
    gone = spark.sql(f"SELECT file_path FROM {name}.all_data_files WHERE partition.part = 2").collect()[0][0]
    place = Path(gone.removeprefix("file:"))
    spark.sql(f"CALL lab.system.expire_snapshots(table => '{name}', snapshot_ids => array({ids[0]}L))")
    place.unlink()
    opened = Table.open(name, spark)
    found = opened.bisect("SELECT count(*) + 0 * sum(part) FROM {t}", good=ids[0], every=True).facts
    assert found.begins == "expired"
    assert [s.snapshot_id for s in found.snapshots] == ids[1:]
    assert found.verdict(1) == "skipped"
    assert found.first_bad is None
    assert found.between == (found.snapshots[0], found.snapshots[2])
    notes = opened.bisect("SELECT count(*) + 0 * sum(part) FROM {t}", every=True).notes
    assert any(note.about == "The answer at 3" for note in notes)
    assert any(note.about == f"What was before snapshot {ids[1]}" for note in notes)
    # Of a part that the lost file is not in, every snapshot can be asked.
    assert opened.bisect("SELECT count(id) FROM {t} WHERE part = 1").facts.first_bad == opened.snapshot("main")


def test_a_commit_whose_files_cannot_be_told_may_have_changed_the_answer(
    spark: SparkSession, written_table: Callable[..., str]
) -> None:
    name = written_table(
        "untold",
        "CREATE TABLE {t} (id INT) USING iceberg",
        *(f"INSERT INTO {{t}} VALUES ({i})" for i in (1, 2, 3, 4, 5)),
    )
    opened = Table.open(name, spark)
    lost = opened.metadata.snapshots[2].manifest_list
    assert lost is not None
    Path(lost.removeprefix("file:")).unlink()
    asked = Table.open(name, spark).bisect("SELECT count(*) FROM {t} WHERE id = 3")
    found = asked.facts
    assert [(c.place, c.cause) for c in found.candidates] == [(2, "unknown"), (3, "unknown")]
    assert found.verdict(2) == "skipped"
    assert found.between == (found.snapshots[0], found.snapshots[3])
    assert any(note.about == "The answer at 3" for note in asked.notes)


def test_a_column_that_is_another_one_now_is_asked_as_it_was(
    spark: SparkSession, written_table: Callable[..., str]
) -> None:
    name = written_table(
        "reborn",
        "CREATE TABLE {t} (id INT, flag INT) USING iceberg",
        "INSERT INTO {t} VALUES (1, 5), (2, 5)",
        "INSERT INTO {t} VALUES (3, 5)",
        "ALTER TABLE {t} RENAME COLUMN flag TO old",
        "ALTER TABLE {t} ADD COLUMN flag INT",
        "INSERT INTO {t} VALUES (4, 1, 7)",
        "INSERT INTO {t} VALUES (5, 1, 5)",
    )
    found = Table.open(name, spark).bisect("SELECT count(id) FROM {t} WHERE flag = 5", every=True)
    assert list(found.data["answer"]) == ["2", "3", "0", "1"]


def test_metadata_is_asked_without_a_data_file_and_every_commit_may_have_changed_it(
    spark: SparkSession, written_table: Callable[..., str]
) -> None:
    name = written_table(
        "metadata_asked",
        "CREATE TABLE {t} (id BIGINT) USING iceberg",
        *[f"INSERT INTO {{t}} VALUES ({n})" for n in range(5)],
    )
    table = Table.open(name, spark)
    for opened in (table, Table.open(table.metadata_location, spark)):
        picture = opened.bisect("SELECT count(*) < 4 FROM {t}.data_files")
        facts = picture.facts
        assert facts.first_bad is not None
        assert facts.first_bad.sequence_number == 4
        assert len(facts.candidates) == 4
        assert {candidate.cause for candidate in facts.candidates} == {"metadata"}
        listed = spark.sql(f"SELECT sum(length) FROM {name}.manifests").first()
        assert listed is not None
        assert picture.price.admitted[-1] == listed[0]
    assert [row.answer for row in spark.sql(table.bisect("SELECT count(*) FROM {t}.entries").sql).collect()][-1] == "5"
    with pytest.raises(ExplorerError, match=r"no \{t\}\.snapshots of its own"):
        _ = table.bisect("SELECT count(*) FROM {t}.snapshots").facts
