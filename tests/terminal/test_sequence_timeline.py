"""The sequence timeline in a terminal: every file with both its numbers and what became of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from explorer.terminal.pictures.sequence_timeline import lines
from tests.figures import sequence_timeline_stories as stories
from tests.terminal.printed import row_of, rows


@pytest.mark.parametrize("story", stories.STORIES)
def test_every_file_is_printed_or_counted(story: str) -> None:
    timeline = stories.STORIES[story]()
    printed = rows(lines(timeline, "t"))
    signs = [row[2] for row in printed if row[:2] == "  " and row[2:3] in "●○?" and ", data seq " in row]
    assert signs == [{True: "●", False: "○", None: "?"}[file.is_live] for file in timeline.files]
    if not timeline.is_complete:
        assert row_of(printed, f"and {timeline.file_count - len(timeline.files):,} more files")


def test_both_numbers_and_the_removal_of_a_compacted_file() -> None:
    printed = rows(lines(stories.users().timeline(), "t"))
    compacted = row_of(printed, "  ● compact-f0.parquet")
    assert "318,920 rows, data seq 6, file seq 8  " in compacted
    assert "data seq 1, file seq 1  removed at 8" in row_of(printed, "00001-a1.parquet")
    assert "  removed" not in row_of(printed, "00009-k1.parquet")


def test_a_delete_that_reaches_nothing_says_so() -> None:
    printed = rows(lines(stories.users().timeline(), "t"))
    assert row_of(printed, " eq-3b.parquet").endswith("dangling: oldest live number there is 6, not < 3")
    assert "dangling" in next(row for row in printed if row.startswith("region = EU  "))


def test_a_file_of_another_branch_says_where_it_is_live() -> None:
    printed = rows(lines(stories.branches().timeline(), "t"))
    assert row_of(printed, "00002-audit-only").endswith("  only on audit")


def test_a_cut_is_noted_and_partitions_without_a_file_are_summed_up() -> None:
    timeline = stories.users().timeline()
    eu_first = sorted(timeline.files, key=lambda file: file.partition)
    printed = rows(lines(replace(timeline, files=tuple(eu_first)), "t", limit=2))
    assert sum(", data seq " in row for row in printed) == 2
    assert row_of(printed, f"and {len(eu_first) - 2} more files")
    assert row_of(printed, "  region = US  ").endswith("4 live data files, 3 live deletes")


def test_a_million_files_are_summed_up_by_partition() -> None:
    printed = rows(lines(stories.sums(1_000_000, 200, 1_000, 40), "t"))
    assert row_of(printed, "more partitions") == "  and 150 more partitions"
    assert sum("live data files" in row for row in printed[2:]) == 50


def test_what_is_unknown_is_called_so() -> None:
    printed = rows(lines(stories.unknown_removal().timeline(), "t"))
    assert row_of(printed, "00003-unsure").startswith("  ?")
    assert "data seq unknown" in row_of(printed, "00005-numberless")
    assert row_of(printed, "unknown: removals between 2 and 4.")
    assert rows(lines(stories.without_snapshots(), "t"))[0] == "No snapshot yet, so no file"
