"""Retries in a terminal: every commit that lost, to whom, and what was written again."""

from __future__ import annotations

import pytest

from explorer.terminal.pictures.retries import lines
from tests.figures import retries_stories as stories
from tests.terminal.printed import row_of, rows


@pytest.mark.parametrize("story", stories.STORIES)
def test_every_retried_commit_is_printed_with_its_rivals(story: str) -> None:
    retries = stories.STORIES[story]()
    printed = rows(lines(retries, "t", limit=None))
    heads = [row for row in printed if "  attempt " in row]
    assert [int(row.rsplit(" ", 1)[1]) for row in heads] == [attempt.attempt for attempt in retries.retried]
    losses = [row for row in printed if row.startswith("  lost to ")]
    rivals = [str(rival.snapshot_id) for attempt in retries.retried for rival in attempt.rivals]
    assert [row.split()[3] for row in losses] == rivals


def test_the_reused_manifest_and_the_one_written_again_are_told_apart() -> None:
    printed = rows(lines(stories.mock(), "t"))
    words = [row.split("  ")[1] for row in printed if row.startswith(("  reused", "  written again"))]
    assert words == ["reused", "written again", "reused"]
    assert row_of(printed, "inferred: Attempts.")


def test_the_newest_are_kept_where_a_limit_cuts() -> None:
    retries = stories.busy_1000()
    printed = rows(lines(retries, "t", limit=2))
    heads = [row for row in printed if "  attempt " in row]
    newest = [f"{attempt.snapshot.sequence_number:,}  " for attempt in retries.retried[-2:]]
    assert [row[: len(number)] for row, number in zip(heads, newest, strict=True)] == newest
    assert row_of(printed, f"the newest 2 of {len(retries.retried):,} retried commits")


def test_what_is_not_recorded_is_called_unknown() -> None:
    printed = rows(lines(stories.not_recorded(), "t"))
    assert not [row for row in printed if "  attempt " in row]
    assert any(row.startswith("unknown: Attempts") for row in printed)
