from __future__ import annotations

import dataclasses

import pytest

from explorer.model.commit import findings as commit_findings
from explorer.model.commit import words as commit_words
from explorer.model.commit.rows import Outcomes
from explorer.model.words import partition_name, partition_values
from tests.figures.commit_stories import STORIES, Work, rows_of


@pytest.mark.parametrize(
    ("partition", "name", "values"),
    [
        ("", "unpartitioned", "unpartitioned"),
        ("region=EU", "region = EU", "EU"),
        ("region=EU/day=2026-11-20", "region = EU, day = 2026-11-20", "EU, 2026-11-20"),
        ("region=null", "region = null", "null"),
        ('region="a/b=c"/x=1', 'region = "a/b=c", x = 1', '"a/b=c", 1'),
        ('region="say \\"hi=\\""', 'region = "say \\"hi=\\""', '"say \\"hi=\\""'),
    ],
)
def test_partitions_are_named_with_and_without_their_fields(partition: str, name: str, values: str) -> None:
    assert partition_name(0, partition) == name
    assert partition_name(7, partition, with_spec=True) == f"{name} (spec 7)"
    assert partition_values(partition) == values


@pytest.mark.parametrize(
    ("story", "read", "certainty", "phrase"),
    [
        ("copy-on-write", False, "exact", "exact (files; rows not read)"),
        ("copy-on-write", True, "exact", "exact (rows matched by _row_id)"),
        ("sequence b", True, "inferred", "inferred: rows carried over matched by value"),
        ("merge-on-read", True, "inferred", "inferred: updates by order_id"),
        ("append", True, "exact", "exact"),
        ("expired parent", True, "unknown", "unknown: rows before"),
        ("unread manifest", False, "unknown", "unknown: 2 changed files"),
        ("list unreadable", False, "unknown", "unknown: files and rows"),
    ],
)
def test_how_sure_the_answer_is(story: str, read: bool, certainty: str, phrase: str) -> None:
    work = STORIES[story]()
    assert commit_words.evidence(work.commit(), rows_of(story, work) if read else None) == (certainty, phrase)


@pytest.mark.parametrize("story", list(STORIES))
def test_what_is_certain_without_reading_is_what_reading_finds(story: str) -> None:
    work = STORIES[story]()
    commit, t = work.commit(), rows_of(story, work).totals
    certain = commit_findings.certain_outcome(commit)
    assert (certain is not None) == (story in {"append", "append of 300", "first snapshot", "delete of files",
                                               "contradicting", "many manifests"})  # fmt: skip
    counts = {"carried over": t.carried_over, "updated": t.updated, "deleted": t.deleted, "inserted": t.inserted}
    assert certain is None or {outcome for outcome, n in counts.items() if n} == {certain}


def test_rows_of_removed_files_are_not_certainly_deleted_where_delete_files_live() -> None:
    work = STORIES["delete of files"]()
    work.kept.append((1, 2, 10))
    assert commit_findings.certain_outcome(work.commit()) is None
    assert "Reading them (2 files, 53.5 MB)" in commit_words.closing(work.commit(), None)[0]


def test_rows_kept_are_counted_by_the_manifest_list_or_not_at_all() -> None:
    commit = STORIES["copy-on-write"]().commit()
    assert commit_findings.kept_rows(commit) == 2_100_000 + 1_800_000 + 900_000 + 24 * 100_000
    assert commit.manifests
    silent = dataclasses.replace(commit.manifests.kept[0], existing_rows_count=None)
    manifests = dataclasses.replace(commit.manifests, kept=(silent,))
    assert commit_findings.kept_rows(dataclasses.replace(commit, manifests=manifests)) is None


def titled(work: Work, read: bool = True) -> str:
    return commit_words.title(work.commit(), work.rows() if read else None)


def test_titles_tell_what_happened_to_rows() -> None:
    work = Work("delete")
    delete = work.added(4, kind="pos")
    assert titled(work) == "Rewrote no file: added 1 position delete file, masked no row"
    work.masked(10, Outcomes(deleted=4), "", (delete, 4))
    assert titled(work) == "Rewrote no file: masked 4 rows in 1 file"
    assert titled(work, read=False) == "Rewrote no file: added 1 position delete file, 4 positions"
    back = Work("overwrite")
    back.file("removed", 4, kind="pos")
    back.masked(10, Outcomes(inserted=4))
    assert titled(back) == "Removed 1 position delete file: 4 rows came back"
    same = Work("overwrite")
    same.removed(5, outcomes=Outcomes(carried_over=5))
    same.added(5, outcomes=Outcomes(carried_over=5))
    assert titled(same) == "Rewrote 5 rows and changed none"
    assert titled(same, read=False) == "Removed 1 file with 5 rows, added 1 with 5"


def test_amplification_is_given_as_its_ratio() -> None:
    assert [commit_words.ratio(value) for value in (1, 1.66, 9.94, 9.96, 211.9, 12_345.6)] == [
        "1.0", "1.7", "9.9", "10", "212", "12,346",
    ]  # fmt: skip
