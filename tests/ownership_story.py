"""What a reader of the notebook `01_ownership.ipynb` must see below its cells, wherever it runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from xml.etree import ElementTree

from pyiceberg.table import StaticTable

from explorer.engine import sandbox_warehouse

LIVE = {"1": "d", "2": "b", "3": "c", "5": "e", "6": "f"}  # id -> value
A_OWNERS = {"1": 1, "2": 0, "3": 0, "5": 1, "6": 1}  # id -> ordinal of the commit
B_OWNERS = {"1": 1, "2": 1, "3": 1, "5": 1, "6": 1}

FIRST = [("1", "a", "INSERT", 0), ("2", "b", "INSERT", 0), ("3", "c", "INSERT", 0)]
A_HISTORY = [
    *FIRST,
    *[("1", "a", "DELETE", 1), ("1", "d", "INSERT", 1), ("5", "e", "INSERT", 1), ("6", "f", "INSERT", 1)],
]
B_RAW = [
    *FIRST,
    *[("1", "a", "DELETE", 1), ("2", "b", "DELETE", 1), ("3", "c", "DELETE", 1)],
    *[(row_id, value, "INSERT", 1) for row_id, value in LIVE.items()],
]

Rows = list[tuple[str, ...]]


@dataclass(frozen=True)
class Cell:
    """A code cell as it was shown: `html` of its tables and pictures, `printed` text."""

    source: str
    html: str
    printed: str = ""


def assert_story(cells: Sequence[Cell]) -> None:
    """Fail unless the cells show, in this order, the tables of the story about the sandbox as it is."""
    shown = iter(cells)

    def answers(part: str) -> tuple[Rows, Rows]:
        """The two tables below the next cell with this in its source."""
        left, right = side_by_side(next(cell for cell in shown if part in cell.source).html).values()
        return left, right

    def picture(part: str) -> Cell:
        found = next(cell for cell in shown if part in cell.source)
        assert "data:image/svg+xml" in found.html, part
        return found

    in_a, in_b = answers("AS file\nFROM     sandbox.lessons.{t}\n")
    assert [row[:2] for row in in_a] == [row[:2] for row in in_b] == list(LIVE.items())
    files = [[file for *_, file in rows] for rows in (in_a, in_b)]
    assert [len(set(names)) for names in files] == [3, 1]
    assert files[0][0] == files[0][3] == files[0][4]

    by_a, by_b = answers("all_entries")
    assert [(row[:2], row[3]) for row in by_a] == [
        *[(("append", "added"), "1")] * 3,
        *[(("overwrite", "added"), "3"), (("overwrite", "removed"), "1")],
    ]
    assert [(row[:2], row[3]) for row in by_b] == [
        *[(("append", "added"), "3"), (("overwrite", "added"), "5"), (("overwrite", "removed"), "3")],
    ]
    both = picture("side_by_side")
    for of, expected in (
        ("Sequence A: INSERT, then MERGE", {"added": (0, 2, 1), "removed": (0, 0, 1)}),
        ("Sequence B: MERGE, then MERGE", {"added": (2, 2, 1), "removed": (2, 0, 1)}),
    ):
        assert outcomes(both, of) == expected
    assert answers("added-data-files") == ([("append", "3", "3")], [("append", "3", "1")])

    owners = owned("sequence_a", A_OWNERS), owned("sequence_b", B_OWNERS)
    assert answers("owners = ") == owners
    assert changes_beside(picture("side_by_side")) == tuple(map(sorted, owners))
    assert answers(".changes\n") == (history("sequence_a", A_HISTORY), history("sequence_b", B_RAW))
    assert answers("CALL") == ([("changes_of_sequence_a",)], [("changes_of_sequence_b",)])
    assert tuple(map(sorted, answers("FROM     changes_of"))) == (
        sorted(history("sequence_a", A_HISTORY)),
        sorted(history("sequence_b", A_HISTORY)),
    )
    assert answers("net_changes    => true") == ([("net_changes_of_sequence_a",)], [("net_changes_of_sequence_b",)])
    assert answers("FROM     net_changes_of") == owners

    assert changes(picture('"raw"')) == sorted(history("sequence_b", B_RAW))
    assert changes(picture("changelog()")) == sorted(history("sequence_b", A_HISTORY))
    assert changes(picture('"net"')) == sorted(owners[1])

    lineage_of_a, lineage_of_b = answers("_last_updated_sequence_number")
    assert [row[2:] for row in lineage_of_a] == [("0", "2"), ("1", "1"), ("2", "1"), ("4", "2"), ("5", "2")]
    assert [row[2:] for row in lineage_of_b] == [("0", "2"), ("1", "1"), ("2", "1"), ("6", "2"), ("7", "2")]
    assert answers("beside(owners") == (owned("sequence_a_v3", A_OWNERS), owned("sequence_b_v3", B_OWNERS))

    proved = picture("sequence_b_v3")
    assert outcomes(proved) == {"added": (2, 2, 1), "removed": (2, 0, 1)}
    assert set(re.findall(r"<p><b>(\w+)</b>", proved.html)) == {"exact"}

    copied, merged = answers("position deletes")
    assert [(row[1], row[3]) for row in copied] == [("data", "5")]
    assert [(row[1], row[3]) for row in merged] == [("data", "3"), ("data", "3"), ("position deletes", "1")]
    for left, right in [
        ("sequence_a", "sequence_b_merge_on_read"),
        ("sequence_a_v3", "sequence_b_deletion_vectors"),
    ]:
        assert answers("beside(owners") == (owned(left, A_OWNERS), owned(right, A_OWNERS))
    refusal = next(cell for cell in shown if cell.source.startswith("try:")).printed
    assert refusal.strip() == "Spark refuses: Delete files are currently not supported in changelog scans"
    assert changes(picture("merged.changelog")) == sorted(history("sequence_b_merge_on_read", A_HISTORY))
    assert outcomes(picture("merged.commit")) == {"added": (0, 2, 1)}


def owned(name: str, owners: dict[str, int]) -> Rows:
    """The table of owners, as the article prints it."""
    return history(name, [(row_id, LIVE[row_id], "INSERT", ordinal) for row_id, ordinal in owners.items()])


def history(name: str, changes: list[tuple[str, str, str, int]]) -> Rows:
    """Changes as text, each with the id of its commit in this sandbox; ordinals and commits are one order here."""
    metadata = StaticTable.from_metadata(str(sandbox_warehouse() / "lessons" / name)).metadata
    commits = sorted(metadata.snapshots, key=lambda snapshot: snapshot.sequence_number or 0)
    return [(*change, str(ordinal), str(commits[ordinal].snapshot_id)) for *change, ordinal in changes]


def outcomes(commit: Cell, of: str = "") -> dict[str, tuple[int, ...]]:
    """The rows carried over, inserted and updated, by what happened to the data file that holds them; one each.

    Of two tables side by side only those `of` one of them.
    """
    data_files = [row for row in records(commit.html) if row["content"] == "data" and row.get("_table", of) == of]
    assert len({row["change"] for row in data_files}) == len(data_files)
    kinds = ("rows_carried_over", "rows_inserted", "rows_updated")
    return {row["change"]: tuple(int(row[kind]) for kind in kinds) for row in data_files}


def changes(changelog: Cell) -> Rows:
    """What a changelog's own table says, in the columns that Iceberg's has."""
    columns = ("id", "value", "_change_type", "_change_ordinal", "_commit_snapshot_id")
    return sorted(tuple(row[column] for column in columns) for row in records(changelog.html))


def changes_beside(both: Cell) -> tuple[Rows, ...]:
    """The same of two changelogs in one table, by the table that each row is of."""
    columns = ("id", "value", "_change_type", "_change_ordinal", "_commit_snapshot_id")
    rows = records(both.html)
    names = dict.fromkeys(row["_table"] for row in rows)
    return tuple(sorted(tuple(row[c] for c in columns) for row in rows if row["_table"] == name) for name in names)


def side_by_side(html: str) -> dict[str, Rows]:
    """The rows of each table that stands below a heading of its own.

    A row that only the longer table has is left out of the shorter one, where it is blank.
    """
    table = _table(html)
    headings = [(_text(cell), int(cell.get("colspan", "1"))) for cell in table.findall("thead/tr")[0]]
    ends = [sum(width for _, width in headings[:count]) for count in range(len(headings) + 1)]
    rows = [tuple(map(_text, row.findall("td"))) for row in table.findall("tbody/tr")]
    return {
        heading: [row[start:end] for row in rows if any(row[start:end])]
        for (heading, _), (start, end) in zip(headings, pairwise(ends), strict=True)
    }


def records(html: str) -> list[dict[str, str]]:
    """The rows of the first table, as text by column."""
    table = _table(html)
    columns = [_text(cell) for cell in table.findall("thead/tr/th")]
    rows = [[_text(cell) for cell in row] for row in table.findall("tbody/tr")]
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _table(html: str) -> ElementTree.Element:
    return ElementTree.fromstring(html[html.index("<table") : html.index("</table>") + len("</table>")])


def _text(cell: ElementTree.Element) -> str:
    return "".join(cell.itertext()).strip()
