"""Manifest lists as stored: from the bytes of an Avro file to rows.

Spark tasks get this module by value, as `avro` too. Source: Iceberg specification, "Manifest Lists".
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from ...model.iceberg.inheritance import ListedManifest
from .avro_fields import names_of, parsed
from .avro_file import AvroFile, NotReadable, once_a_schema

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

    Args:
        content: the whole file.
        snapshot_id: whose list it shall be; None if that is not known.

    Attributes:
        paths: of its manifests, in its order.

    Raises:
        NotReadable: not Avro, cut short, not a manifest list, or by its own header that of another snapshot.
    """

    def __init__(self, content: bytes, snapshot_id: int | None = None) -> None:
        avro = AvroFile(content)
        own = avro.number("snapshot-id")  # not all writers say it
        if None not in (own, snapshot_id) and own != snapshot_id:
            raise NotReadable(f"It is the manifest list of another snapshot, {own}.")
        names, self._frame = _list_names(avro.schema_text), avro.frame()
        self.paths: list[str] = self._frame.get_column(names["path"]).to_list()
        places = {name: place for place, name in enumerate(self._frame.columns)}
        self._places = [places.get(names.get(column, "")) for column in LIST]

    def row(self, place: int) -> ListedManifest:
        """One of its rows."""
        return self._listed(self._frame.row(place))

    def rows(self) -> list[ListedManifest]:
        """All of them, in its order."""
        return [self._listed(stored) for stored in self._frame.iter_rows()]

    def _listed(self, stored: tuple[Any, ...]) -> ListedManifest:
        values: list[Any] = [None if at is None else stored[at] for at in self._places]
        path, length, spec_id, content, *numbers = values
        # Version 1 lists have data manifests, and do not say so.
        return ListedManifest(path, length, spec_id or 0, content or 0, *numbers)


@once_a_schema
def _list_names(schema_text: str) -> Mapping[str, str]:
    names = names_of(parsed(schema_text), LIST)
    if "path" not in names:
        raise NotReadable("It is an Avro file, but not a manifest list: it has no manifest_path.")
    return names
