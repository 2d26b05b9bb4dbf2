"""Find: the clause of the delete rule that decides, for three pairs of a delete and a data file."""

from __future__ import annotations

from ..lesson import LiveTable
from ..stories.equality_deletes import delete_equal
from .answer import Answer, Field
from .exercise import Exercise
from .learners_table import LearnersTable
from .verdict import Verdict, found_out

_CLAUSES = {"sequence": "sequence number", "partition": "partition", "path": "path"}
_APPLIES = "none: it reaches it"
_CHOICES = (*_CLAUSES.values(), _APPLIES)


def _build(table: LiveTable) -> None:
    table.sql(
        "CREATE TABLE {table} (id BIGINT, name STRING, region STRING) USING iceberg PARTITIONED BY (region) "
        "TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read')"
    )
    table.sql("INSERT INTO {table} VALUES (2, 'Ben', 'EU'), (3, 'Cleo', 'EU'), (4, 'Dan', 'US')")
    delete_equal(table.spark, table.name, table.spark.range(2, 3, numPartitions=1), partition="region=EU")
    table.sql("INSERT INTO {table} VALUES (2, 'Bo', 'EU')")
    table.sql("DELETE FROM {table} WHERE region = 'EU' AND id = 3")


def _check(table: LearnersTable, answer: Answer) -> Verdict:
    picture = table.opened.deletes(ruled_out=True)
    pairs = picture.data
    # Spark shows the rows that deletes mask where `_deleted` is asked for.
    files = {row["name"]: row["_file"] for row in table.rows("SELECT name, _file, _deleted FROM {table}")}
    checked, told = [], []
    for field, (kind, name) in _PAIRS.items():
        pair = pairs[(pairs["delete_content"] == kind) & (pairs["data_path"] == files[name])].iloc[0]
        found = _APPLIES if pair["applies"] else _CLAUSES.get(pair["decided_by"], str(pair["decided_by"]))
        said = answer.text(field)
        checked.append(found_out(_LABELS[field], said, right=said == found))
        if said == found:
            told.append(f"{_LABELS[field]}: {pair['reason']}.")
    right = sum(one.holds is True for one in checked)
    if right < len(checked):
        told.append("The clauses are tried in order: path or partition first, the sequence number after.")
    return Verdict(
        f"{right} of {len(checked)} pairs are right",
        tuple(checked),
        f"{table.name}, commit {table.head.sequence_number}",
        " ".join(told),
        picture if right == len(checked) else None,
    )


_PAIRS = {
    "dan": ("equality deletes", "Dan"),
    "bo": ("equality deletes", "Bo"),
    "cleo": ("position deletes", "Bo"),
    "ben": ("equality deletes", "Ben"),
}
_LABELS = {
    "dan": "The equality delete (id 2) and Dan's file",
    "bo": "The equality delete (id 2) and Bo's file",
    "cleo": "The position delete (of Cleo) and Bo's file",
    "ben": "The equality delete (id 2) and Ben's file",
}

_LOOK = """
SELECT   CASE e.data_file.content WHEN 0 THEN 'data' WHEN 1 THEN 'position delete' ELSE 'equality delete' END
           AS content,
         e.data_file.partition.region,
         e.sequence_number AS data_sequence_number,
         array_join(array_sort(collect_list(r.name)), ', ') AS rows_in_it
FROM     {table}.entries e
LEFT JOIN (SELECT name, _file, _deleted FROM {table}) r ON r._file = e.data_file.file_path
WHERE    e.status < 2
GROUP BY ALL
ORDER BY data_sequence_number, region
"""

EXERCISE = Exercise(
    name="which-clause",
    kind="find",
    notebook="03_delete_scope",
    title="Which clause saves a file from a delete?",
    task=(
        "Into `{table}`, partitioned by region, Ben, Cleo (EU) and Dan (US) were inserted. Ben's key, 2, was then "
        "deleted in the EU by an equality delete, his key given to Bo (EU), and Cleo deleted by her position.\n\n"
        "**Why does each of these deletes not reach the file beside it? Or does it?** The table below has the data "
        "sequence number of every live file."
    ),
    fields=tuple(Field(name, label, "choice", _CHOICES) for name, label in _LABELS.items()),
    hints=(
        "A delete is compared with files of its own partition only. A position delete names its file.",
        "An equality delete reaches data with a smaller sequence number, within its partition.",
        "`explorer.table('{table}').deletes(ruled_out=True)` draws every pair.",
    ),
    build=_build,
    check=_check,
    look=_LOOK,
    looked="Its live files, with the rows that the data files hold, deleted or not.",
)
