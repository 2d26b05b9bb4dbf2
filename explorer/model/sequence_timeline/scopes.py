"""Verdicts between the deletes and the data files of a sequence timeline: now, and while both were live."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cached_property
from typing import Literal

from .. import formats
from ..iceberg.delete_scope import DataFile, DeleteFile, Verdict, verdict
from ..iceberg.inheritance import Value
from .facts import FileLifetime, Timeline

State = Literal["live", "removed", "later", "elsewhere", "unknown"]
"""At the timeline's snapshot: `later` was added after it; `elsewhere` was never on the line."""


def number(value: Value) -> str:
    """A sequence number, or `unknown`."""
    return formats.count(value.value)


class Scopes:
    """What each delete of a timeline reaches, by sequence number, spec, partition and path.

    Args:
        timeline: whose files are judged; deletion vectors supersede position deletes as far as they are at hand.
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self._vectors: dict[str, list[FileLifetime]] = defaultdict(list)
        for file in timeline.files:
            if file.kind == "deletion vector" and file.referenced_data_file is not None:
                self._vectors[file.referenced_data_file].append(file)

    @cached_property
    def _order(self) -> dict[int, int]:
        """Places of the commits, in sequence order; all numbers are 0 in version 1."""
        return {commit.snapshot.snapshot_id: i for i, commit in enumerate(self.timeline.commits)}

    @cached_property
    def short_ids(self) -> dict[int, str]:
        """`…9118` of every commit."""
        as_of = {self.timeline.as_of.snapshot_id} if self.timeline.as_of else set()
        return formats.short_ids(as_of | set(self._order))

    def at(self, number: int | None, snapshot_id: int | None) -> str:
        """`at 8` of a commit; `by …9118` where its number is 0, as of all of version 1."""
        if number:
            return f"at {number:,}"
        return f"by {self.short_ids.get(snapshot_id, str(snapshot_id))}" if snapshot_id else "by an unknown commit"

    def state(self, file: FileLifetime) -> State:
        """Of a file, at the timeline's snapshot."""
        if file.is_live is None:
            return "unknown"
        if file.is_live:
            return "live"
        if not file.is_on_line:
            return "elsewhere"
        as_of = self.timeline.as_of
        place = self._order.get(as_of.snapshot_id) if as_of else None
        added = self._order.get(file.added_snapshot_id) if file.added_snapshot_id is not None else None
        if place is not None and added is not None and added > place:
            return "later"
        return "removed" if file.removal else "unknown"

    def verdict(self, delete: FileLifetime, data: FileLifetime) -> Verdict:
        """Whether a delete applies to a data file at the timeline's snapshot."""
        vectors = [_delete(v) for v in self._vectors.get(data.file_path, ()) if v.is_live]
        return verdict(_delete(delete), _data(data), vectors=vectors)

    def as_if_live(self, delete: FileLifetime, data: FileLifetime) -> Verdict:
        """The same if both were live, and no vector superseded a position delete."""
        one = replace(_delete(delete), live=True)
        return verdict(one, replace(_data(data), live=True), vectors=[one] if delete.kind == "deletion vector" else ())

    def reached_once(self, delete: FileLifetime, data: FileLifetime) -> bool:
        """Whether the delete applied to the data file at some time on the line; False where that is not known."""
        return bool(self.as_if_live(delete, data).applies) and met(delete, data) is True

    def places(self, delete: FileLifetime, data: FileLifetime) -> bool:
        """Whether a data file is in the scope of a delete, whatever their numbers."""
        found = self.as_if_live(delete, data)
        clauses = [found.clause(name) for name in ("spec", "partition", "path")]
        return all(clause is None or clause.holds is not False for clause in clauses)


def met(one: FileLifetime, other: FileLifetime) -> bool | None:
    """Whether two files were live at the same time on the line; None if that is not known."""
    if not (one.is_on_line and other.is_on_line):
        return False
    births = [n for file in (one, other) if (n := file.added_sequence_number) is not None]
    removed = [file for file in (one, other) if file.removal]
    ends = [n for file in removed if (n := file.removed_sequence_number) is not None]
    if len(births) < 2 or len(ends) < len(removed):
        return None
    return not ends or max(births) < min(ends)


def _data(file: FileLifetime) -> DataFile:
    return DataFile(
        file.file_path,
        file.spec_id,
        file.partition,
        file.record_count,
        file.size_in_bytes,
        file.data_sequence_number,
        live=file.is_live is not False,
    )


def _delete(file: FileLifetime) -> DeleteFile:
    return DeleteFile(
        file.file_path,
        file.content_offset,
        file.kind,
        file.spec_id,
        file.partition,
        file.record_count,
        file.size_in_bytes,
        file.data_sequence_number,
        file.scope or "partition",
        file.referenced_data_file,
        live=file.is_live is not False,
    )
