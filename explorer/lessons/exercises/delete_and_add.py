"""Do: delete a key and add it again in one commit. Articles say, a delete reaches numbers ≤ its own."""

from __future__ import annotations

import re

from ..lesson import LiveTable
from ..stories.equality_deletes import delete_equal, upsert
from .answer import Answer, Field, Refused
from .exercise import Exercise
from .learners_table import LearnersTable
from .statements import statements
from .verdict import Checked, Verdict

_KEY = 67890
_STEP = re.compile(r"(?P<delete>DELETE\s+(?P<gone>\d+))|(?P<add>ADD\s+(?P<new>\d+)\s+'?(?P<name>\w+)'?)|COMMIT", re.I)


def _build(table: LiveTable) -> None:
    table.sql("CREATE TABLE {table} (id BIGINT, name STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    table.sql("INSERT INTO {table} VALUES (12345, 'Alice'), (67890, 'Carol')")


def _stream(table: LiveTable, answer: Answer, _variant: int) -> None:
    """Carry out what a streaming writer is told: deletes by key and new rows, gathered until a COMMIT."""
    deletes: list[int] = []
    adds: list[tuple[int, str]] = []
    for step in statements(answer.text("steps").replace("\n", ";")):
        found = _STEP.fullmatch(step)
        if found is None:
            raise Refused(f"“{step}” is none of DELETE key, ADD key name, COMMIT")
        if found["delete"]:
            deletes.append(int(found["gone"]))
        elif found["add"]:
            adds.append((int(found["new"]), found["name"]))
        else:
            _commit(table, deletes, adds)
            deletes, adds = [], []
    if deletes or adds:
        raise Refused("the last steps were never committed: end with COMMIT")


def _commit(table: LiveTable, deletes: list[int], adds: list[tuple[int, str]]) -> None:
    keys = table.query("SELECT * FROM VALUES {keys} AS v (id)", keys=", ".join(f"({key}L)" for key in deletes or [0]))
    rows = table.query(
        "SELECT * FROM VALUES {rows} AS v (id, name)",
        rows=", ".join(f"({key}L, '{name}')" for key, name in adds or [(0, "")]),
    )
    if deletes and adds:
        upsert(table.spark, table.name, keys=keys, rows=rows)
    elif deletes:
        delete_equal(table.spark, table.name, keys)
    elif adds:
        rows.writeTo(table.name).append()


def _check(table: LearnersTable, _answer: Answer) -> Verdict:
    names = table.values("SELECT name FROM {table} WHERE id = {key} ORDER BY name", key=_KEY)
    commits = table.new
    other = table.values("SELECT name FROM {table} WHERE id <> {key} ORDER BY id", key=_KEY)
    absent = [
        one.sequence_number
        for one in commits
        if not table.values("SELECT id FROM {table} VERSION AS OF {id} WHERE id = {key}", id=one.snapshot_id, key=_KEY)
    ]
    checked = (
        Checked(
            f"the key {_KEY} belongs to {' and '.join(names) or 'nobody'}; aim: Caroline", holds=names == ["Caroline"]
        ),
        Checked(f"the other rows: {', '.join(other) or 'none'}; aim: Alice", holds=other == ["Alice"]),
        Checked(f"commits: {len(commits)}; aim: one", holds=len(commits) == 1),
    )
    meanwhile = f", and after commit {absent[0]} to nobody" if names and absent else ""
    return Verdict(
        f"the key {_KEY} belongs to {' and '.join(names) or 'nobody'}{meanwhile}",
        checked,
        table.told(commits[-1]),
        _why(table, names, absent),
        table.opened.why(f"id = {_KEY}"),
    )


def _why(table: LearnersTable, names: list[str], absent: list[int]) -> str:
    number = table.head.sequence_number
    if not names:
        return (
            f"The delete of number {number} reaches every file with a smaller data sequence number, and the new row's "
            "is smaller: an own commit before the delete gave it one."
            if len(table.new) > 1
            else f"The delete of number {number} reaches all that was there before, and nothing was added."
        )
    if len(names) > 1:
        return "Nothing deleted the old row: an append compares no keys."
    if absent:
        listed = " and ".join(map(str, absent))
        return f"After commit {listed} a reader found the key nowhere: only one commit is all or nothing."
    return (
        f"Delete and row have the same number, {number}. An equality delete reaches strictly older data: "
        f"{table.start.sequence_number} < {number} holds, so the old row is gone; {number} < {number} does not, so "
        "the new one lives. In which order the steps of one commit stand makes no difference."
    )


EXERCISE = Exercise(
    name="delete-and-add",
    kind="do",
    notebook="03_delete_scope",
    title="Delete a key and add it again, in one commit",
    task=(
        "`{table}` holds (12345, Alice) and (67890, Carol). Carol wants to be called Caroline. Spark writes no "
        "equality deletes, so you have a little streaming writer that knows three words, a line each:\n\n`DELETE "
        "key` an equality delete · `ADD key name` a new row · `COMMIT` commits the steps since the last one\n\n**Let "
        "the key 67890 belong to Caroline, in one commit, so that no reader ever misses it.**"
    ),
    fields=(Field("steps", "What the stream writes", "lines"),),
    hints=(
        "An equality delete reaches data with a sequence number strictly smaller than its own.",
        "All steps before a `COMMIT` get the same sequence number.",
        "A `DELETE`, an `ADD` and one `COMMIT`.",
    ),
    build=_build,
    check=_check,
    solution="DELETE 67890\nADD 67890 Caroline\nCOMMIT",
    run=_stream,
)
