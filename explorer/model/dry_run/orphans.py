"""`remove_orphan_files`: the files below a location that no listed snapshot names, and that are old enough.

Named are live files of every manifest of every listed snapshot, these manifests, their lists, the metadata file with
those of its log, the version hint, and statistics files. Paths are compared; that the same path stands under another
scheme or host stops the procedure. Folders and files whose names begin with `_` or `.` are passed over, unless it is
the folder of a partition field.

Source: Spark's `DeleteOrphanFilesSparkAction` and `RemoveOrphanFilesProcedure` (1.12).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from .. import formats
from ..evidence import Note
from ..iceberg.metadata import TableMetadata
from .facts import Call, DryRun, Effect

DEFAULT_AGE = timedelta(days=3)
_LEAST_AGE = timedelta(days=1)
_URI = re.compile(r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):)?(?://(?P<host>[^/]*))?(?P<path>.*)", re.DOTALL)
_EQUAL_SCHEMES = {"s3n": "s3", "s3a": "s3"}
_DANGER = (
    "Files are deleted for good: also those of another table in the same folder, those of a writer that has not"
    " committed yet, and metadata files that fell off the log. Look through the list before."
)
_UNDO = "Nothing brings the files back but a backup, or earlier versions that a bucket keeps."


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that lies there; `modified_at` is UTC."""

    path: str
    size_in_bytes: int
    modified_at: datetime


@dataclass(frozen=True, slots=True)
class Listing:
    """What lies below a location, and what the table names.

    Attributes:
        files: that are not hidden.
        named: locations that the table names, wherever they lie.
        unreadable: lists and manifests that cannot be read, with the reason: what they name is missing in `named`.
        lacks_empty: whether empty files cannot be seen.
    """

    files: Sequence[StoredFile]
    named: Iterable[str]
    unreadable: Mapping[str, str]
    lacks_empty: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """What is given to `remove_orphan_files`; None for what is left to Iceberg."""

    older_than: datetime | None = None
    location: str | None = None

    @property
    def call(self) -> Call:
        """The call with what is given."""
        return Call.of("remove_orphan_files", older_than=self.older_than, location=self.location)


class Place(NamedTuple):
    """A location in its parts, with schemes that mean the same made one."""

    scheme: str
    host: str
    path: str


def place(location: str) -> Place:
    """The parts of a location."""
    found = _URI.fullmatch(location)
    if found is None:
        return Place("", "", location)
    scheme = (found["scheme"] or "").lower()
    return Place(_EQUAL_SCHEMES.get(scheme, scheme), found["host"] or "", re.sub("/+", "/", found["path"]))


def refusal(metadata: TableMetadata, asked: Asked, now: datetime) -> str:
    """The words in which Iceberg would refuse before it lists anything; empty if it would not."""
    if metadata.properties.get("gc.enabled", "true").strip().lower() != "true":
        return "Cannot delete orphan files: GC is disabled (deleting files may corrupt other tables)"
    if asked.older_than is not None and now - asked.older_than < _LEAST_AGE:
        return "Cannot remove orphan files with an interval less than 24 hours."
    return ""


def remove(asked: Asked, listing: Listing, at: datetime) -> DryRun:
    """What would be removed.

    Args:
        asked: the arguments.
        listing: what lies there and what is named.
        at: now.
    """
    cut_off = at - DEFAULT_AGE if asked.older_than is None else asked.older_than
    named: dict[str, set[tuple[str, str]]] = {}
    for location in listing.named:
        of = place(location)
        named.setdefault(of.path, set()).add((of.scheme, of.host))
    effects: list[Effect] = []
    conflicts: set[str] = set()
    known = 0
    for file in listing.files:
        of = place(file.path)
        if of.path in named:
            known += 1
            conflicts |= set(_conflicts(of, named[of.path]))
        elif file.modified_at < cut_off:
            why = f"nothing names it; written {formats.instant(file.modified_at)}"
            effects.append(_file("removed", file, why))
        else:
            why = f"nothing names it, but it was written {formats.instant(file.modified_at)}, after the cut-off"
            effects.append(_file("kept", file, why))
    if conflicts:
        why = f"Unable to determine whether certain files are orphan. {', '.join(sorted(conflicts))}"
        return DryRun(asked.call, at, refusal=why)
    return DryRun(
        asked.call,
        at,
        effects=tuple(sorted(effects, key=lambda e: (e.what != "removed", -(e.size_in_bytes or 0), e.file_path or ""))),
        consequences=tuple(_consequences(known, cut_off)),
        danger=_DANGER,
        undo_words=_UNDO,
        notes=tuple(_notes(listing)),
    )


def _conflicts(found: Place, named: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Schemes and hosts under which the table names a file otherwise than it was found; without one any will do."""
    for scheme, host in named:
        if scheme and scheme != found.scheme:
            yield f"scheme {scheme} in the metadata, {found.scheme or 'none'} where it lies"
        if host and host.lower() != found.host.lower():
            yield f"authority {host} in the metadata, {found.host or 'none'} where it lies"


def _file(what: str, file: StoredFile, why: str) -> Effect:
    return Effect(what, "file", why, file_path=file.path, size_in_bytes=file.size_in_bytes)  # type: ignore[arg-type]


def _consequences(known: int, cut_off: datetime) -> Iterator[str]:
    yield f"{formats.count(known, 'file')} there {'is' if known == 1 else 'are'} named by the table, and stay."
    yield f"The cut-off is {formats.instant(cut_off)}: a commit that began before and is not made yet loses its files."


def _notes(listing: Listing) -> Iterator[Note]:
    if listing.unreadable:
        told = " ".join(f"{path}: {reason}" for path, reason in listing.unreadable.items())
        yield Note("unknown", "what cannot be read names", f"{told} The procedure would fail.")
    if listing.lacks_empty:
        yield Note(
            "unknown", "empty files", "Spark does not list them for a reader, and the procedure removes them too."
        )
    if not listing.unreadable:
        yield Note("exact", "what is named", "Every manifest of every listed snapshot, the log of metadata files.")


def is_hidden(name: str, partition_fields: Iterable[str]) -> bool:
    """Whether a file or folder of this name is passed over."""
    if not name.startswith(("_", ".")):
        return False
    return not any(name.startswith(f"{field}=") for field in partition_fields if field.startswith(("_", ".")))
