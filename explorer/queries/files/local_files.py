"""Files that need no file system of Spark: of the disk of this machine, or of those that its tasks run on."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pyspark.sql import SparkSession

from ...engine import is_connect, is_not_started

_PLAIN = re.compile(r"(/|///+)(?!/)(?!(.*/)?\.\.(/|$))", re.DOTALL)


Find = Callable[[str], str | None]
"""From the location of a file to its path on a disk, if it lies there; a text, since many are asked for at once."""


def finder(spark: SparkSession) -> Find:
    """Where this process finds a file of the disk of Spark's driver; None over Connect, whose driver may be elsewhere.

    Wherever its tasks run, Iceberg itself reads metadata in the driver. None too of a location that Spark may
    understand otherwise: one that is not absolute, has a host, or goes up. Reading a file here takes a tenth of the
    time of a Spark job, and gives the same bytes.

    Cost: Spark is asked now, once for all files; one that has not started need not be.
    """
    if is_not_started(spark):
        return finder_here("file")
    return (lambda _: None) if is_connect(spark) else finder_here(_default_scheme(spark))


def finder_of_tasks(spark: SparkSession) -> Find:
    """Where Spark's tasks find a file of the disk of the machine that they run on, by themselves; None of all others.

    There `file:` means the same to Spark. What a location without a scheme means, Connect does not say.
    """
    return finder_here("") if is_connect(spark) else finder(spark)


def _default_scheme(spark: SparkSession) -> str:
    context: Any = spark.sparkContext._jsc
    scheme: str = context.hadoopConfiguration().get("fs.defaultFS", "file").partition(":")[0]
    return scheme


def is_shared_disk(spark: SparkSession) -> bool:
    """Whether Spark runs in this process, or would, so that its tasks read the disk that this process reads."""
    return is_not_started(spark) or not (is_connect(spark) or not str(spark.sparkContext.master).startswith("local"))


def finder_here(default_scheme: str = "file") -> Find:
    """Where this process itself finds a file of its disk, whatever Spark does."""

    def found(location: str) -> str | None:
        scheme, colon, rest = location.partition(":")
        if not colon or "/" in scheme:
            scheme, rest = default_scheme, location
        return "/" + rest.lstrip("/") if scheme == "file" and _PLAIN.match(rest) else None

    return found
