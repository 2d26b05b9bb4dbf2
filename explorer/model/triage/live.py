"""Live data files of the head with their statistics, as columns: of many files none costs a Python object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .. import formats
from ..arrays import NULL, Flags, Longs, codes, numbers

Statistic = Literal["value_counts", "null_value_counts", "nan_value_counts", "lower_bounds", "upper_bounds"]


@dataclass(frozen=True, slots=True)
class LiveFile:
    """A live data file that is told of.

    Attributes:
        first_row_id: as a reader sees it; None where there is none.
        added_by: id of the commit that added it; None if it is not known.
    """

    path: str
    partition: str
    record_count: int
    first_row_id: int | None
    added_by: int | None


class LiveFiles:
    """Live data files of the head with their statistics. A file is a number; each array has one item a file.

    Args:
        entries: of live data files, all of them or those of the newest manifests; columns as of
            `queries.files.manifests.entries` with statistics.
        data_files: how many live data files there are.
    """

    def __init__(self, entries: pa.Table, data_files: int) -> None:
        self._entries, self.data_files = entries, data_files
        self._statistics: dict[str, tuple[Longs, Longs, pa.Array]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def is_whole(self) -> bool:
        """Whether all of them are at hand."""
        return len(self) >= self.data_files

    @property
    def looked_at(self) -> str:
        """`214 live data files`, `the newest 5,000 of 90,000 live data files`."""
        if self.is_whole:
            return formats.count(len(self), "live data file")
        return f"the newest {len(self):,} of {formats.count(self.data_files, 'live data file')}"

    @property
    def paths(self) -> pa.ChunkedArray:
        """Where each lies."""
        return self._entries["file_path"]

    @cached_property
    def records(self) -> Longs:
        """Rows."""
        return numbers(self._entries["record_count"])

    @cached_property
    def sizes(self) -> Longs:
        """Bytes."""
        return numbers(self._entries["file_size_in_bytes"])

    @cached_property
    def are_avro(self) -> Flags:
        """Whether it is an Avro file, of which Iceberg's writers keep no bounds whatever the table asks for."""
        return np.asarray(pc.equal(pc.utf8_upper(self._entries["file_format"]), "AVRO"), dtype=bool)

    @cached_property
    def spec_ids(self) -> Longs:
        """Ids of partition specs."""
        return numbers(self._entries["spec_id"])

    @cached_property
    def sort_order_ids(self) -> Longs:
        """`NULL` where none is stored."""
        return numbers(self._entries["sort_order_id"])

    @cached_property
    def partitions(self) -> tuple[Longs, list[str]]:
        """Each file's partition as an index into the distinct ones, and these: `region=EU`."""
        code, names = codes(self._entries["partition"])
        return code, names.to_pylist()

    @cached_property
    def added_by(self) -> Longs:
        """Ids of the commits that added them; `NULL` where not known."""
        return numbers(self._entries["snapshot_id"])

    @cached_property
    def first_row_ids(self) -> Longs:
        """As a reader sees them; `NULL` where there is none."""
        return numbers(self._entries["first_row_id"])

    # statistics -------------------------------------------------------------------------------------------------------

    def _pairs(self, name: Statistic) -> tuple[Longs, Longs, pa.Array]:
        """Of each value of a statistic the field id, the file, and the value; by field id, then in order of files."""
        if name not in self._statistics:
            column = self._entries[name].combine_chunks()
            pairs = column.cast(pa.list_(pa.struct([("key", pa.int32()), ("value", column.type.item_type)])))
            owner = np.asarray(pc.list_parent_indices(pairs), dtype=np.int64)
            keys, values = pc.list_flatten(pairs).flatten()
            by = np.argsort(np.asarray(keys), kind="stable")
            self._statistics[name] = np.asarray(keys, dtype=np.int64)[by], owner[by], values.take(pa.array(by))
        return self._statistics[name]

    def _of(self, name: Statistic, field_id: int) -> tuple[Longs, pa.Array]:
        """The files that have a statistic of one column, and its values, in the order of the files."""
        keys, owner, values = self._pairs(name)
        first, end = np.searchsorted(keys, [field_id, field_id + 1]).tolist()
        return owner[first:end], values[first:end]

    def has(self, name: Statistic, field_id: int) -> Flags:
        """Whether it has the statistic of a column."""
        found = np.zeros(len(self), dtype=bool)
        found[self._of(name, field_id)[0]] = True
        return found

    def has_any(self, name: Statistic) -> Flags:
        """Whether it has the statistic of any column."""
        found = np.zeros(len(self), dtype=bool)
        found[self._pairs(name)[1]] = True
        return found

    def counts(self, name: Statistic, field_id: int) -> Longs:
        """A count of one column; `NULL` where there is none."""
        found = np.full(len(self), NULL)
        at, values = self._of(name, field_id)
        found[at] = numbers(values)
        return found

    def whole_bounds(self, field_id: int) -> tuple[Longs, Longs, Longs]:
        """The files with both bounds of a column of whole numbers, dates or times, and these bounds.

        A column that was an int has bounds of four bytes in files from before it became a long.
        """
        (at, lower), (there, upper) = (self._of(name, field_id) for name in ("lower_bounds", "upper_bounds"))
        both, low, high = np.intersect1d(at, there, assume_unique=True, return_indices=True)
        lowest, highest = _whole(lower)[low], _whole(upper)[high]
        readable = (lowest != NULL) & (highest != NULL)
        return both[readable], lowest[readable], highest[readable]

    @cached_property
    def bounds(self) -> Mapping[str, tuple[bytes, ...]]:
        """By path all lower and upper bounds as stored, in the order of their columns; without files that have none."""
        found: dict[int, list[bytes]] = {}
        for keys, owner, values in (self._pairs("lower_bounds"), self._pairs("upper_bounds")):
            for key, file, value in zip(keys.tolist(), owner.tolist(), values.to_pylist(), strict=True):
                found.setdefault(file, []).append(b"%d:" % key + value)
        paths = self.paths.to_pylist()
        return {paths[file]: tuple(values) for file, values in found.items()}

    # files ------------------------------------------------------------------------------------------------------------

    def files(self, at: Longs) -> tuple[LiveFile, ...]:
        """Some of them."""
        code, names = self.partitions
        return tuple(
            LiveFile(path, names[of], records, None if first == NULL else first, None if by == NULL else by)
            for path, of, records, first, by in zip(
                self.paths.take(pa.array(at)).to_pylist(),
                code[at].tolist(),
                self.records[at].tolist(),
                self.first_row_ids[at].tolist(),
                self.added_by[at].tolist(),
                strict=True,
            )
        )

    def commits(self, at: Longs) -> tuple[int, ...]:
        """Ids of the commits that added some of them, each once, without those that are not known."""
        ids = self.added_by[at]
        return tuple(i for i in dict.fromkeys(ids.tolist()) if i != NULL)


def _whole(bounds: pa.Array) -> Longs:
    """Bounds of whole numbers, `NULL` of those that are none; source: specification, Appendix D."""
    length = np.asarray(pc.binary_length(bounds))
    found = np.full(len(bounds), NULL)
    for width in ("<i4", "<i8"):
        chosen = length == int(width[-1])
        found[chosen] = np.frombuffer(b"".join(bounds.filter(pa.array(chosen)).to_pylist()), width)
    return found
