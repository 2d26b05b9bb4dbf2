"""Why a row is deleted, or is not: the deletes that may concern it, each with its verdict and whether it holds the row.

A delete masks a row if it applies to the row's data file and its content holds the row: the row's position, or values
equal to the row's in every key column (null equals null).

Sources: Iceberg specification, "Scan Planning", "Position Delete Files", "Equality Delete Files", "Deletion Vectors".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ..evidence import Note
from ..iceberg.delete_scope import ClauseName, DataFile, DeleteFile, DeleteKey, Verdict, verdict
from ..iceberg.metadata import Snapshot
from ..iceberg.unreadable import Unreadable

Place = tuple[str, int]
"""File and position of a row."""
MOST_ELSEWHERE = 8_000_000
"""Bytes of equality deletes that are read together for those of other partitions too."""


@dataclass(frozen=True, slots=True)
class RowDelete:
    """A delete in whose scope a row's data file lies; or an equality delete of another place that holds its key.

    Attributes:
        verdict: whether it applies to the file.
        holds_row: whether its content names the row's position or key; None if the content cannot be read.
        masks: both; None if either is not known and neither is false.
        words: `masks it: 1 < 2`, `holds its key, but 3 < 2 is false`, `applies (1 < 2), but does not hold it`.
    """

    delete: DeleteFile
    verdict: Verdict
    holds_row: bool | None
    masks: bool | None
    words: str

    @property
    def is_elsewhere(self) -> bool:
        """Whether it is of another partition, or spec, than the row's data file."""
        return _is_elsewhere(self.verdict)


@dataclass(frozen=True, slots=True)
class MatchedRow:
    """A row that the question is about.

    Attributes:
        values: as text, in the order of `RowOutcome.columns`; `null` for null.
        masked: whether a reader leaves it out, as Spark's `_deleted` says.
        file: its data file; None if no live entry of it was read.
        deletes: in whose scope its file lies: those that mask it first, then those that hold it, then the others. And
            equality deletes of other partitions or specs that hold its key, if all of these are few bytes together.
        reason: one sentence.
    """

    file_path: str
    position: int
    values: tuple[str, ...]
    masked: bool
    file: DataFile | None
    deletes: tuple[RowDelete, ...]
    reason: str


@dataclass(frozen=True)
class RowOutcome:
    """The rows that meet a condition at a snapshot, live and masked.

    Attributes:
        condition: SQL, as asked.
        columns: names, of the snapshot's schema; of the current snapshot those of the table.
        rows: by file and position; the first ones, if they are more.
        live_count: rows that meet it and can be read; masked_count: rows that deletes mask. Of all, shown or not.
        notes: what is not known, and why.
        is_partial: whether files that may hold such rows could not be read.
    """

    snapshot: Snapshot
    condition: str
    columns: tuple[str, ...]
    rows: tuple[MatchedRow, ...]
    live_count: int
    masked_count: int
    notes: tuple[Note, ...] = ()
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row as read: its place, its values as text, and whether it is masked."""

    file_path: str
    position: int
    values: tuple[str, ...]
    masked: bool


def in_question(data: DataFile, deletes: Sequence[DeleteFile]) -> tuple[tuple[DeleteFile, Verdict], ...]:
    """The deletes in whose scope a data file lies, by path, partition or because they are for every file.

    And younger equality deletes of other places that may hold a key of its rows, if all equality deletes are few bytes
    together: whoever wrote them may have meant these rows. One whose partition changed is missed by the delete of its
    key.
    """
    vectors = [d for d in deletes if d.kind == "deletion vector" and d.data_file == data.file_path]
    judged = [(delete, verdict(delete, data, vectors=vectors)) for delete in deletes]
    in_scope = [pair for pair in judged if _none_fails(pair[1], "live", "spec", "partition", "path")]
    keys = [(delete, found) for delete, found in judged if delete.kind == "equality deletes"]
    if sum(delete.size_in_bytes for delete, _ in keys) > MOST_ELSEWHERE:
        return tuple(in_scope)
    elsewhere = (pair for pair in keys if _is_elsewhere(pair[1]) and _none_fails(pair[1], "sequence", "statistics"))
    return (*in_scope, *elsewhere)


def _none_fails(judged: Verdict, *names: ClauseName) -> bool:
    return all(clause.holds is not False for clause in judged.clauses if clause.name in names)


def _is_elsewhere(judged: Verdict) -> bool:
    return judged.applies is False and judged.decided_by in ("spec", "partition")


def why(
    snapshot: Snapshot,
    condition: str,
    columns: Sequence[str],
    rows: Sequence[Row],
    counts: tuple[int, int],
    data_files: Mapping[str, DataFile],
    deletes: Sequence[DeleteFile],
    holding: Collection[tuple[Place, DeleteKey]],
    unread: Mapping[DeleteKey, str] = MappingProxyType({}),
    notes: Sequence[Note] = (),
    unreadable: Sequence[Unreadable] = (),
    *,
    lacks_manifests: bool = False,
) -> RowOutcome:
    """Why each row is masked, or is not.

    Args:
        snapshot: that was asked about.
        condition: SQL that the rows meet.
        columns: names of their values.
        rows: at hand.
        counts: live and masked rows that meet the condition, shown or not.
        data_files: the rows' own, by path.
        deletes: every live one.
        holding: which delete's content holds which row.
        unread: why a delete's content is not known.
        notes: what else is not known.
        unreadable: data files that may hold such rows and cannot be read.
        lacks_manifests: whether those of a manifest are not known that cannot be read.
    """
    asked = {path: in_question(file, deletes) for path, file in data_files.items()}
    found = []
    for row in rows:
        place = row.file_path, row.position
        judged_deletes = [
            _row_delete(delete, judged, None if delete.key in unread else (place, delete.key) in holding)
            for delete, judged in asked.get(row.file_path, ())
            if not _is_elsewhere(judged) or (place, delete.key) in holding
        ]
        judged_deletes.sort(key=lambda d: (not d.masks, not d.holds_row))
        file = data_files.get(row.file_path)
        reason = _reason(row, judged_deletes, file)
        found.append(
            MatchedRow(row.file_path, row.position, row.values, row.masked, file, tuple(judged_deletes), reason)
        )
    unread_notes = [
        Note("unknown", f"content of {path.rsplit('/', 1)[-1]}", reason) for (path, _), reason in unread.items()
    ]
    unread_notes += [Note("unknown", f"rows of {file.path.rsplit('/', 1)[-1]}", file.reason) for file in unreadable]
    told = (snapshot, condition, tuple(columns), tuple(found), *counts)
    return RowOutcome(*told, (*notes, *unread_notes), bool(unreadable) or lacks_manifests)


def _row_delete(delete: DeleteFile, judged: Verdict, holds_row: bool | None) -> RowDelete:
    numbers = judged.clause("sequence")
    comparison = numbers.words if numbers else judged.reason
    what = "key" if delete.kind == "equality deletes" else "position"
    masks = None
    if judged.applies is False or holds_row is False:
        masks = False
    elif judged.applies and holds_row:
        masks = True
    if masks:
        words = f"masks it: {comparison}"
    elif holds_row:
        words = f"holds its {what}, but {'it is of ' * _is_elsewhere(judged)}{judged.reason}"
    elif holds_row is None:
        words = f"its content is not known; {'it applies' if judged.applies else judged.reason}"
    elif judged.applies:
        words = f"applies ({comparison}), but does not hold its {what}"
    else:
        words = f"neither applies ({judged.reason}) nor holds its {what}"
    return RowDelete(delete, judged, holds_row, masks, words)


def _reason(row: Row, judged_deletes: Sequence[RowDelete], file: DataFile | None) -> str:
    if row.masked:
        first = next((d for d in judged_deletes if d.masks), None)
        if first is None:
            return "Masked; which delete does it is not known."
        return f"Masked by {_name(first.delete)}: {first.words.removeprefix('masks it: ')}."
    if file is None:
        return "Live; the entry of its file was not read."
    near = next((d for d in judged_deletes if d.holds_row), None)
    if near is not None:
        return f"Live: {_name(near.delete)} {near.words}."
    if not judged_deletes:
        return "Live: its file lies in the scope of no delete."
    doubtful = any(d.holds_row is None for d in judged_deletes)
    return "Live." if doubtful else "Live: no delete in whose scope its file lies holds it."


def _name(delete: DeleteFile) -> str:
    kind = {"equality deletes": "equality delete", "position deletes": "position delete"}.get(delete.kind, delete.kind)
    offset = "" if delete.content_offset is None else f"·{delete.content_offset}"
    return f"{kind} {delete.file_path.rsplit('/', 1)[-1]}{offset}"


def rows(outcome: RowOutcome) -> list[dict[str, Any]]:
    """One dict per row and delete in whose scope its file lies; of a row without one a dict with the row alone."""
    found = []
    for row in outcome.rows:
        own = {
            "_file": row.file_path,
            "_pos": row.position,
            "_deleted": row.masked,
            "row": ", ".join(f"{name} = {value}" for name, value in zip(outcome.columns, row.values, strict=True)),
            "reason": row.reason,
            "data_sequence_number": row.file.data_sequence_number.value if row.file else None,
        }
        found += [own | _of_delete(delete) for delete in row.deletes or (None,)]
    return found


def _of_delete(of: RowDelete | None) -> dict[str, Any]:
    delete = of.delete if of else None
    return {
        "delete_path": delete and delete.file_path,
        "content_offset": delete and delete.content_offset,
        "delete_content": delete and delete.kind,
        "delete_sequence_number": delete and delete.data_sequence_number.value,
        "applies": of and of.verdict.applies,
        "holds_row": of and of.holds_row,
        "masks": of and of.masks,
        "verdict": of and of.words,
    }
