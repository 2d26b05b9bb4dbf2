"""What a changelog, or a commit, is said to read at most is never less than the files that it reads."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from explorer.model import words
from explorer.model.commit.price import most_bytes
from explorer.model.iceberg.commit_range import commit_range
from explorer.model.iceberg.inheritance import StoredEntry
from explorer.queries.rows import line_files
from explorer.queries.rows.line_files import Line
from explorer.table import Table

LESSONS = ["compaction", "sequence_b_deletion_vectors", "rollback", "expired"]


def size(entry: StoredEntry) -> int:
    return entry.file_size_in_bytes if entry.content_size_in_bytes is None else entry.content_size_in_bytes


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[Line]:
    """The lines that changelogs and commits read, as they are read."""
    found: list[Line] = []
    real = line_files.read

    def spy(*args: object) -> Line:
        line = real(*args)  # type: ignore[arg-type]
        found.append(line)
        return line

    monkeypatch.setattr(line_files, "read", spy)
    return found


def taken(lines: list[Line]) -> tuple[int, int]:
    """Files and bytes of all that is read, each file once."""
    entries = {life.key: life.entry for line in lines for life in (*line.data, *line.deletes)}
    return len(entries), sum(map(size, entries.values()))


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_range_reads_more_than_it_was_said_to(sandbox: SparkSession, lines: list[Line], lesson: str) -> None:
    table = Table.open(f"sandbox.lessons.{lesson}", sandbox)
    metadata, seen = table.metadata, 0
    line = [node.snapshot for node in table.graph.nodes if node.state in ("current", "main")]
    for first, last in [(0, len(line) - 1), *((i, i + 1) for i in range(len(line) - 1))]:
        start = line[first].parent_id if first == 0 else line[first].snapshot_id
        picture = table.changelog(start, line[last].snapshot_id)
        price = picture.price
        lines.clear()
        _ = picture.known
        files, read = taken(lines)
        seen += files
        assert price.files is not None, price.reason
        assert price.size_in_bytes is not None
        assert price.files >= files
        assert price.size_in_bytes >= read
        numbered = commit_range(metadata, start, line[last].snapshot_id).numbered
        ids = ", ".join(str(c.snapshot.snapshot_id) for c in numbered) or "0"
        (changed,) = sandbox.sql(
            "SELECT coalesce(sum(size), 0) FROM (SELECT DISTINCT data_file.file_path, data_file.content_offset,"
            " coalesce(data_file.content_size_in_bytes, data_file.file_size_in_bytes) AS size"
            f" FROM {table.name}.all_entries WHERE status <> 0 AND snapshot_id IN ({ids}))"
        ).first() or (0,)
        assert price.size_in_bytes >= changed
    assert seen


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_commit_reads_more_than_it_was_said_to(sandbox: SparkSession, lesson: str) -> None:
    table = Table.open(f"sandbox.lessons.{lesson}", sandbox)
    for snapshot in table.metadata.snapshots:
        exact, bound = table.commit_cost(snapshot.snapshot_id), most_bytes(table.metadata, snapshot)
        assert bound.files is not None
        assert bound.size_in_bytes is not None
        assert bound.files >= exact.files
        assert bound.size_in_bytes >= exact.size_in_bytes


def test_ownership_reads_no_more_than_the_table_holds_and_what_its_owners_replaced(sandbox: SparkSession) -> None:
    table = Table.open("sandbox.lessons.sequence_b", sandbox)
    bound = table.changelog(mode="ownership").price
    (held,) = sandbox.sql(f"SELECT sum(file_size_in_bytes) FROM {table.name}.files").first() or (0,)
    summaries = [row.summary for row in sandbox.sql(f"SELECT summary FROM {table.name}.snapshots").collect()]
    replaced = [s for s in summaries if "deleted-data-files" in s]
    assert not any(key.endswith("delete-files") and s[key] != "0" for s in summaries for key in s)
    moved = sum(int(s[f"{what}-files-size"]) for s in replaced for what in ("added", "removed"))
    assert bound.size_in_bytes == held + moved > held
    assert words.most(bound).startswith("at most ")
