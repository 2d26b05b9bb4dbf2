"""Whole files as rows of a frame, by Spark's own reader of binary files: it lists on the driver, and opens in tasks."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import reduce
from urllib.parse import quote

from pyspark.sql import DataFrame, SparkSession

from ...engine.logging import silenced_errors
from .. import identifiers
from ..pieces import shares
from ..rows.local_rows import local_rows
from . import passed_through, spark_errors

LISTED_ON_THE_DRIVER = 32
"""Spark lists up to so many paths on the driver, and starts a job with a task for each of them if there are more."""
DEFAULT_FILE_SYSTEM = "fs.defaultFS"
Folders = dict[str, DataFrame | None]
"""Folders that Spark has listed, with the files that were there; None where there is no such folder."""

# ASCII but for what Java leaves alone in the path of a URI.
_ESCAPED = re.compile(r"[^\w\-.!~*'();:@&=+$,\x80-\U0010ffff]", re.ASCII)
# Into so many parts files are dealt by where they stand, since a folder is gone through once for each.
_MOST_SHARES = 8


def loaded(spark: SparkSession, paths: Sequence[str], settings: Mapping[str, str]) -> DataFrame:
    """Files, or those of folders, by their names, with the columns of Spark's `binaryFile`."""
    # Connect makes option names lower case, by which Hadoop misses this one.
    default = settings.get(DEFAULT_FILE_SYSTEM, "").rstrip("/")
    full = [default + path if path.startswith("/") else path for path in paths]
    escaped = [identifiers.glob_escaped(path) for path in full]
    return spark.read.format("binaryFile").options(**settings).load(escaped)


def found(
    spark: SparkSession,
    paths: Sequence[str],
    settings: Mapping[str, str],
    partitions: int | None = None,
    folders: Folders | None = None,
) -> DataFrame:
    """Those of these files that are there, in any order, with the columns `passed_through.FILE`.

    A folder of which more than a handful is asked is listed once.

    Args:
        spark: the session to ask.
        paths: of the files.
        settings: options of the reader.
        partitions: of the frame, or some more, each with its share of the files as they stand here: Spark by itself
            puts the largest ones together, which then are the work of one task. None if nobody waits for the slowest.
        folders: that were listed since these files were named; and those that are listed now.
    """
    folders = {} if folders is None else folders
    by_folder = defaultdict[str, list[str]](list)
    for path in paths:
        by_folder[_folder(path)].append(path)
    few, many = list[DataFrame](), dict[str, DataFrame]()
    for folder, own in by_folder.items():
        if folder not in folders and len(own) <= LISTED_ON_THE_DRIVER:
            named = _there(spark, own, settings)
            if named is not None:
                few.append(named)
                continue
        if folder not in folders:
            folders[folder] = _there(spark, [folder or "/"], settings)
        if (listed := folders[folder]) is not None:
            many[folder] = listed
    left = [path for path in paths if _folder(path) in many]
    count = min(partitions or 1, _MOST_SHARES)
    frames = [_together(few, partitions)] if few else []
    for share in shares(left, count):
        names = defaultdict[str, list[str]](list)
        for path in share:
            names[_folder(path)].append(path.rpartition("/")[2])
        if files := [_of_names(many[folder], own) for folder, own in names.items()]:
            frames.append(_together(files, math.ceil(partitions / count) if partitions else None))
    return reduce(DataFrame.unionAll, frames) if frames else local_rows(spark, [], passed_through.FILE)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _of_names(listed: DataFrame, names: Sequence[str]) -> DataFrame:
    """The files of a listed folder that have these names; others are not opened: Spark leaves them out of its plan."""
    # One text, since each value of an `isin` is a round trip to the JVM.
    asked = ", ".join(map(identifiers.text, dict.fromkeys([*names, *map(_encoded, names)])))
    return listed.where(f"_metadata.file_name IN ({asked})")


def _together(files: Sequence[DataFrame], partitions: int | None) -> DataFrame:
    found = reduce(DataFrame.unionAll, (frame.select("path", "length", "content") for frame in files))
    # Two at least: frames of one partition each are one of one partition when Spark 4.1 unites them.
    return found.coalesce(max(2, partitions)) if partitions else found


def _there(spark: SparkSession, paths: Sequence[str], settings: Mapping[str, str]) -> DataFrame | None:
    """None if there is no such file or folder; for a handful of files, if one is missing."""
    with silenced_errors():
        try:
            frame = loaded(spark, paths, settings)
            _ = frame.schema  # a missing path is noticed here, over Connect too
        except Exception as error:
            if spark_errors.NOT_FOUND.search(str(error)):
                return None
            raise
        return frame


def _encoded(name: str) -> str:
    """A file name as Spark 4 shows it in `_metadata`: as in a URI of Java, which leaves letters of any script alone."""
    return _ESCAPED.sub(lambda found: quote(found[0], safe=""), name)
