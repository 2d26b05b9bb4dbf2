"""Predict: which numbers the file of a compaction gets, and whether a delete that overtook it still hits."""

from __future__ import annotations

from typing import Any

from ..lesson import LiveTable
from ..stories.equality_deletes import delete_equal
from .answer import Answer, Field
from .exercise import Exercise
from .learners_table import LearnersTable
from .verdict import Verdict, guessed

_NUMBERS = ("null", "1", "2", "3", "4", "5")
_OVERTAKEN = (True, False)  # by variant: whether a delete comes while the compaction runs
_OPTIONS = {True: "'rewrite-all', 'true'", False: "'rewrite-all', 'true', 'use-starting-sequence-number', 'false'"}


def _build(table: LiveTable) -> None:
    table.sql("CREATE TABLE {table} (id BIGINT, name STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    table.sql("INSERT INTO {table} VALUES (1, 'Ada'), (2, 'Ben')")
    table.sql("INSERT INTO {table} VALUES (3, 'Cleo'), (4, 'Dan')")
    table.sql("INSERT INTO {table} VALUES (5, 'Eve')")


def _statement(variant: int) -> str:
    overtaken = _OVERTAKEN[variant]
    call = (
        f"CALL sandbox.system.rewrite_data_files(\n  table   => '{{short}}',\n  options => "
        f"map({_OPTIONS[overtaken]})\n)"
    )
    if overtaken:
        return f"{call}\n-- while it runs, a stream commits, as number 4, an equality delete of id = 3 (Cleo)"
    return call


def _run(table: LiveTable, _answer: Answer, variant: int) -> None:
    compaction = _compaction_that_starts_now(table, starting=_OVERTAKEN[variant])
    if _OVERTAKEN[variant]:
        delete_equal(table.spark, table.name, table.spark.range(3, 4, numPartitions=1))
    compaction.execute()


def _compaction_that_starts_now(table: LiveTable, *, starting: bool) -> Any:
    """Iceberg's own compaction, as Spark's procedure runs it, of the table as it is now, whenever it is executed."""
    jvm: Any = table.spark._jvm
    spark: Any = table.spark._jsparkSession
    # Iceberg finds its settings in the session that is active in this thread, which only SQL sets.
    getattr(jvm, spark.getClass().getName()).setActiveSession(spark)
    as_it_is = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark, table.name)
    action = jvm.org.apache.iceberg.spark.actions.SparkActions.get(spark).rewriteDataFiles(as_it_is)
    return action.option("rewrite-all", "true").option("use-starting-sequence-number", str(starting).lower())


def _check(table: LearnersTable, answer: Answer) -> Verdict:
    picture = table.opened.entries(table.head.snapshot_id)
    entries = picture.data
    [added] = entries[(entries["status"] == "ADDED") & (entries["content"] == "data")].to_dict("records")
    stored, read, of_file = (
        str(value) if isinstance(value, int) else "null"
        for value in (added["stored_sequence_number"], added["sequence_number"], added["file_sequence_number"])
    )
    seen = "yes" if table.values("SELECT id FROM {table} WHERE id = 3") else "no"
    if stored == "null":
        why = (
            f"Without `use-starting-sequence-number` the compaction stores null, and its file is read as {read}, "
            "as any new file."
        )
    else:
        why = (
            f"The compaction says itself how old its rows are: {stored}, the number at which it started. Only the file "
            f"sequence number, {of_file}, is inherited."
        )
    if seen == "no":
        why += (
            f" The delete of Cleo has the number 4, and {read} < 4: it reaches the copy too. By {of_file}, it "
            "would not."
        )
    return Verdict(
        f"data sequence number {stored} stored, file sequence number {of_file}, Cleo is "
        f"{'there' if seen == 'yes' else 'gone'}",
        (
            guessed("data sequence number stored", answer.text("data"), stored),
            guessed("file sequence number, as read", answer.text("file"), of_file),
            guessed("a reader sees Cleo", answer.text("cleo"), seen),
        ),
        table.told(table.head),
        why,
        picture,
    )


EXERCISE = Exercise(
    name="numbers-of-a-compaction",
    kind="predict",
    notebook="04_compaction",
    title="Which numbers will the compacted file get?",
    task=(
        "Three commits, numbers 1 to 3, added three files to `{table}`. Now a compaction puts them into one.\n\n"
        "**Before it runs: what will the entry of the new file hold, and will a reader still see Cleo?**"
    ),
    fields=(
        Field("data", "Data sequence number that it stores", "choice", _NUMBERS),
        Field("file", "File sequence number, as read", "choice", _NUMBERS[1:]),
        Field("cleo", "A reader sees Cleo", "choice", ("yes", "no")),
    ),
    hints=(
        "One number says how old the rows are, the other which commit added the file.",
        "By default a compaction keeps the number of the snapshot at which it started, and says so in the entry. With "
        "`use-starting-sequence-number` off it says nothing.",
        "Compare the number of the delete with the data sequence number of the new file: strictly smaller is reached.",
    ),
    build=_build,
    check=_check,
    statement=_statement,
    run=_run,
    look=(
        "SELECT r.id, r.name, e.sequence_number, e.file_sequence_number FROM (SELECT *, _file FROM {table}) r "
        "JOIN {table}.entries e ON e.data_file.file_path = r._file AND e.status < 2 ORDER BY r.id"
    ),
    looked="Its rows, each with the two numbers of its file.",
    variants=len(_OVERTAKEN),
)
