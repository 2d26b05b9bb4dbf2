"""Files of a table by their locations, through Spark's file systems: so Connect and remote storage work too.

Where Spark has no file system for the scheme of a location, the FileIO of the table's catalog reads the file.
A file that cannot be read is told with a reason, and never fails the files beside it.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
from pyarrow import orc, parquet
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from ...engine.logging import silenced_errors
from ...errors import RESTORE_FILE, UnreadableMetadata
from ...model.iceberg.unreadable import Unreadable
from .. import identifiers
from ..rows.local_rows import local_rows
from . import catalog_io, local_files, passed_through, read_bytes, spark_errors, spark_files
from .bundle import Bundle
from .file_cache import FileCache
from .local_files import Find
from .places import Places
from .spark_files import DEFAULT_FILE_SYSTEM, LISTED_ON_THE_DRIVER, Folders

_EMPTY, MISSING = "It is empty.", "The file does not exist."
_NOT_THERE = "It does not exist, is empty, or may not be read."
_PASSING_OVER = {"ignoreMissingFiles": "true", "ignoreCorruptFiles": "true"}


def refuse(unreadable_files: Iterable[Unreadable], what: str) -> None:
    """For an answer that needs every file.

    Raises:
        UnreadableMetadata: there are any; says that `what` cannot be, and names each file with its reason.
    """
    told = list(unreadable_files)
    if told:
        found = " ".join(f"{unreadable.path}: {unreadable.reason}" for unreadable in told)
        is_gone = any(unreadable.kind == "missing" for unreadable in told)
        raise UnreadableMetadata(what, found=found, next_step=RESTORE_FILE if is_gone else "")


def next_step(reason: str) -> str:
    """What a person can do about a file that cannot be read for this reason; nothing unless it is gone."""
    return RESTORE_FILE if reason == MISSING else ""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How files of one table are read.

    Attributes:
        settings: options of Spark's readers.
        relation: the table whose catalog reads what no file system of Spark can; None if there is none.
        cache: of the table's files, in `contents`; None if nothing is.
        bundle: that the table was opened from; then no other file is read. None of a table that lies in a storage.
        folders: listed by Spark, for who asks it for files of one folder more than once; None lists anew each time.
    """

    settings: Mapping[str, str] = field(default_factory=dict)
    relation: str | None = None
    cache: FileCache | None = None
    bundle: Bundle | None = None
    folders: Folders | None = None


def read_options(spark: SparkSession, relation: str | None) -> ReadOptions:
    """Settings of the table's catalog for its own file systems (`spark.sql.catalog.NAME.hadoop.*`), as read options.

    Iceberg reads with them, so a plain read must too: endpoints, keys, and the file system of a location without one.

    Args:
        spark: the session to ask.
        relation: how SQL names the table, its catalog first; None if it was opened by its file: then there are none.

    Over Connect a location without a scheme and without a leading slash stays relative to the server's own home.
    """
    if relation is None:
        return ReadOptions()
    return ReadOptions(catalog_io.catalog_settings(spark, relation, "hadoop."), relation)


def _catalog_reads(error: Exception, options: ReadOptions) -> str:
    """The table whose catalog can read a file with which Spark failed so; empty if none can."""
    return options.relation or "" if spark_errors.NO_FILE_SYSTEM.search(str(error)) else ""


def is_for_catalog(spark: SparkSession, path: str, options: ReadOptions) -> bool:
    """Whether only the FileIO of the table's catalog reads this file: then it passes through this process in any case.

    Cost: a request to the storage.
    """
    if options.relation is None:
        return False
    try:
        with silenced_errors():
            _ = spark_files.loaded(spark, [path], options.settings).schema
    except Exception as error:
        return bool(_catalog_reads(error, options))
    return False


def contents(
    spark: SparkSession, paths: Sequence[str], options: ReadOptions
) -> tuple[dict[str, bytes], dict[str, Unreadable]]:
    """The bytes of each file that can be read, and why each of the others cannot; for files that are small together.

    Args:
        spark: the session to ask.
        paths: locations of manifest lists and manifests, which never change.
        options: of `read_options`; what this process cannot read itself is looked for in their `cache`, and kept there.

    Cost: one Spark job for all that this process cannot read itself and nobody kept; one more for each file of a
    handful if one of them is missing.
    """
    asked = list(dict.fromkeys(paths))
    if options.bundle is not None:
        return options.bundle.read(asked)
    read, missing = _read_here(spark, asked, options)
    elsewhere = [path for path in asked if path not in read and path not in missing]
    if options.cache is not None:
        read |= options.cache.load(elsewhere)
    left = [path for path in elsewhere if path not in read]
    if not left:
        return read, missing
    found, unreadable_files = _by_spark(spark, left, options)
    if options.cache is not None:
        options.cache.save(found)
    return read | found, missing | unreadable_files


def _by_spark(
    spark: SparkSession, asked: Sequence[str], options: ReadOptions
) -> tuple[dict[str, bytes], dict[str, Unreadable]]:
    read: dict[str, bytes] = {}
    unreadable_files: dict[str, Unreadable] = {}
    try:
        read = _collected(spark, asked, options)
    except Exception as error:
        if relation := _catalog_reads(error, options):
            return _by_catalog(spark, relation, asked)
        for path in asked:
            try:
                read |= _collected(spark, [path], options)
            except Exception as error:
                unreadable_files[path] = explained(path, error)
    gone = [path for path in asked if path not in read and path not in unreadable_files]
    read_again, without_rows = again(spark, gone, options)
    return read | read_again, unreadable_files | without_rows


def _by_catalog(
    spark: SparkSession, relation: str, paths: Sequence[str]
) -> tuple[dict[str, bytes], dict[str, Unreadable]]:
    found = catalog_io.contents(spark, relation, paths)
    unreadable_files = {path: explained(path, error) for path, error in found.items() if isinstance(error, Exception)}
    unreadable_files |= {path: Unreadable(path, "damaged", _EMPTY) for path, content in found.items() if content == b""}
    return {path: c for path, c in found.items() if isinstance(c, bytes) and c}, unreadable_files


def _read_here(
    spark: SparkSession, paths: Sequence[str], options: ReadOptions
) -> tuple[dict[str, bytes], dict[str, Unreadable]]:
    """Files that need no Spark job, and those that are missing; of any other fault Spark says what it is."""
    read: dict[str, bytes] = {}
    missing: dict[str, Unreadable] = {}
    found = _finder(spark, options)
    for location in paths:
        path = found(location)
        if path is None:
            continue
        try:
            if content := read_bytes.content(Path(path)):
                read[location] = content
        except FileNotFoundError:
            missing[location] = Unreadable(location, "missing", MISSING)
        except (OSError, ValueError):  # a NUL in a name is a ValueError
            continue
    return read, missing


def _finder(spark: SparkSession, options: ReadOptions) -> Find:
    """Of `local_files.finder`; gives None too where the catalog reads with a file system of its own.

    Files of a bundle are all found, and those that are not in it too: then nothing is there.
    """
    if options.bundle is not None:
        return options.bundle.place
    return (lambda _: None) if DEFAULT_FILE_SYSTEM in options.settings else local_files.finder(spark)


def again(
    spark: SparkSession, paths: Sequence[str], options: ReadOptions
) -> tuple[dict[str, bytes], dict[str, Unreadable]]:
    """The files of which Spark gave no row, one by one: their bytes, or why each cannot be read.

    It passes over empty ones, over missing ones of a listed folder, and in `files` perhaps over any that failed.

    Cost: one Spark job for each file, of the first few; of more, reasons are not told apart.
    """
    if options.bundle is not None:
        return options.bundle.read(paths)
    read: dict[str, bytes] = {}
    unreadable_files: dict[str, Unreadable] = {}
    for path in paths[:LISTED_ON_THE_DRIVER]:
        try:
            found = _collected(spark, [path], options)
        except Exception as error:
            unreadable_files[path] = explained(path, error)
            continue
        read |= found
        if not found:
            unreadable_files[path] = Unreadable(path, "damaged", _EMPTY)
    for path in paths[LISTED_ON_THE_DRIVER:]:
        unreadable_files[path] = Unreadable(path, "missing", _NOT_THERE)
    return read, unreadable_files


def _collected(spark: SparkSession, paths: Sequence[str], options: ReadOptions) -> dict[str, bytes]:
    with silenced_errors():
        if len(paths) > LISTED_ON_THE_DRIVER:
            found = files(spark, paths, options, passing_over=True)
        else:
            found = spark_files.loaded(spark, paths, options.settings)
        rows = found.select("path", "content").collect()
    places = Places(paths)
    return {path: bytes(row.content) for row in rows if (path := places.asked(row.path)) is not None}


def files(
    spark: SparkSession,
    paths: Iterable[str],
    options: ReadOptions,
    *,
    partitions: int | None = None,
    passing_over: bool = False,
) -> DataFrame:
    """A lazy DataFrame of any number of files: path string (as Spark names it), length bigint, content binary.

    A file that is missing now has no row; one that is gone or refused when its task opens it fails the frame, or has no
    row either with `passing_over`, for who asks `again` for all that had none. A folder
    of which more than a handful is asked is listed once, on the driver; the files are opened in the tasks. Files that
    only the catalog can read, and those of a bundle, pass through this process now, and Spark keeps them.
    `partitions` as of `spark_files.found`; where files pass through this process, no more than so many.
    """
    asked = list(paths)
    settings = {**options.settings, **_PASSING_OVER} if passing_over else options.settings
    if (bundle := options.bundle) is not None:
        frame = passed_through.frame(spark, asked, lambda some: bundle.read(some)[0])
    else:
        try:
            return spark_files.found(spark, asked, settings, partitions, options.folders)
        except Exception as error:
            relation = _catalog_reads(error, options)
            if not relation:
                raise
        frame = passed_through.frame(spark, asked, lambda some: catalog_io.contents(spark, relation, some))
    return frame.coalesce(partitions) if partitions else frame


def here(spark: SparkSession, paths: Iterable[str], options: ReadOptions) -> list[str] | None:
    """Where this process and Spark's tasks can look for these files; None if they cannot for one of them."""
    return _places(_finder(spark, options), paths) if local_files.is_shared_disk(spark) else None


def beside_tasks(spark: SparkSession, paths: Iterable[str], options: ReadOptions) -> list[str] | None:
    """Where Spark's tasks can look for these files, whatever disk this process reads; None if for one they cannot."""
    if options.bundle is not None:
        return here(spark, paths, options)
    if DEFAULT_FILE_SYSTEM in options.settings:
        return None
    return _places(local_files.finder_of_tasks(spark), paths)


def _places(find: Find, paths: Iterable[str]) -> list[str] | None:
    places = []
    for location in paths:
        if (place := find(location)) is None:
            return None
        places.append(place)
    return places


def columns_of(spark: SparkSession, path: str, file_format: str, options: ReadOptions) -> DataFrame:
    """What a Parquet, ORC or Avro file of the table holds, as columns; read when the frame is, but by a catalog now."""
    try:
        frame = spark.read.format(file_format.lower()).options(**options.settings).load(identifiers.glob_escaped(path))
        _ = frame.schema  # a scheme that Spark does not know is noticed here, over Connect too
        return frame
    except Exception as error:
        relation = _catalog_reads(error, options)
        if not relation or file_format.lower() not in _DECODERS:
            raise
    table = _DECODERS[file_format.lower()](io.BytesIO(catalog_io.content(spark, relation, path)))
    return local_rows(spark, [tuple(row.values()) for row in table.to_pylist()], from_arrow_schema(table.schema))


def is_named_by_sql(spark: SparkSession, path: str, options: ReadOptions, file_format: str) -> bool:
    """Whether a statement can read a file by its location alone, as ``parquet.`path` ``.

    Cost: nothing for a file of this disk, else one Spark job.
    """
    if options.settings:
        return False
    if (here := local_files.finder(spark)(path)) is not None:
        return Path(here).exists()
    try:
        with silenced_errors():
            _ = spark.read.format(file_format.lower()).load(identifiers.glob_escaped(path)).schema
    except Exception:
        return False
    return True


_DECODERS: Mapping[str, Callable[[io.BytesIO], pa.Table]] = {"parquet": parquet.read_table, "orc": orc.read_table}


def opened(spark: SparkSession, path: str, options: ReadOptions, *, fetch: bool) -> BinaryIO | None:
    """A file of the table to look into: of this disk, or fetched as a whole if `fetch`; None where neither can be.

    Cost: nothing for a file that this process can open itself, else one Spark job and all of the file.
    """
    here = _finder(spark, options)(path)
    if here is not None:
        with suppress(OSError):
            return read_bytes.opened(Path(here))
        return None
    found, _ = _by_spark(spark, [path], options) if fetch else ({}, {})
    return io.BytesIO(found[path]) if path in found else None


def _storage_of(path: str) -> str:
    """Whom to ask about a file: the scheme and the host, or bucket, of its location."""
    scheme, _, rest = path.partition("://")
    host = rest.partition("/")[0].rpartition("@")[2]
    return f"{scheme}://{host}" if host else "Its storage"


def explained(path: str, error: Exception) -> Unreadable:
    """What an error of Spark says about one file."""
    text = str(error)
    if spark_errors.DENIED.search(text):
        return Unreadable(path, "refused", "It may not be read: " + spark_errors.reason(error))
    if spark_errors.NO_FILE_SYSTEM.search(text):
        return Unreadable(path, "refused", "Spark has no file system for its scheme: " + spark_errors.reason(error))
    if spark_errors.UNREACHABLE.search(text):
        return Unreadable(path, "refused", f"{_storage_of(path)} does not answer: {spark_errors.reason(error)}")
    if isinstance(error, FileNotFoundError) or spark_errors.NO_FILE.search(text):
        return Unreadable(path, "missing", MISSING)
    return Unreadable(path, "damaged", spark_errors.reason(error))
