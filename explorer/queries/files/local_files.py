"""Files that this process can read itself, because Spark runs in it and reads the same disk."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from ...engine import is_connect

_PLAIN = re.compile(r"(/|///+)(?!/)(?!(.*/)?\.\.(/|$))", re.DOTALL)


def path(spark: SparkSession, location: str) -> Path | None:
    """Where this process finds the file; None unless Spark itself runs in this process and reads the same disk.

    None too of a location that Spark may understand otherwise: one that is not absolute, has a host, or goes up.
    Reading a file here takes a tenth of the time of a Spark job, and gives the same bytes.
    """
    if is_connect(spark) or not str(spark.sparkContext.master).startswith("local"):
        return None
    scheme, colon, rest = location.partition(":")
    if not colon or "/" in scheme:
        default: Any = spark.sparkContext._jsc
        scheme, rest = default.hadoopConfiguration().get("fs.defaultFS", "file").partition(":")[0], location
    return Path("/" + rest.lstrip("/")) if scheme == "file" and _PLAIN.match(rest) else None
