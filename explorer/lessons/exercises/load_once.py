"""Do: write a load that may be tried again. Articles say, commits are atomic, so no load can be there twice."""

from __future__ import annotations

from collections import Counter

from pyspark.sql import DataFrame

from ...model import formats
from ...model.words import enumerated
from ..lesson import LiveTable
from .answer import Answer, Field, Refused
from .exercise import Exercise
from .learners_table import START, LearnersTable
from .statements import run_sql
from .verdict import Checked, Verdict

_NIGHTS = {1: (11, 12), 2: (21, 22, 23), 3: (31, 32)}
_ABOUT = {1: "loaded before", 2: "whose first attempt never arrived", 3: "whose first attempt was committed"}


def _build(table: LiveTable) -> None:
    table.sql("CREATE TABLE {table} (order_id INT, night INT) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    _load(table, 1).writeTo(table.name).append()


def _load(table: LiveTable, night: int) -> DataFrame:
    orders = ", ".join(f"({order}, {night})" for order in _NIGHTS[night])
    return table.query("SELECT /*+ COALESCE(1) */ * FROM VALUES {orders} AS v (order_id, night)", orders=orders)


def _retry(table: LiveTable, answer: Answer, variant: int) -> None:
    """Two nights of a job that hears of nothing, and then runs the learner's SQL as its second attempt."""
    for night in (2, 3):
        load = _load(table, night)
        if night == 3:
            try:
                load.writeTo(table.name).append()
            except Exception as error:  # what it is depends on what the SQL did to the table
                raise Refused("in night 3 the job failed for good: your SQL left it no table to write to") from error
        load.createOrReplaceTempView("load")
        run_sql(table, answer, variant)


def _check(table: LearnersTable, _answer: Answer) -> Verdict:
    held = Counter(table.values("SELECT order_id FROM {table}"))
    counts = [held[order] for orders in _NIGHTS.values() for order in orders]
    twice, missing = sum(count > 1 for count in counts), counts.count(0)
    wrong = [f"{formats.count(twice, 'order')} there more than once"] * bool(twice)
    wrong += [f"{formats.count(missing, 'order')} missing"] * bool(missing)
    return Verdict(
        enumerated(wrong) or "every order is there once",
        tuple(_checked(night, held) for night in _NIGHTS),
        f"{formats.count(len(table.new), 'commit')} in two nights. {table.told(table.head)}",
        _why(table, held),
        table.opened.changelog(START),
    )


def _checked(night: int, held: Counter[int]) -> Checked:
    counts = [held[order] for order in _NIGHTS[night]]
    parts = [f"{counts.count(1)} of {formats.count(len(counts), 'order')} once"]
    parts += [f"{counts.count(n)} there {n} times" for n in sorted(set(counts)) if n > 1]
    parts += [f"{counts.count(0)} missing"] * (0 in counts)
    told = f"night {night}, {_ABOUT[night]}: {', '.join(parts)}"
    holds = set(counts) == {1}
    return Checked(told if holds else f"{told}; aim: each once", holds=holds)


def _why(table: LearnersTable, held: Counter[int]) -> str:
    twice = next((night for night, orders in _NIGHTS.items() if any(held[order] > 1 for order in orders)), None)
    if twice is not None:
        adding = table.values(
            "SELECT DISTINCT e.file_sequence_number FROM (SELECT *, _file FROM {table}) r JOIN {table}.entries e "
            "ON e.data_file.file_path = r._file AND e.status < 2 WHERE r.night = {night} ORDER BY 1",
            night=twice,
        )
        return (
            f"The commits {enumerated(list(map(str, adding)))} have each added orders of night {twice}, and each was "
            "atomic: all of its rows, or none. An append compares nothing with what is there, so to it a second "
            "attempt is another load."
        )
    lost = next((night for night, orders in _NIGHTS.items() if not all(held[order] for order in orders)), None)
    if lost == 1:
        return "What was there before is gone: your SQL took away more than it brought."
    if lost is not None:
        return f"Of night {lost} no attempt has written all. Whoever takes “unknown” for “done” loses a load."
    return (
        "Your SQL writes what is not there yet, and by the key it knows what is: so it does not matter whether the "
        "first attempt has arrived, nor how often it is tried."
    )


EXERCISE = Exercise(
    name="load-once",
    kind="do",
    notebook="05_incident",
    title="A load that may be tried again",
    task=(
        "Every night a job loads the orders in the view `load` (order_id, night) into `{table}`, by "
        "`INSERT INTO {table} SELECT * FROM load`. Night 1 is there. In the nights 2 and 3 the connection breaks, and "
        "the job does not hear whether its commit arrived: in one of them it did, in the other it did not. Each time "
        "it then runs **your SQL** as its second attempt.\n\n"
        "**Write it so that after both nights every order is there once.**"
    ),
    fields=(Field("sql", "Your SQL, which runs in both nights as the second attempt", "lines"),),
    hints=(
        "The job cannot tell the two nights from each other, so its SQL must do the right thing in both.",
        "An `INSERT` compares nothing. Which statement writes only what is not there?",
        "`MERGE INTO {table} AS t USING load AS l ON … WHEN NOT MATCHED THEN INSERT *`, with the key for the dots.",
    ),
    build=_build,
    check=_check,
    solution=("MERGE INTO {table} AS t\nUSING load AS l\nON t.order_id = l.order_id\nWHEN NOT MATCHED THEN INSERT *;"),
    run=_retry,
)
