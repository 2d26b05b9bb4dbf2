"""Manifest lists as stored: from the bytes of an Avro file to rows. Those of one writer are read together.

Spark tasks get this module by value, as `avro` too. Source: Iceberg specification, "Manifest Lists".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ...model.iceberg.inheritance import ListedManifest
from .avro_fields import names_of, parsed
from .avro_file import AvroFile, NotReadable, in_pieces, read_successive
from .avro_schema import once_a_schema

if TYPE_CHECKING:
    import polars as pl

LIST = {
    "path": 500,
    "length": 501,
    "partition_spec_id": 502,
    "content": 517,
    "sequence_number": 515,
    "min_sequence_number": 516,
    "added_snapshot_id": 503,
    "added_files_count": 504,
    "existing_files_count": 505,
    "deleted_files_count": 506,
    "added_rows_count": 512,
    "existing_rows_count": 513,
    "deleted_rows_count": 514,
    "first_row_id": 520,
}
"""Columns of a manifest list with their field ids, in the order of `ListedManifest`; all but `path` are numbers."""
_values_of = attrgetter(*LIST)


def as_row(listed: ListedManifest) -> tuple[Any, ...]:
    """The values of a row of a manifest list, in the order of `LIST`."""
    values: tuple[Any, ...] = _values_of(listed)
    return values


class ManifestList:
    """The rows of a manifest list, by column: the lists of a history name most manifests again, so few become values.

    Attributes:
        own_paths: of its first manifests, in its order.
        rest: a list whose manifests follow these; None if there are no others.
    """

    def __init__(self, stored: _Stored, own: range, rest: ManifestList | None = None) -> None:
        self._stored, self._own, self.rest = stored, own, rest
        self.own_paths = stored.paths[own.start : own.stop]
        self._own_rows: list[ListedManifest] | None = None  # `cached_property` cannot be had by value

    @classmethod
    def of(cls, content: bytes, snapshot_id: int | None = None) -> ManifestList:
        """A list by the whole file.

        Args:
            content: the file.
            snapshot_id: whose list it shall be; None if that is not known.

        Raises:
            NotReadable: not Avro, cut short, not a manifest list, or by its own header that of another snapshot.
        """
        return cls._alone(_opened(content, snapshot_id))

    @classmethod
    def of_each(cls, contents: Sequence[tuple[bytes, int | None]]) -> list[ManifestList | NotReadable]:
        """The same of many, as `of` takes them."""
        found: dict[int, ManifestList | NotReadable] = {}
        alike = defaultdict[tuple[str, str], list[tuple[int, AvroFile]]](list)
        for index, (content, snapshot_id) in enumerate(contents):
            try:
                avro = _opened(content, snapshot_id)
            except NotReadable as error:
                found[index] = error
            else:
                alike[avro.codec, avro.schema_text].append((index, avro))
        for files in alike.values():
            found.update(in_pieces(files, lambda file: len(contents[file[0]][0]), cls._of_piece))
        return [found[index] for index in range(len(contents))]

    @classmethod
    def _of_piece(cls, piece: Sequence[tuple[int, AvroFile]]) -> Iterator[tuple[int, ManifestList | NotReadable]]:
        if (together := read_successive([avro for _, avro in piece])) is None:
            for index, avro in piece:
                try:
                    yield index, cls._alone(avro)
                except NotReadable as error:
                    yield index, error
            return
        rows, counts, repeats = together
        stored, start, found = _Stored(piece[0][1].schema_text, rows), 0, None
        for (index, _), count, repeated in zip(piece, counts, repeats, strict=True):
            found = cls(stored, range(start, start + count), found if repeated else None)
            yield index, found
            start += count

    @classmethod
    def _alone(cls, avro: AvroFile) -> ManifestList:
        stored = _Stored(avro.schema_text, avro.frame())
        return cls(stored, range(len(stored.paths)))

    def own_row(self, place: int) -> ListedManifest:
        """One of its first rows, as `own_paths` counts them."""
        return self._stored.row(self._own[place])

    def rows(self) -> list[ListedManifest]:
        """All of them, in its order."""
        found = list[ListedManifest]()
        one: ManifestList | None = self
        while one is not None:
            if one._own_rows is None:
                one._own_rows = list(map(one._stored.row, one._own))
            found += one._own_rows
            one = one.rest
        return found


class _Stored:
    """Rows of lists of one schema, as they were read.

    Attributes:
        paths: of all of them.
    """

    def __init__(self, schema_text: str, rows: pl.DataFrame) -> None:
        names, places = _list_names(schema_text), {name: place for place, name in enumerate(rows.columns)}
        self.paths: list[str] = rows.get_column(names["path"]).to_list()
        self._rows, self._places = rows, [places.get(names.get(column, "")) for column in LIST]

    def row(self, place: int) -> ListedManifest:
        stored = self._rows.row(place)
        values: list[Any] = [None if at is None else stored[at] for at in self._places]
        path, length, spec_id, content, *numbers = values
        # Version 1 lists have data manifests, and do not say so.
        return ListedManifest(path, length, spec_id or 0, content or 0, *numbers)


def _opened(content: bytes, snapshot_id: int | None) -> AvroFile:
    avro = AvroFile(content)
    own = avro.number("snapshot-id")  # not all writers say it
    if None not in (own, snapshot_id) and own != snapshot_id:
        raise NotReadable(f"It is the manifest list of another snapshot, {own}.")
    _list_names(avro.schema_text)
    return avro


@once_a_schema
def _list_names(schema_text: str) -> Mapping[str, str]:
    names = names_of(parsed(schema_text), LIST)
    if "path" not in names:
        raise NotReadable("It is an Avro file, but not a manifest list: it has no manifest_path.")
    return names
