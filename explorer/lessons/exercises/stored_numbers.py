"""Predict: which sequence numbers the entries of a commit will hold. Articles say, every null inherits."""

from __future__ import annotations

from ..lesson import LiveTable
from .answer import Answer, Field
from .exercise import Exercise
from .learners_table import LearnersTable
from .verdict import Verdict, guessed

_NUMBERS = ("null", "1", "2", "3", "4")
_STATEMENTS = (
    "DELETE FROM {table} WHERE id = 2",
    "UPDATE {table} SET item = 'fig' WHERE id = 4",
    "DELETE FROM {table} WHERE id = 5",
)


def _build(table: LiveTable) -> None:
    table.sql("CREATE TABLE {table} (id INT, item STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    for first in (1, 3, 5):
        table.sql("INSERT INTO {table} VALUES ({first}, 'pear'), ({second}, 'plum')", first=first, second=first + 1)


def _check(table: LearnersTable, answer: Answer) -> Verdict:
    picture = table.opened.entries(table.head.snapshot_id)
    rows = picture.data
    own = rows[rows["snapshot_id"] == str(table.head.snapshot_id)]
    [removed] = own[own["status"] == "DELETED"].to_dict("records")
    [added] = own[own["status"] == "ADDED"].to_dict("records")
    stored = {"removed": _said(removed["stored_sequence_number"]), "added": _said(added["stored_sequence_number"])}
    read = _said(added["sequence_number"])
    why = (
        f"The new file's entry stores {stored['added']} and is read as {read}, the number of its manifest's row in the "
        f"list. The removed file's entry stores {stored['removed']}: it keeps the number that the file always had. Had "
        f"it stored null, a reader would have nothing: only an ADDED entry inherits."
    )
    return Verdict(
        f"ADDED stores {stored['added']} and reads as {read}, DELETED stores {stored['removed']}",
        (
            guessed("the new file's entry (ADDED) stores", answer.text("added"), stored["added"]),
            guessed("a reader takes it for", answer.text("read"), read),
            guessed("the removed file's entry (DELETED) stores", answer.text("removed"), stored["removed"]),
        ),
        table.told(table.head),
        why,
        picture,
    )


def _said(number: object) -> str:
    return str(number) if isinstance(number, int) else "null"


EXERCISE = Exercise(
    name="stored-numbers",
    kind="predict",
    notebook="02_inheritance",
    title="Which numbers will the entries hold?",
    task=(
        "Three commits, numbers 1 to 3, each added a file of two rows to `{table}`. The statement below will be number "
        "4. It writes copy-on-write: one file goes, and one comes with the row that stays or is changed.\n\n"
        "**Before it runs: which sequence number will the manifest entries of these two files store?**"
    ),
    fields=(
        Field("added", "The new file's entry (ADDED) stores", "choice", _NUMBERS),
        Field("read", "A reader takes it for", "choice", _NUMBERS),
        Field("removed", "The removed file's entry (DELETED) stores", "choice", _NUMBERS),
    ),
    hints=(
        "When the writer writes the entry of its new file, does it know which number it will get?",
        "A number that is not stored can only be taken from the commit that wrote the manifest. Would that be right "
        "for a file that an earlier commit added?",
    ),
    build=_build,
    check=_check,
    statement=lambda variant: _STATEMENTS[variant],
    look=(
        "SELECT r.id, r.item, e.sequence_number FROM (SELECT *, _file FROM {table}) r "
        "JOIN {table}.entries e ON e.data_file.file_path = r._file AND e.status < 2 ORDER BY r.id"
    ),
    looked="Its rows, each with the data sequence number of its file.",
    variants=len(_STATEMENTS),
)
