"""What a delete reaches, over columns of data files: for snapshots of so many that no pair of them is looked at.

Data files alike by place, data sequence number and deletion vectors are counted together. The rule is that of
`delete_scope`, but for statistics, which are not alike in any two files.

Sources: as of `delete_scope`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from ..arrays import NULL, Longs, distinct
from .delete_scope import ClauseName
from .inheritance import ContentKind
from .touched_files import newest_reached


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
        own, files, vectors = self.number[here], self.files[here], self.vectors[here]
        if not len(own):
            return None
        known = own != NULL
        unknown = ~known | (number == NULL)
        old = ~unknown & (own <= newest_reached(kind, number)) if number != NULL else np.zeros(len(own), dtype=bool)
        of_positions = kind == "position deletes"
        ignored = (old | unknown) & (vectors == 1) & of_positions
        refused = old & (vectors > 1) & of_positions
        return Met(
            met=int(files.sum()),
            oldest=min(own[known].tolist(), default=None),
            reached=int(files[old & ~ignored & ~refused].sum()),
            unknown=int(files[unknown & ~ignored].sum()),
            vectored=int(files[ignored].sum()),
            refused=int(files[refused].sum()),
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
    old_enough = None if NULL in (number, of_file) else of_file <= newest_reached(kind, number)
    if old_enough is False:
        return "sequence", False
    if kind == "position deletes" and vectors == 1:
        return "deletion vector", False
    if old_enough is None:
        return "sequence", None
    if not same_spec:
        return "spec", None
    if not same_partition:
        return "partition", None
    return ("deletion vector", None) if vectors > 1 else ("path", True)
