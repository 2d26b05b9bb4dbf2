"""Partitions in a terminal: what each holds, and a sign for each commit."""

from __future__ import annotations

import pytest

from explorer.terminal.pictures.partitions import lines
from tests.figures import partitions_stories as stories
from tests.terminal.printed import row_of, rows


@pytest.mark.parametrize("story", stories.STORIES)
def test_every_partition_is_printed_or_counted(story: str) -> None:
    facts = stories.STORIES[story]()
    printed = rows(lines(facts, "t"))
    told = [row for row in printed if " in " in row and " data file" in row and row.startswith("  ")]
    counts = [int(row.split("(")[1].split(")")[0]) if row.split("  ")[1].endswith(")") else 1 for row in told]
    assert sum(counts) == len(facts.partitions)
    cut = rows(lines(facts, "t", limit=2))
    if len(told) > 2:
        assert row_of(cut, f"and {len(facts.partitions) - sum(counts[:2]):,} more partition")


def test_a_sign_says_how_much_lived_after_each_commit() -> None:
    printed = rows(lines(stories.holes(), "t"))
    row = row_of(printed, "  a ")
    signs = row.split()[1]
    assert len(signs) == 20
    assert [n for n, sign in enumerate(signs, 1) if sign == "?"] == [7, 8, 12, 20]
    assert signs[18] == "█"
    assert row.endswith("2,946 rows in 13 data files, 348 kB")
    assert row_of(printed, "  e ").split()[1].startswith("··▁")
    assert any("unknown after 4 commits" in line for line in printed)


def test_masked_rows_are_a_lower_bound_beside_equality_deletes() -> None:
    printed = rows(lines(stories.equality(), "t"))
    assert "5 delete files, at least 0 rows masked" in row_of(printed, "  EU ")
    assert row_of(printed, "spec 1: unpartitioned")
    assert "14 delete files, 280 rows masked" in row_of(rows(lines(stories.regions(), "t")), "  DE ")


def test_words_narrow_the_partitions_down() -> None:
    printed = rows(lines(stories.mock(), "t", search="2026-03-1"))
    assert len([row for row in printed if " data file" in row]) == 10
    assert row_of(rows(lines(stories.mock(), "t", search="mars")), "None of 94 partitions has mars in its name.")


def test_specs_are_told_apart() -> None:
    printed = rows(lines(stories.specs(), "t"))
    assert printed.index("spec 1: region, day") < printed.index("spec 0: region")
