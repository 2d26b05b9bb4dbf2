"""Which data files the deletes that a commit added or removed can reach: a superset, told without opening a data file.

Sources: Iceberg specification, "Scan Planning" (which deletes apply to a data file) and "Deletion Vectors"; of files
named by equal path bounds, the Java library's `ContentFileUtil.referencedDataFile`. The sequence numbers, which rule
out more files, are left to whoever reads the rows: a file too many changes no answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from .document import PartitionField, Specs
from .inheritance import ContentKind, StoredEntry

PATH_OF_POSITION_DELETE = 2147483546  # id of the reserved field `file_path`
_EQUALITY_DELETES = 2  # content of a file


@dataclass(frozen=True, slots=True)
class Reach:
    """Data files that deletes can apply to.

    Attributes:
        paths: files that a delete names.
        partitions: (spec id, partition as text) whose every file can be reached.
        everywhere: whether an equality delete of an unpartitioned spec reaches every file of every spec.
    """

    paths: frozenset[str] = frozenset()
    partitions: frozenset[tuple[int, str]] = frozenset()
    everywhere: bool = False

    def holds(self, file: StoredEntry) -> bool:
        """Whether a data file is among them."""
        return self.everywhere or file.file_path in self.paths or (file.spec_id, file.partition) in self.partitions


@dataclass(frozen=True, slots=True)
class TouchedFiles:
    """The data files whose rows a commit can have changed, with their statistics: one entry for each file.

    Attributes:
        removed: data files that the commit removed.
        added: data files that it added.
        kept: data files live before and after that a delete of the commit can reach; some may be reached
            by none. Those in `again` too.
        deletes_added: delete files and deletion vectors that the commit added; deletes_removed: that it removed.
        again: paths of the files that the commit removed and added again, with whatever rows.
        listed_too: paths of removed and added files that other entries, which the commit left alone, list as well:
            readers give their rows before and after.
        complete: False if there are more files than were asked for at most: then any file may be touched.
    """

    removed: tuple[StoredEntry, ...]
    added: tuple[StoredEntry, ...]
    kept: tuple[StoredEntry, ...]
    deletes_added: tuple[StoredEntry, ...]
    deletes_removed: tuple[StoredEntry, ...]
    again: frozenset[str] = frozenset()
    listed_too: frozenset[str] = frozenset()
    complete: bool = True

    @property
    def masks(self) -> bool:
        """Whether rows of kept files can be gone."""
        return bool(self.deletes_added or self.again)

    @property
    def unmasks(self) -> bool:
        """Whether rows of kept files can be new. Beside a deletion vector, position delete files count for nothing."""
        vectors = any(entry.file_format.upper() == "PUFFIN" for entry in self.deletes_added)
        return vectors or bool(self.deletes_removed or self.again)


@dataclass(frozen=True, slots=True)
class Cost:
    """What must be read to tell the rows in touched files; each file is counted once, as it is read.

    Attributes:
        files: data files. size_in_bytes: of them; columns that are not read and row groups that are skipped count too.
        rows: stored in them.
        at_least: whether there are more, since not all touched files are listed.
    """

    files: int
    size_in_bytes: int
    rows: int
    at_least: bool


def cost(touched: TouchedFiles) -> Cost:
    """The cost of reading, told from metadata alone."""
    files = [*touched.removed, *touched.added, *touched.kept]
    return Cost(
        len(files),
        sum(f.file_size_in_bytes for f in files),
        sum(f.record_count for f in files),
        not touched.complete,
    )


def reach(deletes: Iterable[StoredEntry], specs: Specs) -> Reach:
    """What delete files can reach.

    Args:
        deletes: entries with content 1 or 2, and their statistics.
        specs: partition fields by spec id, from the table's metadata.
    """
    places = {place_of(delete, specs) for delete in deletes}
    return Reach(
        paths=frozenset(place for place in places if isinstance(place, str)),
        partitions=frozenset(place for place in places if isinstance(place, tuple)),
        everywhere=None in places,
    )


Place = str | tuple[int, str] | None
"""What a delete is compared with: the one data file that it names, by path; the files of a spec and partition; or None,
every file of every spec."""


def place_of(delete: StoredEntry, specs: Specs) -> Place:
    """Where the data files lie that a delete can apply to, whatever their age."""
    path = referenced_data_file(delete)
    if path is not None:
        return path
    if delete.content == _EQUALITY_DELETES and is_unpartitioned(specs.get(delete.spec_id, ())):
        return None
    return delete.spec_id, delete.partition


def places_of(file: StoredEntry) -> tuple[Place, ...]:
    """The places of the deletes that can apply to a data file."""
    return file.file_path, (file.spec_id, file.partition), None


def newest_reached(kind: ContentKind, sequence_number: int) -> int:
    """The largest data sequence number of data that a delete of this kind and number applies to.

    An equality delete applies to strictly older data, a position delete to data of its own commit too. The format wants
    the number in every entry that does not inherit it, and Iceberg's own reader fails on one without: whoever tells
    rows takes a delete for one that applies where either number is not known.
    """
    return sequence_number - (kind == "equality deletes")


def referenced_data_file(delete: StoredEntry) -> str | None:
    """The one data file that a position delete file or deletion vector is for; None if it may be for several."""
    if delete.content != 1:
        return None
    if delete.referenced_data_file is not None:
        return delete.referenced_data_file
    lower = delete.statistics.lower_bounds.get(PATH_OF_POSITION_DELETE)
    upper = delete.statistics.upper_bounds.get(PATH_OF_POSITION_DELETE)
    return bytes(lower).decode() if lower is not None and lower == upper else None


def is_unpartitioned(spec: Sequence[PartitionField]) -> bool:
    """No field, or none that is not `void`; source: the Java library's `PartitionSpec.isUnpartitioned`."""
    return all(field.get("transform") == "void" for field in spec)


def deletes_of(deletes: Iterable[StoredEntry], specs: Specs) -> Callable[[StoredEntry], Sequence[StoredEntry]]:
    """A function from the entry of a data file to those of these deletes that are in its scope.

    Sequence numbers are not looked at: a delete of a commit is younger than the files that the commit kept.
    """
    by_place: dict[Place, list[StoredEntry]] = defaultdict(list)
    for delete in deletes:
        by_place[place_of(delete, specs)].append(delete)
    return lambda file: [delete for place in places_of(file) for delete in by_place.get(place, ())]
