"""Everything that is told of one commit: its files, and its rows where they were read."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from . import commit as files
from .commit import Commit
from .commit_rows import CommitRows


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
    told = facts.rows
    fates = {(file.path, file.change): file.fates for file in told.files} if told else {}
    masked: dict[tuple[str, int | None], int] = defaultdict(int)
    for file in told.files if told else ():
        for mask in file.masked_by:
            masked[mask.delete_path, mask.content_offset] += mask.rows
    listed = files.rows(facts.commit)
    for row in listed:
        fate = fates.get((row["file_path"], row["change"])) if row["content"] == "data" else None
        row["rows_carried_over"] = fate and fate.carried_over
        row["rows_inserted"] = fate and fate.inserted
        row["rows_updated"] = fate and fate.updated
        row["rows_deleted"] = fate and fate.deleted
        hides = told is not None and row["content"] != "data" and row["change"] == "added"
        row["rows_masked"] = masked[row["file_path"], row["content_offset"]] if hides else None
    return listed
