"""What a reader of the notebooks 02 to 04 must see below their cells, wherever they run.

What is not the same at every building of the sandbox is compared with what PyIceberg reads of the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from pyiceberg.manifest import ManifestEntryStatus
from pyiceberg.table import StaticTable

from explorer.engine import sandbox_warehouse
from tests.ownership_story import Cell, records

SVG = "data:image/svg+xml"
NUMBERS = ("manifest_sequence_number", "stored_sequence_number", "sequence_number", "sequence_number_rule")
PAIR = ("delete_sequence_number", "data_sequence_number", "applies", "decided_by", "reason")

COMPACTED = [  # the entries after the first compaction: content, status and NUMBERS
    ("data", "ADDED", "6", "4", "4", "stored"),
    ("data", "DELETED", "6", "1", "1", "stored"),
    ("data", "DELETED", "6", "2", "2", "stored"),
    ("data", "EXISTING", "6", "1", "1", "stored"),
    ("equality deletes", "ADDED", "3", "<NA>", "3", "inherited"),
    ("equality deletes", "ADDED", "5", "<NA>", "5", "inherited"),
    ("position deletes", "ADDED", "4", "<NA>", "4", "inherited"),
]
PHANTOM_PAIRS = [
    ("2", "1", "True", "sequence", "1 < 2"),
    ("2", "3", "False", "sequence", "3 < 2 is false"),
    ("2", "4", "False", "sequence", "4 < 2 is false"),
    ("4", "1", "True", "sequence", "1 < 4"),
    ("4", "3", "False", "statistics", "id: keys 67890 to 67890, the file 12345 to 12345"),
    ("4", "4", "False", "sequence", "4 < 4 is false"),
]
PHANTOM_ROWS = [
    ("12345", "Alice", "True"),
    ("12345", "Bob", "False"),
    ("67890", "Carol", "True"),
    ("67890", "Caroline", "False"),
]
DECIDED = {  # of the pairs before the first compaction, by content of the delete: which clauses decided how often
    ("equality deletes", "True", "sequence"): 4,
    ("equality deletes", "False", "partition"): 2,
    ("position deletes", "True", "path"): 1,
    ("position deletes", "False", "path"): 2,
}
LIFETIMES = [  # content, partition, data and file sequence number, sequence number of the removal
    ("data", "region=EU", "1", "1", "6"),
    ("data", "region=EU", "2", "2", "6"),
    ("data", "region=EU", "4", "6", "7"),
    ("data", "region=EU", "7", "7", "<NA>"),
    ("data", "region=US", "1", "1", "<NA>"),
    ("equality deletes", "region=EU", "3", "3", "8"),
    ("equality deletes", "region=EU", "5", "5", "8"),
    ("position deletes", "region=EU", "4", "4", "8"),
]


class _Shown:
    """Cells in order; each question is about the next one whose source has a certain part."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._cells: Iterator[Cell] = iter(cells)

    def cell(self, part: str) -> Cell:
        return next(cell for cell in self._cells if part in cell.source)

    def rows(self, part: str, *columns: str) -> list[tuple[str, ...]]:
        return sorted(tuple(row[column] for column in columns) for row in records(self.cell(part).html))

    def picture(self, part: str, words: str) -> None:
        cell = self.cell(part)
        assert SVG in cell.html, part
        assert words in cell.html, (part, cell.html[:400])


def assert_inheritance(cells: Sequence[Cell]) -> None:
    """Null is stored, the row's number is read; a retry keeps its manifest; the queries fail, then work."""
    shown, (snapshots, live) = _Shown(cells), _metadata("concurrent_writers")
    shown.picture("writers.entries()", "stores a number")
    entries = shown.rows("writers.entries().data", "status", *NUMBERS)
    assert [row[3] for row in entries if row[0] != "DELETED"] == sorted(str(number) for number, _ in live)
    assert entries
    for status, manifest, stored, read, rule in entries:
        assert (status, stored, rule) == ("ADDED", "<NA>", "inherited")
        assert manifest == read
    assert shown.rows("concurrent_writers.entries", "sequence_number", "file_sequence_number") == _numbers(live)

    shown.picture("compaction.entries", "inherit")
    assert shown.rows("compaction.entries(ids[5]).data", "content", "status", *NUMBERS) == COMPACTED

    shown.picture("writers.retries()", "attempt")
    attempts = shown.rows("all_manifests", "attempt", "manifest_list", "manifest")
    lists = {list_.rsplit("/", 1)[-1] for _, _, operation, list_ in snapshots if operation == "append"}
    assert {list_ for _, list_, _ in attempts} == lists
    assert max(int(attempt) for attempt, *_ in attempts) > 1
    for attempt, list_, manifest in attempts:
        _, attempt_in_name, commit = re.fullmatch(r"snap-(\d+)-(\d+)-(.*)\.avro", list_).groups()
        assert (attempt, manifest) == (attempt_in_name, f"{commit}-m0.avro")
    assert "inferred: Attempts" in shown.cell("writers.retries().notes").printed

    for column, relation in (("data_sequence_number", "writers.files"), ("sequence_number", "writers.snapshots")):
        refusal = shown.cell(relation).printed
        assert refusal.startswith("Spark refuses: [UNRESOLVED_COLUMN"), refusal
        assert f"`{column}`" in refusal
    assert shown.rows("explorer_files", "data_sequence_number", "file_sequence_number") == _numbers(live)
    assert shown.rows("explorer_snapshots", "sequence_number", "snapshot_id", "operation") == sorted(
        (str(number), str(snapshot_id), operation) for number, snapshot_id, operation, _ in snapshots
    )
    assert "FROM sandbox.lessons.concurrent_writers.entries" in shown.cell('print(views["explorer_files"])').printed


def assert_delete_scope(cells: Sequence[Cell], playback: Callable[[Cell], None] | None = None) -> None:
    """Bob and Caroline live and two readers would lose one each; each pair has its clause; some deletes dangle.

    Args:
        cells: as they were shown.
        playback: looks at the cells with a playback, whose static last step is asserted if this is None.
    """
    shown, look = _Shown(cells), playback or assert_last_step
    look(shown.cell("explorer.play"))
    assert shown.rows("_deleted", "id", "name", "_deleted") == PHANTOM_ROWS
    look(shown.cell("explorer.play"))
    shown.picture("people.deletes()", "1 < 2".replace("<", "&lt;"))
    assert shown.rows("people.deletes(ruled_out=True)", *PAIR) == PHANTOM_PAIRS
    shown.picture("sequence_b_merge_on_read", "names this file")
    shown.picture("compaction.deletes(ids[4])", "3 deletes to apply")
    decided = shown.rows("ruled_out=True).data[[", "delete_content", "applies", "decided_by")
    assert {row: decided.count(row) for row in decided} == DECIDED
    shown.picture("compaction.deletes(ids[6])", "3 of 3 deletes reach nothing")


def assert_last_step(cell: Cell) -> None:
    """What is left of a playback where no widget can run: the rows, their reasons, the files and their numbers."""
    assert SVG in cell.html
    assert "Step 4 of 4" in cell.html
    reasons = " ".join(row["reason"] for row in records(cell.html))
    if "12345" in cell.source:
        assert "1 < 2." in reasons
        assert "holds its key, but 3 < 2 is false" in reasons
    else:
        assert "1 < 4." in reasons
        assert "holds its key, but 4 < 4 is false" in reasons
    assert "live data file" in cell.html
    assert "4 <i>inherited</i>: reaches data &lt; 4 in every file" in cell.html


def assert_compaction(cells: Sequence[Cell]) -> None:
    """The new file is 4 and 6, the delete of 5 reaches it, two deletes dangle, then three, then none is left."""
    shown = _Shown(cells)
    shown.picture("people.sequence_timeline()", "live")
    assert (
        shown.rows(
            'lifetimes[["content"',
            *("content", "partition", "data_sequence_number", "file_sequence_number", "removed_sequence_number"),
        )
        == LIFETIMES
    )
    of_files = ("content", "region", "record_count", "data_sequence_number", "file_sequence_number")
    assert ("data", "EU", "3", "4", "6") in shown.rows("explorer_files", *of_files)
    shown.picture("people.sequence_timeline(ids[5])", "2 of 3 live deletes reach nothing")
    stored = shown.rows("entries.filter", "stored_sequence_number", "stored_file_sequence_number", *NUMBERS[2:])
    assert ("4", "<NA>", "4", "stored") in stored
    assert shown.rows("lifetimes.query", "data_sequence_number", "file_sequence_number") == [("4", "6")]
    shown.picture("people.why", "4 &lt; 5")
    assert "live data file" in (play := shown.cell("explorer.play")).html or "iceberg-explorer" in play.html
    shown.picture("people.deletes(ids[5])", "2 of 3 deletes reach nothing")
    shown.picture("people.deletes(ids[6])", "3 of 3 deletes reach nothing")
    shown.picture("people.commit(ids[7])", "removed 1 position delete file and 2 equality delete files")
    shown.picture("people.deletes()", "No live delete")
    assert shown.rows("ORDER BY id", "id", "name") == [("1", "Ada"), ("4", "Dan"), ("6", "Fay")]


def _metadata(lesson: str) -> tuple[list[tuple[int, int, str, str]], list[tuple[int, int]]]:
    """Snapshots (number, id, operation, manifest list), and both numbers of each live file, as PyIceberg reads them."""
    table = StaticTable.from_metadata(str(sandbox_warehouse() / "lessons" / lesson))
    snapshots = [
        (s.sequence_number, s.snapshot_id, s.summary.operation.value, s.manifest_list) for s in table.metadata.snapshots
    ]
    live = [
        (entry.sequence_number, entry.file_sequence_number)
        for manifest in table.current_snapshot().manifests(table.io)
        for entry in manifest.fetch_manifest_entry(table.io)
        if entry.status != ManifestEntryStatus.DELETED
    ]
    return snapshots, live


def _numbers(live: list[tuple[int, int]]) -> list[tuple[str, ...]]:
    return sorted((str(data), str(file)) for data, file in live)
