from __future__ import annotations

from dataclasses import replace

import pytest

from explorer.model.changelog import words as story
from explorer.model.changelog.facts import Changelog, CommitCounts
from tests.figures.changelog_stories import STORIES, Log, expired, numbers, sequence_a, sequence_b, week

every_story = pytest.mark.parametrize("name", list(STORIES))


def test_a_copied_row_is_in_no_other_total_and_an_update_is_counted_once() -> None:
    raw = CommitCounts({"DELETE": 5, "INSERT": 7}, 3)
    assert story.totals("raw", [raw]) == story.Totals(4, 0, 2, 3)
    paired = CommitCounts({"DELETE": 1, "UPDATE_BEFORE": 2, "UPDATE_AFTER": 2, "INSERT": 4}, 3)
    assert story.totals("updates", [paired, paired]) == story.Totals(8, 4, 2, 6)
    assert story.totals("net", [CommitCounts({"INSERT": 1})]).carried_over is None


@every_story
def test_totals_are_all_rows_that_the_mode_prints(name: str) -> None:
    changelog = STORIES[name]()
    if changelog.counts is not None:
        totals_ = story.totals(changelog.mode, changelog.counts.values())
        copied = 2 * (totals_.carried_over or 0) if changelog.mode == "raw" else 0
        assert totals_.inserted + totals_.deleted + 2 * totals_.updated + copied == changelog.row_count


@every_story
def test_every_changelog_has_a_finding_and_says_how_sure_it_is(name: str) -> None:
    changelog = STORIES[name]()
    assert story.title(changelog)
    word, phrase = story.evidence(changelog)
    assert phrase.startswith(word)
    assert story.circumstances(changelog, "a.b")[:: len(story.circumstances(changelog, "a.b")) - 1] == ["a.b", phrase]
    assert (word == "unknown") is bool(changelog.unread or name == "no keys, updates")


@every_story
def test_a_finding_does_not_depend_on_the_order_in_which_spark_counts(name: str) -> None:
    changelog = STORIES[name]()
    if changelog.counts is not None:
        ids = list(changelog.counts)
        alike = changelog.mode == "ownership" and len(ids) > 2
        counts = {i: CommitCounts({"INSERT": 2 if i == ids[0] else 1}) for i in ids} if alike else changelog.counts
        titles = {story.title(replace(changelog, counts={i: counts[i] for i in order})) for order in (ids, ids[::-1])}
        assert len(titles) == 1
        if alike:
            assert titles.pop().endswith(" owns 2")


@pytest.mark.parametrize(("log", "mode", "expected"), [
    (sequence_a(), "raw", "7 raw changes in 2 commits, and no row was only copied"),
    (sequence_b(), "raw", "11 raw changes, but 4 of them are 2 rows that were only copied"),
    (sequence_a(), "changes", "2 commits inserted 6 rows and deleted 1"),
    (sequence_b(), "changes", "2 commits inserted 6 rows and deleted 1"),
    (sequence_b(), "updates", "2 commits inserted 5 rows and updated 1"),
    (sequence_a(), "ownership", "5 live rows, 2 owners: 2 …2081 owns 3, 1 …7366 owns 2"),
    (sequence_b(), "ownership", "All 5 live rows owned by one commit, 2 …1414"),
    (week(), "net", "Net of 7 commits: 7 inserted"),
])  # fmt: skip
def test_the_finding_is_computed(log: Log, mode: str, expected: str) -> None:
    assert story.title(log.changelog(mode)) == expected  # type: ignore[arg-type]


def test_why_an_owner_has_no_ordinal() -> None:
    log = week()
    ids = log.story.ids

    def states(changelog: Changelog) -> dict[int | None, str]:
        return dict(story.owner_states(changelog))

    assert states(log.changelog("ownership")) == {
        ids[4]: "numbered", ids[7]: "numbered", ids[8]: "replace", ids[9]: "numbered"}  # fmt: skip
    assert states(log.changelog("ownership", start=7)) == {
        ids[4]: "before the range", ids[7]: "start", ids[8]: "replace", ids[9]: "numbered"}  # fmt: skip
    old, _ = expired(6)
    assert states(old.changelog("ownership"))[ids[4]] == "expired"


def test_the_range_and_its_beginning_are_named() -> None:
    log = week()
    assert "from the first snapshot up to 9 …5553" in story.circumstances(log.changelog("raw"), "t")
    assert "after 3 …1851 up to 9 …5553" in story.circumstances(log.changelog("raw", start=3), "t")
    assert "9 commits, 2 of them replace" in story.circumstances(log.changelog("raw"), "t")
    assert "18 Nov 2026 07:07 to 16:03 UTC" in story.circumstances(log.changelog("raw"), "t")
    old, _ = expired()
    assert "from the oldest listed ancestor up to 9 …5553" in story.circumstances(old.changelog("raw"), "t")
    assert "rows live at 9 …5553, ordinals from the first snapshot" in story.circumstances(
        log.changelog("ownership"), "t"
    )


def test_two_tables_differ_by_the_ordinals_of_rows_that_both_have_once() -> None:
    a, b = sequence_a().changelog("ownership"), sequence_b().changelog("ownership")
    assert story.differing(a, b) == {"2": (0, 1), "3": (0, 1)}
    assert story.differing(a, a) == {}
    assert story.beside_title(a, a, ("A", "B")) == "The same 5 live rows in both, with the same ordinals"
    assert story.beside_title(a, b, ("A", "B")) == "The same 5 live rows in both, but 2 rows of other owners"
    other = numbers(5, 3).changelog("ownership")
    assert story.beside_title(a, other, ("A", "B")).startswith("A has 5 live rows, B ")


def test_ids_that_end_alike_are_told_apart() -> None:
    log = Log()
    log.commit("append", came=[("1", "a")], tail=1111)
    log.commit("append", came=[("2", "b")], tail=1111)
    assert len(set(story.short_ids(log.changelog("raw")).values())) == 3
