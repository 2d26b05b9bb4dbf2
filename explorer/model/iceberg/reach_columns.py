"""What a delete reaches, over columns of data files: for snapshots of so many that no pair of them is looked at.

Data files alike by place, data sequence number and deletion vectors are counted together. Here it is only told which
kind of pair a delete and such files make; what becomes of it `delete_scope` says of one such pair. Statistics are left
out: they are not alike in any two files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cache

import numpy as np

from ..arrays import NULL, Longs, distinct
from .delete_scope import ClauseName, DataFile, DeleteFile, Scope, verdict
from .inheritance import ContentKind, Value
from .touched_files import newest_reached

_AGES = _OLD, _NEW, _UNKNOWN = range(3)  # of data beside a delete: old enough to be reached, too new, not known
_VECTORS = range(3)  # that name a data file; 2 stands for more too


@dataclass(frozen=True, slots=True)
class Met:
    """The data files that a delete meets by their place, whatever their path.

    Attributes:
        met: files; oldest: their smallest known data sequence number.
        reached: those that are old enough; unknown: those of which that cannot be told; without those that are
        vectored: ignored beside a deletion vector, and not too new.
        refused: old enough, but named by several deletion vectors, so that readers refuse them.
    """

    met: int
    oldest: int | None
    reached: int
    unknown: int
    vectored: int
    refused: int


@dataclass(frozen=True)
class DataByPlace:
    """Live data files counted by place, data sequence number and vectors: a row for each combination, in order.

    Attributes:
        place: a code for spec and partition.
        number: data sequence number; `NULL` if it is not known.
        vectors: how many deletion vectors name each file; 2 stands for more too.
        files: how many there are; records: rows in them, masked ones too.
    """

    place: Longs
    number: Longs
    vectors: Longs
    files: Longs
    records: Longs

    @classmethod
    def of(cls, place: Longs, number: Longs, vectors: Longs, files: Longs, records: Longs) -> DataByPlace:
        """Of files in any order, or of such rows."""
        found, group = distinct(place, number, np.minimum(vectors, 2))
        sums = np.zeros((2, len(found)), np.int64)
        for total, column in zip(sums, (files, records), strict=True):
            np.add.at(total, group, column)
        return cls(*found.T, *sums)

    @classmethod
    def together(cls, parts: Sequence[DataByPlace]) -> DataByPlace:
        """Of several parts, of which there is one at least."""
        if len(parts) == 1:
            return parts[0]
        columns = ([getattr(part, field.name) for part in parts] for field in fields(cls))
        return cls.of(*map(np.concatenate, columns))

    def met(self, kind: ContentKind, number: int, place: int | None) -> Met | None:
        """What a delete that names no file meets; None if it meets nothing.

        Args:
            kind: of the delete.
            number: its data sequence number; `NULL` if it is not known.
            place: where it lies; None if it is for every file.
        """
        here = slice(None) if place is None else slice(*np.searchsorted(self.place, (place, place + 1)))
        own, files = self.number[here], self.files[here]
        if not len(own):
            return None
        known = own != NULL
        age = np.full(len(own), _UNKNOWN)
        if number != NULL:
            age[known] = np.where(own[known] <= newest_reached(kind, number), _OLD, _NEW)
        per_case = np.bincount(age * len(_VECTORS) + self.vectors[here], files, len(_AGES) * len(_VECTORS))
        counts = Counter[tuple[ClauseName, bool | None]]()
        for case, count in enumerate(per_case.astype(np.int64).tolist()):
            counts[_decided(kind, "partition", *divmod(case, len(_VECTORS)))] += count
        return Met(
            met=int(files.sum()),
            oldest=min(own[known].tolist(), default=None),
            reached=counts["sequence", True],
            unknown=counts["sequence", None],
            vectored=counts["deletion vector", False],
            refused=counts["deletion vector", None],
        )


def of_named(
    kind: ContentKind, number: int, of_file: int, vectors: int, *, same_spec: bool, same_partition: bool
) -> tuple[ClauseName, bool | None]:
    """Which clause decides about the live data file that a vector or a position delete file names, and how.

    Args:
        kind: of the delete.
        number: its data sequence number; `NULL` if it is not known.
        of_file: that of the data file.
        vectors: how many deletion vectors name the data file.
        same_spec: whether they are of one spec.
        same_partition: whether they lie in one partition.
    """
    age = _UNKNOWN
    if NULL not in (number, of_file):
        age = _OLD if of_file <= newest_reached(kind, number) else _NEW
    return _decided(kind, "one file", age, min(vectors, 2), same_spec=same_spec, same_partition=same_partition)


@cache
def _decided(
    kind: ContentKind, scope: Scope, age: int, vectors: int, *, same_spec: bool = True, same_partition: bool = True
) -> tuple[ClauseName, bool | None]:
    """Which clause decides about such a pair, and how: what is said of one that is made up."""
    number = 2
    oldest_missed = newest_reached(kind, number) + 1
    of_data = {_OLD: oldest_missed - 1, _NEW: oldest_missed, _UNKNOWN: None}[age]
    data = DataFile("data", 0, "", 1, 1, Value(of_data, "stored"))
    place = (0 if same_spec else 1, "" if same_partition else "elsewhere")
    names = data.file_path if scope == "one file" else None
    delete = DeleteFile("delete", None, kind, *place, 1, 1, Value(number, "stored"), scope, names)
    naming = [replace(delete, file_path=str(n), kind="deletion vector") for n in range(vectors)]
    if kind == "deletion vector" and names is not None:
        naming[:1] = [delete]
    found = verdict(delete, data, vectors=naming)
    return found.decided_by, found.applies
