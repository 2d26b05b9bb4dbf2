"""The same as `boundary`, of manifests that are too large for this process: compared in Spark."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.iceberg.inheritance import ListedManifest, Status, StoredEntry
from ...model.iceberg.partition_changes import ChangeGroup
from ..source import Source
from . import manifests

_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:/*|^/+")  # one place may be `s3://` and `s3a://`, `file:/` and `/`


def below(locations: Iterable[str]) -> tuple[str, ...]:
    """What paths of files in these folders begin with, but for their schemes; longer ones first."""
    folders = {f"{_SCHEME.sub('', location).rstrip('/')}/" for location in locations}
    return tuple(sorted(folders, key=len, reverse=True))


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two points.

    Attributes:
        source: its table.
        listed: rows of its manifest list.
        below: where the files of either of two tables lie, `below` of their locations. With it a file is known by its
            path below one of these, the first that fits, by its length and by its rows. Empty if both sides are of one
            table.
    """

    source: Source
    listed: Sequence[ListedManifest]
    below: tuple[str, ...] = ()

    def key(self, entry: StoredEntry) -> Hashable:
        """What a file is known by."""
        path, offset = entry.file_path, entry.content_offset
        if not self.below:
            return path, offset
        bare = _SCHEME.sub("", path)
        rest = next((bare.removeprefix(folder) for folder in self.below if bare.startswith(folder)), path)
        return rest, offset, entry.file_size_in_bytes, entry.record_count


@dataclass(frozen=True, slots=True)
class Frames:
    """Live entries of one side alone, of the other alone, and of each those that both list otherwise; lazy."""

    removed: DataFrame
    added: DataFrame
    relisted: tuple[DataFrame, DataFrame]


def compare(before: Side, after: Side, refused: str, *, statistics: bool, by_number: bool) -> Frames:
    """The files of two sides.

    Raises:
        UnreadableMetadata: a manifest cannot be read; `refused` is a sentence that says what cannot be told then.

    Cost: now, every manifest of both sides; then a join of what they hold.
    """
    old, new = (_live(side, statistics, refused) for side in (before, after))
    others = _listings(old, by_number).alias("here").join(_listings(new, by_number).alias("there"), "key")
    keys = others.where("here.listings <> there.listings").select("key")
    return Frames(
        old.join(new.select("key"), "key", "left_anti"),
        new.join(old.select("key"), "key", "left_anti"),
        (_once(old, keys), _once(new, keys)),
    )


def _once(live: DataFrame, keys: DataFrame) -> DataFrame:
    return live.join(keys, "key", "left_semi").dropDuplicates(["key"])


def some(entries: DataFrame, most: int) -> tuple[StoredEntry, ...]:
    """At most so many as values."""
    return manifests.stored_entries(entries.drop("key").limit(most).collect())


def counted(entries: DataFrame, status: Status) -> tuple[ChangeGroup, ...]:
    """All of them as changes of this status, by what they have in common."""
    return manifests.counted(entries.withColumn("status", F.lit(int(status))))


def _live(side: Side, statistics: bool, refused: str) -> DataFrame:
    """Live entries, with the `key` by which a file is known."""
    frame = manifests.all_readable(manifests.entries(side.source, side.listed, statistics=statistics), refused)
    path, parts = F.col("file_path"), ["content_offset"]
    if side.below:
        parts += ["file_size_in_bytes", "record_count"]
        bare = F.regexp_replace("file_path", _SCHEME.pattern, "")
        rests = ((folder, F.substring(bare, len(folder) + 1, 2**31 - 1)) for folder in side.below)
        fitting = [F.when(bare.startswith(folder), rest) for folder, rest in rests]
        path = F.coalesce(*fitting, "file_path")
    numbers = [F.coalesce(F.col(part).cast("string"), F.lit("-")) for part in parts]
    return frame.where(F.col("status") != int(Status.DELETED)).withColumn("key", F.concat_ws(" ", *numbers, path))


def _listings(live: DataFrame, by_number: bool) -> DataFrame:
    """By how many entries each file is listed, each by its data sequence number where that counts; -1 if not known."""
    number = F.coalesce("sequence_number", F.lit(-1)) if by_number else F.lit(0)
    return live.groupBy("key").agg(F.sort_array(F.collect_list(number)).alias("listings"))
