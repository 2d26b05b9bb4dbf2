"""The points that a comparison takes, by any name: an id, a branch, a tag, a time, or another table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from ..engine import answering
from ..errors import TableNotFound, UnknownSnapshot
from ..model.compare.facts import Named, Point
from ..model.iceberg.lineage import current_at
from ..model.iceberg.metadata import Snapshot, id_from_text
from ..model.search.moments import moment
from ..queries import identifiers
from ..queries.files import locate as find_table
from .readers.comparisons import Asked
from .version import TableVersion

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, eq=False)
class Standpoint:
    """A point of a table as it was read."""

    version: TableVersion
    point: Point

    @property
    def asked(self) -> Asked:
        """What queries need of it."""
        return Asked(self.version.readers.commits.source, self.point)


def standpoint(version: TableVersion, which: int | str | datetime) -> Standpoint:
    """A point of one table: a snapshot by id, branch or tag, or the one that was current on main at a time.

    Args:
        version: the table as it was read.
        which: a time is a `datetime`, or text as `2026-03-14 02:10:00`; UTC where it names no zone. Of a day, or a
            minute as `2026-03-14 02:10`, it is the end, as where a snapshot is searched for.

    Raises:
        UnknownSnapshot: none of that id or name, or main was nowhere at that time; says what there is.
    """
    if isinstance(which, datetime):
        return Standpoint(version, _at(version, which, which.isoformat(sep=" ")))
    asked = str(which).strip()
    ref = version.metadata.refs.get(asked)
    if ref is None and _DAY.match(asked):
        return Standpoint(version, _at_moment(version, asked))
    snapshot = version.snapshot(which)
    named: Named = ref.kind if ref is not None else "id"
    is_head = named == "branch" or snapshot.snapshot_id == version.metadata.current_snapshot_id
    return Standpoint(version, _point(version, asked, named, snapshot, is_head=is_head))


def current(version: TableVersion, asked: str) -> Standpoint:
    """The current snapshot of a table.

    Raises:
        UnknownSnapshot: it has none.
    """
    return Standpoint(version, _point(version, asked, "table", version.snapshot_or_current(None), is_head=True))


@dataclass(frozen=True, slots=True)
class OtherTable:
    """A table by its name or path, as SQL or `Table.open` take it."""

    beside: TableVersion
    name: str

    def open(self) -> Standpoint:
        """Its current snapshot, asked through the same session.

        Raises:
            UnknownSnapshot: there is no such table, nor a snapshot of that name, or the table has none.
        """
        spark = self.beside.spark
        try:
            with answering(spark):
                return current(TableVersion.read(spark, find_table.locate(spark, self.name)), self.name)
        except TableNotFound as error:
            raise UnknownSnapshot(
                f"{self.beside.name} has no snapshot {self.name}, and there is no table of that name.",
                found=" ".join(filter(None, (error.what, error.found))),
                next_step=error.next_step,
            ) from error


def other(version: TableVersion, which: int | str | datetime) -> Standpoint | OtherTable:
    """The same as `standpoint`; of a text that names no snapshot, and that may name a table, that table.

    Raises:
        UnknownSnapshot: as `standpoint`, where the text cannot be the name of a table.
    """
    asked = str(which).strip()
    is_point = isinstance(which, datetime) or asked in version.metadata.refs or id_from_text(asked) is not None
    if not is_point and not _DAY.match(asked) and (identifiers.is_path(asked) or "." in asked):
        return OtherTable(version, asked)
    return standpoint(version, which)


def _point(version: TableVersion, asked: str, named: Named, snapshot: Snapshot, *, is_head: bool) -> Point:
    metadata = version.metadata
    schema_id = metadata.current_schema_id if is_head or snapshot.schema_id is None else snapshot.schema_id
    return Point(version.name, asked, named, snapshot, schema_id, is_head)


def _at_moment(version: TableVersion, asked: str) -> Point:
    when = moment(asked)
    if when is None:
        raise UnknownSnapshot(
            f"{version.name} has no snapshot {asked}.",
            found="It looks like a time, and is none.",
            next_step="Write a time as 2026-03-14 02:10:00, in UTC or with its zone.",
        )
    _refuse_later(version, when.begin)
    return _at(version, min(when.end, version.read_at), asked)


def _refuse_later(version: TableVersion, at: datetime) -> None:
    """Nothing, if it is known where main was then."""
    if at > version.read_at:
        raise UnknownSnapshot(
            f"{version.name} has no snapshot that was current at {at:%Y-%m-%d %H:%M:%S} UTC.",
            found=f"That is after {version.read_at:%Y-%m-%d %H:%M:%S} UTC, when the metadata was read.",
            next_step="Name an earlier time, or main for the table as it is now.",
        )


def _at(version: TableVersion, at: datetime, asked: str) -> Point:
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    _refuse_later(version, at)
    metadata = version.metadata
    entry = current_at(metadata, at)
    snapshot = metadata.by_id.get(entry.snapshot_id) if entry is not None else None
    if entry is None or snapshot is None:
        log = metadata.snapshot_log
        since = (
            f"Its snapshot log begins at {log[0].made_current_at:%Y-%m-%d %H:%M:%S} UTC." if log else "It has no log."
        )
        gone = f"That was {entry.snapshot_id}, which has expired." if entry is not None else since
        raise UnknownSnapshot(
            f"{version.name} has no snapshot that was current at {at:%Y-%m-%d %H:%M:%S} UTC.",
            found=gone,
            next_step="Name a later time, or a snapshot that is listed." if metadata.snapshots else "",
        )
    schema_id = metadata.current_schema_id if snapshot.schema_id is None else snapshot.schema_id
    return Point(version.name, asked, "time", snapshot, schema_id, at=at, since=entry.made_current_at)
