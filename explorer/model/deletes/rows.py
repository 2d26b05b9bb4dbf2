"""The pairs of a picture of deletes as rows, with the columns that are the contract of `deletes()`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..iceberg.delete_scope import CLAUSES, ClauseName
from .facts import Deletes, LiveDelete


def rows(deletes: Deletes, *, ruled_out: bool = False) -> Iterator[dict[str, Any]]:
    """One row per delete and data file that it applies to, or of which that cannot be told.

    A delete that reaches nothing has one row without data file. Of deletes whose pairs were only counted there are
    these alone: the others are in `queries.deletes.pairs.Sides.frame`.

    Args:
        deletes: of a snapshot.
        ruled_out: the other pairs too; they take the place of the row without data file.
    """
    numbers = {live.file.file_path: live.file.data_sequence_number.value for live in deletes.data_files}
    pairs_of: dict[Any, list[dict[str, Any]]] = {live.file.key: [] for live in deletes.deletes}
    by_key = {live.file.key: live for live in deletes.deletes}
    for pair in deletes.pairs:
        if ruled_out or pair.verdict.applies is not False:
            pairs_of[pair.delete].append(
                _row(by_key[pair.delete])
                | {
                    "data_path": pair.data_path,
                    "data_sequence_number": numbers[pair.data_path],
                    "applies": pair.verdict.applies,
                    "decided_by": pair.verdict.decided_by,
                    "reason": pair.verdict.reason,
                }
            )
    for key, found in pairs_of.items():
        yield from found or ([nothing_row(by_key[key])] if reaches_nothing(by_key[key]) else ())


def reaches_nothing(delete: LiveDelete) -> bool:
    """Whether it applies to no data file that is known."""
    return not delete.reached and not delete.unknown


def nothing_row(delete: LiveDelete) -> dict[str, Any]:
    """The row of a delete that reaches nothing, decided by the last clause that one of the data files came to.

    Where the data files are not all known, whether it applies to one is not known either.
    """
    order: tuple[ClauseName, ...] = ("spec", "partition", "path", *CLAUSES[CLAUSES.index("sequence") :])
    return _row(delete) | {
        "data_path": None,
        "data_sequence_number": None,
        "applies": None if delete.state == "unknown" else False,
        "decided_by": max(delete.ruled_out, key=order.index, default="live"),
        "reason": delete.reason,
    }


def _row(delete: LiveDelete) -> dict[str, Any]:
    return {
        "delete_path": delete.file.file_path,
        "content_offset": delete.file.content_offset,
        "delete_content": delete.file.kind,
        "delete_sequence_number": delete.file.data_sequence_number.value,
    }
