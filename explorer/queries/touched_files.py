"""The data files whose rows a commit can have changed, with their statistics: read from manifests, not from data.

They are the files that it removed and added, and the kept ones that a delete which it added or removed can reach.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ..errors import UnreadableMetadata
from . import stored_manifests
from .commit import ENTRIES_IN_PYTHON, StoredCommit
from .manifest_avro import Row, Specs
from .storage import Hole

_ADDED, _DELETED = 1, 2

Decoded = MutableMapping[str, list[Row]]
"""Entries with statistics by location of their manifest. A manifest never changes, so one such mapping may serve any
number of questions of one table: each manifest is then opened once."""


class Reach(Protocol):
    """What `model.touched_files.reach` answers."""

    @property
    def paths(self) -> Collection[str]:
        """Files that a delete names."""

    @property
    def partitions(self) -> Collection[tuple[int, str]]:
        """Spec id and partition of which every file can be reached."""

    @property
    def everywhere(self) -> bool:
        """Whether every file can be reached."""


@dataclass(frozen=True, slots=True)
class TouchedFiles:
    """Rows of `stored_manifests.entries` with statistics, one for each file.

    Attributes:
        removed: data files that the commit removed.
        added: data files that it added.
        kept: data files live before and after that a delete of the commit can reach; some may be reached
            by none. Those in `again` too.
        deletes_added: delete files and deletion vectors that the commit added; deletes_removed: that it removed.
        again: paths of the files that the commit removed and added again, with whatever rows.
        complete: False if there are more files than were asked for at most, or the manifests do not tell them all:
            then no file outside these lists is known to be untouched.
    """

    removed: tuple[Row, ...]
    added: tuple[Row, ...]
    kept: tuple[Row, ...]
    deletes_added: tuple[Row, ...]
    deletes_removed: tuple[Row, ...]
    again: frozenset[str] = frozenset()
    complete: bool = True

    @property
    def masks(self) -> bool:
        """Whether rows of kept files can be gone."""
        return bool(self.deletes_added or self.again)

    @property
    def unmasks(self) -> bool:
        """Whether rows of kept files can be new. Beside a deletion vector, position delete files count for nothing."""
        vectors = any(row["file_format"].upper() == "PUFFIN" for row in self.deletes_added)
        return vectors or bool(self.deletes_removed or self.again)


def read(
    spark: SparkSession,
    stored: StoredCommit,
    snapshot_id: int,
    specs: Specs,
    options: Mapping[str, str],
    *,
    reach: Callable[[Sequence[Row], Specs], Reach],
    trusted: bool = True,
    most: int = ENTRIES_IN_PYTHON,
    small_in_bytes: int = stored_manifests.SMALL_IN_BYTES,
    decoded: Decoded | None = None,
) -> TouchedFiles:
    """The touched files of one commit.

    Args:
        spark: the session to ask.
        stored: of `commit.read`.
        snapshot_id: the commit.
        specs: partition fields by spec id, from the table's metadata.
        options: of `storage.read_options`.
        reach: `model.touched_files.reach`.
        trusted: False if the metadata contradicts itself about this commit's files: then `complete` is False.
        most: files brought to Python of each kind.
        small_in_bytes: manifests larger than this together are decoded in Spark tasks.
        decoded: keep one mapping for all commits of a table to open each small manifest once.

    Raises:
        UnreadableMetadata: the manifest list, or a manifest of the commit, cannot be read.

    Cost: the manifests that the commit added. If it added or removed deletes, also the data manifests of its list, to
    find the kept files.
    """
    if stored.listed is None or stored.holes:
        raise _unreadable(stored.holes)
    opened, decoded = set(stored.opened), {} if decoded is None else decoded
    own = [m for m in stored.listed if m["path"] in opened]
    changed = F.coalesce("stored_snapshot_id", F.lit(snapshot_id)) == F.lit(snapshot_id)
    rows, complete = _entries(
        spark, own, specs, options, decoded, (small_in_bytes, most), lambda f: f.where((F.col("status") > 0) & changed)
    )
    rows = [row for row in rows if row["status"] > 0 and row["stored_snapshot_id"] in (None, snapshot_id)]
    data = {
        kind: {r["file_path"]: r for r in rows if r["content"] == 0 and r["status"] == kind}
        for kind in (_ADDED, _DELETED)
    }
    added, removed = data[_ADDED], data[_DELETED]
    deletes = [row for row in rows if row["content"] != 0]
    again = frozenset(added.keys() & removed.keys())
    kept = {path: added[path] for path in again}
    if deletes:
        reached = reach(deletes, specs)
        live, all_of_them = _entries(
            spark,
            [m for m in stored.listed if m["content"] == 0],
            specs,
            options,
            decoded,
            (small_in_bytes, most),
            lambda f: _reached(spark, f.where(F.col("status") < _DELETED), reached),
        )
        complete = complete and all_of_them
        kept |= {
            row["file_path"]: row
            for row in live
            if row["status"] != _DELETED and row["file_path"] not in added and _is_reached(row, reached)
        }
    return TouchedFiles(
        removed=tuple(row for path, row in removed.items() if path not in again),
        added=tuple(row for path, row in added.items() if path not in again),
        kept=tuple(kept.values()),
        deletes_added=tuple(row for row in deletes if row["status"] == _ADDED),
        deletes_removed=tuple(row for row in deletes if row["status"] == _DELETED),
        again=again,
        complete=complete and trusted,
    )


def _is_reached(row: Row, reach: Reach) -> bool:
    return reach.everywhere or row["file_path"] in reach.paths or (row["spec_id"], row["partition"]) in reach.partitions


def _reached(spark: SparkSession, frame: DataFrame, reach: Reach) -> DataFrame:
    """The same in Spark."""
    if reach.everywhere:
        return frame
    keys = [(None, None, path) for path in reach.paths] + [(*place, None) for place in reach.partitions]
    wanted = spark.createDataFrame(keys, "own_spec INT, own_partition STRING, own_path STRING")
    same = (F.col("own_path") == F.col("file_path")) | (
        (F.col("own_spec") == F.col("spec_id")) & (F.col("own_partition") == F.col("partition"))
    )
    return frame.join(F.broadcast(wanted), same, "left_semi")


def _entries(
    spark: SparkSession,
    listed: Sequence[Row],
    specs: Specs,
    options: Mapping[str, str],
    decoded: Decoded,
    bounds: tuple[int, int],
    narrowed: Callable[[DataFrame], DataFrame],
) -> tuple[list[Row], bool]:
    """Entries of manifests, and whether that is all of them; from large manifests those that `narrowed` leaves."""
    small_in_bytes, most = bounds
    missing = [m for m in listed if m["path"] not in decoded]
    if stored_manifests.size_in_bytes(missing) > small_in_bytes:
        frame = stored_manifests.entries(spark, listed, specs, options, statistics=True)
        rows = [row.asDict() for row in narrowed(frame).limit(most + 1).collect()]
        return rows[:most], len(rows) <= most
    if missing:
        stored = stored_manifests.entries_here(spark, missing, specs, options, statistics=True)
        if stored.holes:
            raise _unreadable(stored.holes)
        decoded.update({m["path"]: [] for m in missing})
        for row in stored.rows:
            decoded[row["manifest_path"]].append(row)
    return [row for m in listed for row in decoded[m["path"]]], True


def _unreadable(holes: Sequence[Hole]) -> UnreadableMetadata:
    return UnreadableMetadata(
        "The rows of this commit cannot be told.",
        found=" ".join(f"{hole.path}: {hole.reason}" for hole in holes) or "Its snapshot has no manifest list.",
    )
