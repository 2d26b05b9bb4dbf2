"""The sequence timeline in a terminal: every file with both its numbers and what became of it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from rich.cells import cell_len

from explorer.terminal.pictures.sequence_timeline import lines
from explorer.terminal.screen import wrapped
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
    compacted = row_of(printed, "compact-f0.parquet  data file")
    assert compacted.startswith("  ● ")
    assert "318,920 rows, data seq 6, file seq 8  " in compacted
    assert "data seq 1, file seq 1  removed at 8" in row_of(printed, "00001-a1.parquet")
    assert "  removed" not in row_of(printed, "00009-k1.parquet")


def test_a_delete_that_reaches_nothing_says_so() -> None:
    printed = rows(lines(stories.users().timeline(), "t"))
    assert row_of(printed, " eq-3b.parquet").endswith("dangling: oldest live number there is 6, not < 3")
    assert "1 reach nothing" in next(row for row in printed if row.startswith("region = EU  "))


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
    assert sum("live data files" in row for row in printed if row.startswith("    ")) == 50


def test_what_is_unknown_is_called_so() -> None:
    printed = rows(lines(stories.unknown_removal().timeline(), "t"))
    assert row_of(printed, "00003-unsure").startswith("  ?")
    assert "data seq unknown" in row_of(printed, "00005-numberless")
    assert row_of(printed, "unknown: removals between 2 and 4.")
    assert rows(lines(stories.without_snapshots(), "t"))[0] == "No snapshot yet, so no file"


def test_a_life_is_a_line_from_the_number_that_counts_to_the_commit_that_removed_it() -> None:
    """Twelve numbers on 48 signs: the column of each by the rule of three, from the rows' own words."""
    printed = rows(lines(stories.users().timeline(), "t"))
    scale = next(row for row in printed if row.split() == ["1", "12"])
    assert len(scale) == 4 + 48

    def column(number: str) -> int:
        return (int(number) - 1) * 47 // 11

    told = [row for row in printed if ", data seq " in row and re.search(r"data seq \d", row)]
    assert len(told) >= 10
    for row in told:
        life, words = row[4:52], row[52:]
        data, file = re.search(r"data seq (\d+), file seq (\d+)", words).groups()  # type: ignore[union-attr]
        assert life.index("●") == column(data) or int(data) == 12
        assert ("├" in life) == (data != file)
        if data != file:
            assert life.index("├") == column(file)
            assert set(life[column(data) + 1 : column(file)]) == {"╌"}
        removed = re.search(r"removed at (\d+)", words)
        assert life.rstrip()[-1] == ("┤" if removed else "●" if int(data) == 12 else "▸")
        assert len(life.rstrip()) - 1 == (column(removed[1]) if removed else 47)


def test_a_delete_shows_the_threshold_of_what_it_reaches() -> None:
    printed = rows(lines(stories.users().timeline(), "t"))
    assert "  eq < 3  equality delete file" in row_of(printed, " eq-3b.parquet")
    assert "  pos ≤ 5  position delete file" in row_of(printed, " pos-5.parquet  pos")


@pytest.mark.parametrize("width", [40, 72, 100])
@pytest.mark.parametrize("story", stories.STORIES)
def test_no_row_is_wider_than_the_terminal(story: str, width: int) -> None:
    printed = rows(wrapped(lines(stories.STORIES[story](), "t", width=width), width))
    assert max(cell_len(row) for row in printed) <= width


def test_shortened_names_still_tell_files_apart() -> None:
    timeline = stories.users().timeline()
    long = tuple(
        replace(f, file_path=f"/data/{'0' * 60}-{n:02}-{'1' * 30}.parquet") for n, f in enumerate(timeline.files)
    )
    printed = rows(lines(replace(timeline, files=long), "t", width=100))
    names = [found[0] for row in printed if (found := re.search(r"…\S+parquet(?=  )", row))]
    assert len(names) == len(set(names)) == len(long)
    assert max(map(len, names)) < 50
