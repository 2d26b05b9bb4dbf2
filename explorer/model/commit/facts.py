"""Everything that is told of one commit: its files, and its rows where they were read."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from ..iceberg import commit as files
from ..iceberg.commit import Commit
from .rows import CommitRows


@dataclass(frozen=True)
class CommitFacts:
    """A commit, and what became of its rows; `rows` is None until they are read."""

    commit: Commit
    rows: CommitRows | None = None


def rows(facts: CommitFacts) -> list[dict[str, Any]]:
    """One dict per added or removed file: the columns of `commit().data`.

    Of a data file rows_carried_over, rows_inserted, rows_updated, rows_deleted; of a delete file rows_masked, the rows
    of older files that it hides. None where they do not apply, or rows were not read.
    """
    commit_rows = facts.rows
    outcomes = {(file.path, file.change): file.outcomes for file in commit_rows.files} if commit_rows else {}
    masked: dict[tuple[str, int | None], int] = defaultdict(int)
    for file in commit_rows.files if commit_rows else ():
        for mask in file.masked_by:
            masked[mask.delete_path, mask.content_offset] += mask.rows
    listed = files.rows(facts.commit)
    for row in listed:
        outcome = outcomes.get((row["file_path"], row["change"])) if row["content"] == "data" else None
        row["rows_carried_over"] = outcome and outcome.carried_over
        row["rows_inserted"] = outcome and outcome.inserted
        row["rows_updated"] = outcome and outcome.updated
        row["rows_deleted"] = outcome and outcome.deleted
        hides = commit_rows is not None and row["content"] != "data" and row["change"] == "added"
        row["rows_masked"] = masked[row["file_path"], row["content_offset"]] if hides else None
    return listed
