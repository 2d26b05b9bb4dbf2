"""Manifests opened and read: their entries as polars has them, in columns of our names.

Those of one writer are read together, as if they were one file. Spark tasks get this module by value, as `avro` too.

Source: Iceberg specification, "Manifests".
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from ...model.iceberg.document import Specs
from ...model.iceberg.inheritance import ListedManifest
from .avro_fields import field_of, names_of, parsed
from .avro_file import AvroFile, NotReadable, in_pieces, read_together
from .avro_schema import once_a_schema

if TYPE_CHECKING:
    import polars as pl

DATA_FILE_ID = 2
# Ids of fields of an entry, of its data file, and of the statistics there.
ENTRY_FIELDS = {"status": 0, "stored_snapshot_id": 1, "stored_sequence_number": 3, "stored_file_sequence_number": 4}
FILE_FIELDS = {
    "content": 134,
    "file_path": 100,
    "file_format": 101,
    "partition": 102,
    "record_count": 103,
    "file_size_in_bytes": 104,
    "equality_ids": 135,
    "referenced_data_file": 143,
    "content_offset": 144,
    "content_size_in_bytes": 145,
    "stored_first_row_id": 142,
    "sort_order_id": 140,
}
STATISTICS_FIELDS = {
    "value_counts": 109,
    "null_value_counts": 110,
    "nan_value_counts": 137,
    "lower_bounds": 125,
    "upper_bounds": 128,
}


@dataclass(frozen=True)  # without slots, whose values Spark 3.5 loses on the way to a task
class Layout:
    """What a manifest's writer calls the columns of an entry and of its data file, and the field that holds that."""

    names: Mapping[str, str]
    file_names: Mapping[str, str]
    data_file: str

    def columns(self, records: pl.DataFrame, statistics: bool) -> pl.DataFrame:
        """Entries by our columns, as far as they have them, and `partition` as a tuple."""
        import polars as pl

        file = records.get_column(self.data_file).struct.unnest()
        of_entry = {column: records.get_column(name) for column, name in self.names.items()}
        of_file = {
            column: file.get_column(name)
            for column, name in self.file_names.items()
            if statistics or column not in STATISTICS_FIELDS
        }
        return pl.DataFrame(of_entry | of_file)


@dataclass(frozen=True)
class Manifest:
    """One manifest, opened. Entries of manifests that are `alike` can be put together; size in bytes."""

    index: int
    listed: ListedManifest
    size: int
    avro: AvroFile
    layout: Layout
    alike: tuple[str, ...]
    spec_id: int

    @classmethod
    def of(cls, index: int, listed: ListedManifest, content: bytes, specs: Specs) -> Manifest:
        """A manifest by its row of a list and the whole file.

        Raises:
            NotReadable: it is none.
        """
        avro = AvroFile(content)
        layout = _layout(avro.schema_text)
        spec_id = avro.number("partition-spec-id") or 0
        if listed.partition_spec_id is not None:
            spec_id = listed.partition_spec_id
        alike = avro.schema_text, avro.text("partition-spec") or "[]", json.dumps(specs.get(spec_id, ()))
        return cls(index, listed, len(content), avro, layout, alike, spec_id)

    def check_complete(self, entries: int) -> None:
        """A file cut between two blocks is valid Avro. Its length alone proves nothing: some writers list a wrong one.

        Raises:
            NotReadable: it is one.
        """
        added, existing, deleted = (
            self.listed.added_files_count,
            self.listed.existing_files_count,
            self.listed.deleted_files_count,
        )
        if added is None or existing is None or deleted is None or not self.listed.length:
            return
        counted = added + existing + deleted
        if self.size < self.listed.length and entries < counted:
            raise NotReadable(f"It is cut short: {entries:,} of the {counted:,} entries that the list counts.")


@dataclass(frozen=True)
class Group:
    """Manifests that are alike, how many entries each has, and these, in that order."""

    manifests: Sequence[Manifest]
    counts: Sequence[int]
    entries: pl.DataFrame

    def one_by_one(self) -> Iterator[Group]:
        """The same of each manifest."""
        start = 0
        for manifest, count in zip(self.manifests, self.counts, strict=True):
            yield Group([manifest], [count], self.entries.slice(start, count))
            start += count


def opened(
    manifests: Iterable[tuple[ListedManifest, bytes]], specs: Specs, unreadable: dict[int, str]
) -> Iterable[list[Manifest]]:
    """Manifests by what makes them alike; those that are none are added to `unreadable`."""
    alike = defaultdict[tuple[str, ...], list[Manifest]](list)
    for index, (listed, content) in enumerate(manifests):
        try:
            manifest = Manifest.of(index, listed, content, specs)
        except NotReadable as error:
            unreadable[index] = str(error)
        else:
            alike[manifest.avro.codec, *manifest.alike].append(manifest)
    return alike.values()


def read(alike: Sequence[Manifest], statistics: bool, unreadable: dict[int, str]) -> list[Group]:
    """Manifests that are alike, with their entries; those that cannot be read are added to `unreadable`."""
    found = in_pieces(alike, attrgetter("size"), partial(_read_piece, statistics=statistics))
    unreadable.update(one for one in found if not isinstance(one, Group))
    return [one for one in found if isinstance(one, Group)]


def _read_piece(piece: Sequence[Manifest], *, statistics: bool) -> list[Group | tuple[int, str]]:
    """Manifests with their entries; of one that cannot be read its index, and why."""
    with suppress(NotReadable):
        if (found := read_together([manifest.avro for manifest in piece])) is not None:
            records, counts = found
            for manifest, count in zip(piece, counts, strict=True):
                manifest.check_complete(count)
            return [Group(piece, counts, piece[0].layout.columns(records, statistics))]
    return [_read_alone(manifest, statistics) for manifest in piece]


def _read_alone(manifest: Manifest, statistics: bool) -> Group | tuple[int, str]:
    try:
        records = manifest.avro.frame()
        manifest.check_complete(len(records))
    except NotReadable as error:
        return manifest.index, str(error)
    return Group([manifest], [len(records)], manifest.layout.columns(records, statistics))


@once_a_schema
def _layout(schema_text: str) -> Layout:
    schema = parsed(schema_text)
    names, data_file = names_of(schema, ENTRY_FIELDS), field_of(schema, "data_file", DATA_FILE_ID)
    if "status" not in names or data_file is None:
        raise NotReadable("It is an Avro file, but not a manifest: it has no status or no data_file.")
    file_names = names_of(data_file["type"], FILE_FIELDS | STATISTICS_FIELDS)
    absent = [c for c in ("file_path", "file_format", "record_count", "file_size_in_bytes") if c not in file_names]
    if absent:
        raise NotReadable(f"It is not a manifest: its files have no {' and no '.join(absent)}.")
    return Layout(names, file_names, data_file["name"])
