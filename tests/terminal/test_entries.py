"""Entries in a terminal: what is stored, what it is read as, and that nothing is left out unsaid."""

from __future__ import annotations

import pytest

from explorer.terminal.pictures.entries import lines
from tests.figures import entries_stories as stories
from tests.terminal.printed import row_of, rows


@pytest.mark.parametrize("story", stories.STORIES)
def test_every_manifest_is_named_and_every_entry_printed_or_counted(story: str) -> None:
    entries = stories.STORIES[story]()
    printed = rows(lines(entries, "t", limit=None))
    for manifest in entries.manifests:
        assert any(row.startswith(manifest.manifest.path.rsplit("/", 1)[-1][:40]) for row in printed)
    counted = sum(group.count for m in entries.manifests for group in m.groups)
    assert counted == entries.entry_count
    statuses = [row for row in printed if row.startswith(("  ADDED", "  EXISTING", "  DELETED"))]
    at_hand = sum(len(m.entries) for m in entries.manifests)
    in_groups = sum(len(m.groups) for m in entries.manifests if len(m.entries) < (m.entry_count or 0))
    assert len(statuses) == at_hand + in_groups


def test_a_null_is_shown_beside_what_it_is_read_as() -> None:
    printed = rows(lines(stories.upgraded(), "t"))
    assert any("data null → " in row for row in printed)
    numbers = rows(lines(stories.big_numbers(), "t"))
    assert any("data null → 1,234,567, file null → 1,234,567" in row for row in numbers)
    assert any("data 88,001, file 1,200,000, first row id 123,456,789,012" in row for row in numbers)


def test_a_cut_is_noted_and_what_is_left_out_is_counted() -> None:
    entries = stories.one_manifest_of_500()
    printed = rows(lines(entries, "t", limit=3))
    assert sum(row.startswith("  ADDED") and "entries" not in row for row in printed) == 3
    assert row_of(printed, "497 more entries; all of them:")
    assert row_of(printed, "  ADDED     90 entries")
    assert row_of(printed, "  DELETED   20 entries")


def test_a_manifest_and_a_list_that_cannot_be_read_say_why() -> None:
    printed = rows(lines(stories.unreadable(), "t"))
    assert row_of(printed, "cannot be read: The file is not there.")
    assert any(row.startswith("unknown: Entries of") and "42 entries" in row for row in printed)
    printed = rows(lines(stories.list_unreadable(), "t"))
    assert any(row.startswith("unknown: Manifests and entries of this snapshot") for row in printed)


def test_what_the_format_forbids_is_named_first() -> None:
    entries = stories.forbidden()
    printed = rows(lines(entries, "t"))
    assert entries.contradictions
    assert printed[2 : 2 + len(entries.contradictions)] == [
        f"contradiction: {sentence}" for sentence in entries.contradictions
    ]
