"""When files of a table were written, as the storage says: a clue, which is missing where it does not say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ..source import Source
from . import local_files, storage
from .places import Places

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def modification_times(source: Source, paths: Iterable[str]) -> dict[str, datetime]:
    """By location the time (UTC, milliseconds) of each file whose time is known.

    Cost: of files that this process cannot open itself, a look at their folders.
    """
    return {path: _EPOCH + timedelta(milliseconds=at) for path, at in in_milliseconds(source, paths).items()}


def in_milliseconds(source: Source, paths: Iterable[str]) -> dict[str, int]:
    """The same as milliseconds since the epoch."""
    if (bundle := source.located.bundle) is not None:
        return {path: at for path in paths if (at := bundle.modified_at_ms(path)) is not None}
    found: dict[str, int] = {}
    folders = defaultdict(list)
    find = local_files.finder(source.spark)
    for location in paths:
        here = find(location)
        if here is None:
            folders[location.rpartition("/")[0]].append(location)
            continue
        with suppress(OSError, ValueError):
            found[location] = Path(here).stat().st_mtime_ns // 1_000_000
    for asked in folders.values():
        places = Places(asked)
        with suppress(Exception):  # nothing else depends on what the storage does not give
            files = storage.files(source.spark, asked, source.options)
            written_at = F.unix_millis(F.col("_metadata.file_modification_time")).alias("written_at")
            for row in files.select("path", written_at).collect():
                named = places.asked(row.path)
                if named is not None:
                    found[named] = row.written_at
    return found
