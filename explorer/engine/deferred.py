"""A Spark session that starts when something is asked of it that only Spark can answer."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .memory import read_once

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyspark.sql import SparkSession


class DeferredSession:
    """Stands for a session of this process until it is asked for one of its attributes, then has all of that session.

    Only for a Spark that would start here and read this machine's disk as Python does: see `reads_this_disk`.
    """

    def __init__(self, start: Callable[[], SparkSession]) -> None:
        self._start = start

    @read_once
    def _session(self) -> SparkSession:
        return self._start()

    def __getattr__(self, name: str) -> Any:
        """Of the session; `__getattr__` is called for what this class has not."""
        if name.startswith("__"):
            raise AttributeError(name)  # Python looks for such names by itself, as `copy` and notebooks do
        return getattr(self._session, name)


def is_not_started(spark: object) -> bool:
    """Whether it is a session that nobody has asked anything yet."""
    return isinstance(spark, DeferredSession) and "_session" not in vars(spark)


def reads_this_disk(conf: Mapping[str, str]) -> bool:
    """Whether a Spark with these settings surely takes a path for one on this disk, told without starting it.

    What may say otherwise: a master elsewhere, Hadoop settings, and folders of Hadoop's own configuration files.
    """
    if not conf.get("spark.master", "local").startswith("local"):
        return False
    if any(key.startswith("spark.hadoop.") or key == "spark.driver.extraClassPath" for key in conf):
        return False
    if any(os.environ.get(name) for name in ("HADOOP_CONF_DIR", "YARN_CONF_DIR")):
        return False
    spark_home = os.environ.get("SPARK_HOME")
    folders = (os.environ.get("SPARK_CONF_DIR"), spark_home and f"{spark_home}/conf")
    return not any((Path(folder) / "core-site.xml").exists() for folder in folders if folder)
