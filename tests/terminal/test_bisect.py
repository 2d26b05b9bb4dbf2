"""Where an answer changed, in a terminal."""

from __future__ import annotations

from explorer.terminal.pictures.bisect import lines
from tests.figures import bisect_stories as stories
from tests.terminal.printed import row_of, rows


def test_the_finding_comes_first_and_the_reads_in_their_order() -> None:
    printed = rows(lines(stories.mock(), "lake.shop.orders"))
    assert printed[0] == "241 is a first bad commit: 0 before it, 18,204 at it"
    assert row_of(printed, "the good end") == "   1  ✓ 173 good: 0  the good end · 22 Feb 00:00 · at most 400 kB"
    assert row_of(printed, "   6  ").startswith("   6  ✕ 241 bad: 18,204  overwrite")
    assert row_of(printed, "Its rows: ") == "Its rows: commit(6241558020771000068, rows=True)"
    assert row_of(printed, "inferred: It is a first bad commit").endswith("18 reads in all, at most 7.2 MB.")


def test_every_change_is_told_where_all_was_read() -> None:
    printed = rows(lines(stories.mock(every=True), "t"))
    at = printed.index("3 changes of the answer")
    assert printed[at + 1 : at + 4] == ["  241: 0 → 18,204", "  249: 18,204 → 17,549", "  251: 17,549 → 18,204"]


def test_a_cut_is_said() -> None:
    printed = rows(lines(stories.many_answers(), "t", limit=3))
    assert row_of(printed, "and 37 more reads")
    assert row_of(printed, "and 36 more changes")


def test_what_could_not_be_asked_has_its_reason() -> None:
    printed = rows(lines(stories.in_between(), "t"))
    assert sum("skipped: part-00007.parquet is gone from storage." in row for row in printed) == 2


def test_text_of_a_table_steers_no_terminal() -> None:
    assert any("onclick" in row for row in rows(lines(stories.hostile(), "\x1b[2J")))
