"""The pairs of a picture of deletes as rows, with the columns that are the contract of `deletes()`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..iceberg.delete_scope import CLAUSES, ClauseName, DeleteKey
from ..iceberg.inheritance import ContentKind
from .facts import Deletes, LiveDelete


class PairRow(NamedTuple):
    """A row of `deletes()`; None as null there."""

    delete_path: str
    content_offset: int | None
    delete_content: ContentKind
    delete_sequence_number: int | None
    data_path: str | None
    data_sequence_number: int | None
    applies: bool | None
    decided_by: str
    reason: str


def rows(deletes: Deletes, *, ruled_out: bool = False) -> Iterator[dict[str, Any]]:
    """One row per delete and data file that it applies to, or of which that cannot be told.

    A delete that reaches nothing has one row without data file. Of deletes whose pairs were only counted there are
    these alone: the others are in `queries.deletes.pairs.Sides.frame`.

    Args:
        deletes: of a snapshot.
        ruled_out: the other pairs too; they take the place of the row without data file.
    """
    numbers = {live.file.file_path: live.file.data_sequence_number.value for live in deletes.data_files}
    pairs_of: dict[DeleteKey, list[PairRow]] = {live.file.key: [] for live in deletes.deletes}
    by_key = {live.file.key: live for live in deletes.deletes}
    for pair in deletes.pairs:
        if ruled_out or pair.verdict.applies is not False:
            verdict = pair.verdict
            pairs_of[pair.delete].append(
                PairRow(
                    *_delete(by_key[pair.delete]),
                    pair.data_path,
                    numbers[pair.data_path],
                    verdict.applies,
                    verdict.decided_by,
                    verdict.reason,
                )
            )
    for key, found in pairs_of.items():
        nothing = [nothing_row(by_key[key])] if not found and reaches_nothing(by_key[key]) else []
        yield from (row._asdict() for row in found or nothing)


def reaches_nothing(delete: LiveDelete) -> bool:
    """Whether it applies to no data file that is known."""
    return not delete.reached and not delete.unknown


def nothing_row(delete: LiveDelete) -> PairRow:
    """The row of a delete that reaches nothing, decided by the last clause that one of the data files came to.

    Where the data files are not all known, whether it applies to one is not known either.
    """
    order: tuple[ClauseName, ...] = ("spec", "partition", "path", *CLAUSES[CLAUSES.index("sequence") :])
    applies = None if delete.state == "unknown" else False
    decided_by = max(delete.ruled_out, key=order.index, default="live")
    return PairRow(*_delete(delete), None, None, applies, decided_by, delete.reason)


def _delete(delete: LiveDelete) -> tuple[str, int | None, ContentKind, int | None]:
    file = delete.file
    return file.file_path, file.content_offset, file.kind, file.data_sequence_number.value
