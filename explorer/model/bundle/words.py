"""What a bundle says of itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .. import formats
from ..evidence import Note
from .facts import Contents

NO_DATA = "Data files and the contents of delete files are not in it."
_WITH_BOUNDS = "Manifests hold the lowest and highest values of columns in each file."
_WITHOUT_BOUNDS = (
    "The lowest and highest values of columns were taken out of the manifests; those of a position delete file's paths"
    " and positions, which are no values of rows, are left."
)
_PARTITIONS = (
    "Partition values are values of rows too, and they are in it: in manifests, in manifest lists, and in the paths of"
    " files that are named after them."
)
_AS_STORED = (
    "Properties of the table and of its commits are in it as they are stored, but for what looks like a credential:"
    " names of columns, users and machines may be among them."
)
_NO_FOOTERS = (
    "Footers of partition statistics files are left out: those of Parquet hold lowest and highest values of their own."
)

MASKED = "{what} looks like a credential, and is masked."
NO_KEYS = "Encryption keys of files (key_metadata) were taken out."
NO_BOUNDS = "Lowest and highest values were taken out."
NEW_LENGTHS = "The lengths of manifests are those of the bundle."


def of_bundle(*, without_bounds: bool, leaves_out_footers: bool) -> tuple[str, ...]:
    """What is left out of a bundle, and which values are in it all the same."""
    sentences = [NO_DATA, _WITHOUT_BOUNDS if without_bounds else _WITH_BOUNDS, _PARTITIONS, _AS_STORED]
    return (*sentences, _NO_FOOTERS) if leaves_out_footers else tuple(sentences)


def note(contents: Contents) -> Note:
    """What every picture of a bundle says first."""
    return Note(
        "exact",
        f"From a bundle of {contents.table}",
        " ".join((f"It was made at {formats.instant(contents.made_at)}. {NO_DATA}", *contents.changes)),
    )


def in_short(contents: Contents) -> Iterator[str]:
    """What is in a bundle and what is not, line by line, for whoever has just made one."""
    members = [
        formats.count(contents.number_of("metadata file"), "metadata file"),
        formats.count(contents.number_of("manifest list"), "manifest list"),
        formats.count(contents.number_of("manifest"), "manifest"),
        formats.count(contents.number_of("footer"), "footer") + " of statistics files",
    ]
    yield f"{', '.join(members)}; {formats.size(sum(member.size_in_bytes for member in contents.members))}"
    yield from contents.words
    yield from contents.changes
    yield from _not_read(contents)


def _not_read(contents: Contents, most: int = 5) -> Iterable[str]:
    told = contents.unreadable
    if told:
        yield f"{formats.count(len(told), 'file')} could not be read, and will be shown so:"
    yield from (f"  {unreadable.path}: {unreadable.reason}" for unreadable in told[:most])
    if len(told) > most:
        yield f"  and {len(told) - most:,} more, which bundle.json names"
