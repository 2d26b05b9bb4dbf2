"""Do: make a commit lose a race, and win at its second attempt."""

from __future__ import annotations

from typing import Any

from ...model import formats
from ..lesson import LiveTable
from .answer import Answer, Field, Refused
from .exercise import Exercise
from .learners_table import LearnersTable
from .statements import run_sql
from .verdict import Checked, Verdict

_TILL = "till"


def _build(table: LiveTable) -> None:
    table.sql(
        "CREATE TABLE {table} (till STRING, amount INT) USING iceberg "
        "TBLPROPERTIES ('format-version' = '2', 'commit.retry.min-wait-ms' = '10')"
    )
    table.sql("INSERT INTO {table} VALUES ('opening', 100)")


def _race(table: LiveTable, answer: Answer, variant: int) -> None:
    """The till makes all ready to commit; the learner's SQL runs; then the till commits.

    A transaction of Iceberg's own does that: what it has applied is its first attempt, and if the table has changed by
    the time that it commits, it applies it again.
    """
    jvm: Any = table.spark._jvm
    loaded = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(table.spark._jsparkSession, table.name)
    sale = _file_of_a_sale(table, loaded)
    transaction = loaded.newTransaction()
    append = transaction.newAppend().appendFile(sale)
    append.set("app", _TILL)
    append.commit()
    run_sql(table, answer, variant)
    try:
        transaction.commitTransaction()
    except Exception as error:  # Java's own: what it is depends on what the SQL did to the table
        raise Refused("the till's commit failed for good: your SQL left it no table to commit to") from error


def _file_of_a_sale(table: LiveTable, loaded: Any) -> Any:
    """A data file with one sale, written but in no snapshot."""
    jvm: Any = table.spark._jvm
    folder = f"{loaded.location()}/data/till"
    ids = {field.name(): field.fieldId() for field in loaded.schema().columns()}
    sale = table.spark.sql("SELECT 'front door' AS till, 42 AS amount")
    sale.select(*(sale[name].alias(name, metadata={"parquet.field.id": ids[name]}) for name in sale.columns)).coalesce(
        1
    ).write.mode("overwrite").parquet(folder)
    written = table.spark.read.format("binaryFile").option("pathGlobFilter", "*.parquet").load(folder)
    path, length = written.select("path", "length").collect()[0]
    return (
        jvm.org.apache.iceberg.DataFiles.builder(loaded.spec())
        .withPath(path)
        .withFormat("parquet")
        .withFileSizeInBytes(length)
        .withRecordCount(1)
        .build()
    )


def _check(table: LearnersTable, _answer: Answer) -> Verdict:
    won = next((one for one in table.new if one.summary.get("app") == _TILL), None)
    rivals = [one for one in table.new if won and one is not won and one.sequence_number < won.sequence_number]
    first = table.start.sequence_number + 1
    attempt = won.attempt if won else None
    checked = (
        Checked(
            "the till's sale is in the table" if won else "the till's commit is not in the table", holds=won is not None
        ),
        Checked(
            f"number {first} went to {'another commit' if rivals else 'the till' if won else 'nobody'}; aim: "
            "another commit",
            holds=bool(rivals),
        ),
        Checked(f"the till won at attempt {attempt or '?'}; aim: 2", holds=attempt == 2),
    )
    if won and rivals:
        why = (
            f"The till had a manifest list with the number {first} when {formats.count(len(rivals), 'commit')} came "
            f"first. It wrote the list again, with the number {won.sequence_number}, and its data file and its "
            "manifest, in which no number is stored, as they were."
        )
    elif won and attempt == 2:
        why = (
            "The table's metadata changed under the till, so it had to try again. But what you ran makes no snapshot, "
            f"and so the number {first} was still free."
        )
    else:
        why = "What you ran committed nothing while the till was about to, so nothing was in its way."
    return Verdict(
        f"the till won at attempt {attempt}, as number {won.sequence_number}"
        + ("" if rivals else ", which was still free")
        if won
        else "the till did not commit",
        checked,
        table.told(won) if won else "",
        why,
        table.opened.retries(),
    )


EXERCISE = Exercise(
    name="lost-race",
    kind="do",
    notebook="02_inheritance",
    title="Make a commit lose, and win at its second attempt",
    task=(
        "A till is about to append a sale to `{table}` (till, amount). Its data file, its manifest, and a manifest "
        "list with the next sequence number, 2, are written; it has only to commit. At this very moment your SQL "
        "runs, and then the till commits.\n\n**Write SQL that makes the till lose its number to another commit, so "
        "that it must try a second time.**"
    ),
    fields=(Field("sql", "Your SQL, which runs while the till is about to commit", "lines"),),
    hints=(
        "The till loses if the table is another one by now than the one it began with.",
        "Not every statement takes a sequence number: a commit that makes a snapshot does.",
        "Any `INSERT` into `{table}` does.",
    ),
    build=_build,
    check=_check,
    solution="INSERT INTO {table} VALUES ('back door', 7)",
    run=_race,
)
