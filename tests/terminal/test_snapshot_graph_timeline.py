"""The timeline in a terminal: every commit under its day, with the numbers of its own summary and bars of them."""

from __future__ import annotations

import itertools
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.snapshot_graph.facts import SnapshotGraph, snapshot_graph
from explorer.terminal.pictures.snapshot_graph_timeline import lines
from explorer.terminal.screen import wrapped
from tests.model.histories import ID, random_history
from tests.terminal.printed import row_of, rows

DAY = 86_400_000
MARKS = "●■▼◆○□▽◇⬢⬡"


def snapshot(number: int, operation: str = "append", *, at: int = 0, **summary: object) -> dict[str, Any]:
    return {
        "snapshot-id": ID + number,
        "sequence-number": number,
        "timestamp-ms": 1_773_360_000_000 + at,  # 2026-03-13 00:00
        "manifest-list": f"snap-{ID + number}-1-a.avro",
        "summary": {"operation": operation, **{key.replace("_", "-"): str(n) for key, n in summary.items()}},
    } | ({"parent-snapshot-id": ID + number - 1} if number > 1 else {})


def graph_of(*snapshots: dict[str, Any], **refs: dict[str, Any]) -> SnapshotGraph:
    newest = snapshots[-1]["snapshot-id"]
    document = random_history(0, 0).document() | {
        "snapshots": list(snapshots),
        "current-snapshot-id": newest,
        "last-sequence-number": snapshots[-1]["sequence-number"],
        "refs": {"main": {"snapshot-id": newest, "type": "branch"}, **refs},
        "snapshot-log": [],
    }
    return snapshot_graph(TableMetadata.from_json(document))


def drawn(graph: SnapshotGraph, width: int | None = None, limit: int | None = None) -> list[str]:
    return rows(wrapped(lines(graph, graph.nodes, "lake.shop.orders", width=width, limit=limit), width))


def commits(printed: list[str]) -> list[str]:
    return [row for row in printed if re.match(rf" *\S+  [{MARKS}] ", row) and "│" in row]


def bars(row: str) -> tuple[int, int]:
    """Signs left and right of the base line."""
    left, right = re.search(r"([█▒▓░]*)│([█▒▓░]*)", row).groups()  # type: ignore[union-attr]
    return len(left), len(right)


COUNTS = st.integers(0, 3_000_000)


@given(counts=st.lists(st.tuples(COUNTS, COUNTS, COUNTS), min_size=1, max_size=12), hours=st.integers(1, 30))
@settings(max_examples=40)
def test_every_commit_has_one_row_under_its_day_with_the_numbers_of_its_summary(
    counts: list[tuple[int, int, int]], hours: int
) -> None:
    history = [
        snapshot(
            number, "overwrite", at=number * hours * 3_600_000, added_records=a, deleted_records=r, total_records=t
        )
        for number, (a, r, t) in enumerate(counts, 1)
    ]
    printed = drawn(graph_of(*history))
    day, found = "", []
    for row in printed:
        day = (re.match(r"── (\d+ \w+)", row) or [None, day])[1] or ""
        if row in commits([row]):
            found.append((day, row.split("│")[0]))
    assert len(found) == len(history)
    for (day, row), recorded in zip(found, history, strict=True):
        at = datetime.fromtimestamp(recorded["timestamp-ms"] / 1000, UTC)
        assert day == f"{at.day} {at:%b}"
        words = row.split()
        assert (words[0], words[2], words[3]) == (str(recorded["sequence-number"]), "overwrite", f"{at:%H:%M}")
        told = [int(word.replace(",", "")) for word in words[4:] if re.fullmatch("[0-9,]+", word)]
        summary = recorded["summary"]
        changed = [int(summary[key]) for key in ("added-records", "deleted-records")]
        assert told[:-1] == [n for n in changed if n]
        assert told[-1] == int(summary["total-records"])


@given(counts=st.lists(st.tuples(COUNTS, COUNTS), min_size=1, max_size=12))
@example(counts=[(3_000_000, 1)])
@example(counts=[(1, 3_000_000), (0, 0)])
@settings(max_examples=40)
def test_more_rows_have_no_shorter_bar_on_either_side(counts: list[tuple[int, int]]) -> None:
    history = [snapshot(n, "delete", added_records=a, deleted_records=r) for n, (a, r) in enumerate(counts, 1)]
    lengths = [bars(row) for row in commits(drawn(graph_of(*history)))]
    measured = sorted(
        (rows, signs)
        for change, bar in zip(counts, lengths, strict=True)
        for rows, signs in zip(change[::-1], bar, strict=True)
    )
    for (fewer, shorter), (more, longer) in itertools.pairwise(measured):
        assert shorter <= longer + 1, (fewer, more)  # a side may lack half a sign
    assert all((signs > 0) == (rows > 0) for rows, signs in measured)


def test_the_scale_is_even_up_to_a_thousand_and_a_logarithm_beyond() -> None:
    graph = graph_of(*(snapshot(n, added_records=rows) for n, rows in enumerate((500, 1_000, 10_000, 100_000), 1)))
    printed = drawn(graph)
    half, one, two, three = (bars(row)[1] for row in commits(printed))
    assert (half * 2, two, three) == (one, one * 2, one * 3)
    assert "symmetric log, even up to 1,000" in "\n".join(printed)
    assert "even scale" in "\n".join(drawn(graph_of(snapshot(1, added_records=7))))


def test_masked_moved_and_rewritten_rows_have_signs_of_their_own_which_the_key_names() -> None:
    graph = graph_of(
        snapshot(1, added_records=900),
        snapshot(2, "delete", added_position_deletes=300, added_delete_files=1),
        snapshot(3, "overwrite", added_records=400, deleted_records=500, added_data_files=1),
        snapshot(4, "replace", added_records=800, deleted_records=800, added_data_files=1, deleted_data_files=12),
        snapshot(5, "delete", added_equality_delete_files=2, added_delete_files=2),
    )
    printed = drawn(graph)
    added, masked, rewritten, moved, unknown = commits(printed)
    assert "│██" in added
    assert masked.endswith("300 masked")
    assert "▒│" in masked
    assert "▓│▓" in rewritten
    assert "░│░" in moved
    assert moved.endswith("12 files into 1")
    assert bars(moved)[0] == bars(moved)[1]
    assert bars(unknown) == (0, 0)
    assert "2 equality deletes, which may mask more" in unknown
    key = row_of(printed, "bars: rows")
    assert [sign for sign in "█▒▓░" if sign in key] == list("█▒▓░")


@given(seed=st.integers(0, 10**6), width=st.integers(60, 150))
@settings(max_examples=40)
def test_no_row_is_wider_than_the_terminal_and_none_is_lost(seed: int, width: int) -> None:
    history = random_history(seed, 25)
    graph = snapshot_graph(TableMetadata.from_json(history.document()))
    printed = drawn(graph, width)
    assert max(map(cell_len, printed)) <= width
    assert len(commits(printed)) == len(history.snapshots)


@pytest.mark.parametrize(("width", "heads"), [(60, "added"), (80, "total rows"), (100, "writer"), (140, "writer")])
def test_a_narrow_terminal_leaves_out_columns_and_a_wide_one_none(width: int, heads: str) -> None:
    history = [
        snapshot(
            n, app_name="flink-cdc", added_records=10**6, deleted_records=10**6, total_records=10**7, total_data_files=9
        )
        for n in range(1, 6)
    ]
    head = next(row for row in drawn(graph_of(*history), width) if row.lstrip().startswith("no."))
    assert heads in head
    assert ("writer" in head, "total rows" in head) == (width >= 100, width >= 80)


def test_a_row_that_is_not_recorded_is_a_question_mark_and_no_row_is_nothing() -> None:
    printed = drawn(graph_of(snapshot(1), snapshot(2, added_data_files=1, total_records=5)))
    unknown, none = commits(printed)
    assert unknown.split("│")[0].split()[4:] == ["?", "?", "?", "?"]
    assert none.split("│")[0].split()[4:] == ["5", "?"]
    assert "? not recorded" in row_of(printed, "bars: rows")


def test_what_is_odd_is_said_at_its_commit() -> None:
    graph = graph_of(
        snapshot(1, total_records=1_000, added_records=1_000),
        snapshot(2, "delete", at=DAY, total_records=10, deleted_records=990),
        snapshot(3, at=DAY, total_records=11, added_records=1),
        first={"snapshot-id": ID + 1, "type": "tag"},
    )
    printed = drawn(graph)
    assert printed[0] == "2 left 10 of 1,000 rows"
    one, two, three = commits(printed)
    assert one.endswith("(tag first)")
    assert two.endswith("! 2 left 10 of 1,000 rows")
    assert three.endswith("(main)")
    assert printed[-1].endswith("show commit lake.shop.orders 2")
    assert "3 commits · 13 Mar – 14 Mar 2026, UTC" in printed[1]


def test_a_cut_shows_the_newest_and_says_how_many_stand_before() -> None:
    printed = drawn(graph_of(*(snapshot(n, added_records=1) for n in range(1, 101))), limit=3)
    assert [row.split()[0] for row in commits(printed)] == ["98", "99", "100"]
    assert printed[0].startswith("98–100 of 100")
    assert printed[1].startswith("3 of 100 commits")
    assert row_of(printed, "97 commits before")


def test_a_table_without_a_commit_says_so() -> None:
    graph = snapshot_graph(TableMetadata.from_json(random_history(1, 0).document() | {"snapshots": []}))
    assert drawn(graph, 80) == ["No snapshot yet", "0 commits"]


@given(evil=st.text(st.characters(categories=["Cc", "Cf", "Cs", "Lu", "Zl", "Zp"]), min_size=1, max_size=8))
def test_nothing_of_a_table_reaches_the_terminal_as_an_order(evil: str) -> None:
    orders = snapshot(1, f"x{evil}\x1b[2J", app_name=f"\x1b]0;{evil}\x07")
    refs = {f"\x1b[31m{evil}\u202e": {"snapshot-id": ID + 1, "type": "branch"}}
    for width in (None, 80):
        assert len(commits(drawn(graph_of(orders, **refs), width))) == 1
