"""Deletes in a terminal: every delete, every file that it reaches, and the clause that decides."""

from __future__ import annotations

import pytest

from explorer.terminal.pictures.deletes import lines
from tests.figures import deletes_stories as stories
from tests.terminal.printed import row_of, rows


@pytest.mark.parametrize("ruled_out", [False, True])
@pytest.mark.parametrize("story", stories.STORIES)
def test_every_pair_stands_below_its_delete(story: str, ruled_out: bool) -> None:
    deletes = stories.STORIES[story]()
    printed = rows(lines(deletes, "t", ruled_out=ruled_out))
    signs = {"●": True, "○": False, "?": None}
    verdicts = [signs[row[2]] for row in printed if row[:2] == "  " and row[2:3] in signs]
    expected = [pair.verdict.applies for pair in deletes.pairs if ruled_out or pair.verdict.applies is not False]
    assert verdicts == expected
    if deletes.delete_count > len(deletes.deletes):
        assert row_of(printed, f"and {deletes.delete_count - len(deletes.deletes):,} more deletes")
        assert row_of(printed, "all of them, ").endswith("worst first:")


def test_the_clause_that_decides_is_named() -> None:
    printed = rows(lines(stories.mock().all(), "t", ruled_out=True))
    at = printed.index("00008-eq-8a.parquet")
    assert "reaches data < 8 of " in printed[at + 1]
    assert row_of(printed[at : at + 15], "00004-j8.parquet  statistics: ").startswith("  ○")
    assert row_of(printed[at : at + 15], "00001-h3.parquet  sequence: 1 < 8").startswith("  ●")
    assert row_of(printed[at : at + 15], "00011-m6.parquet  sequence: 11 < 8 is false").startswith("  ○")


def test_a_delete_that_reaches_nothing_says_why() -> None:
    printed = rows(lines(stories.mock().all(), "t"))
    assert row_of(printed, "dangling: names 00003-c2.parquet, which is not live")


def test_vectors_of_one_puffin_file_are_told_apart_by_their_place() -> None:
    deletes = stories.shared_puffin().all()
    printed = rows(lines(deletes, "t"))
    heads = [row for row in printed if row.startswith("00013-deletes.puffin·")]
    assert heads == [f"00013-deletes.puffin·{4 + 40 * i}" for i in range(12)]


def test_a_cut_within_a_delete_and_behind_one_are_both_noted() -> None:
    deletes = stories.reaches_everything().all()
    printed = rows(lines(deletes, "t", limit=3))
    assert sum(row.startswith("  ●") for row in printed) == 3
    assert row_of(printed, "and 5 more data files")
    assert row_of(printed, "and 2 more deletes")
    assert not [row for row in printed if "worst first" in row], "each of them can be told, without a limit"


def test_many_deletes_are_summed_up() -> None:
    printed = rows(lines(stories.few_partitions(), "t"))
    assert row_of(printed, "all of them, all 9 partitions with deletes, worst first:")
    told = row_of(printed, "  tenant = 00005 (spec 1)  ")
    assert told.endswith("625 eq, 0 pos or DV: 0 reach, ≥ 625 nothing (data begins at 6); 125,000 data files")
    told = row_of(printed, "  tenant = 00003 (spec 1)  ")
    assert "4 not known" in told
    whole = row_of(printed, "  all 9 partitions with a live file  ")
    assert "5,040 eq, 1,875 pos or DV" in whole
    assert whole.endswith("1,000,000 data files")


def test_what_cannot_be_read_is_named() -> None:
    printed = rows(lines(stories.unreadable(), "t"))
    assert row_of(printed, "The file does not exist.").startswith("unknown: ")
