"""Which Iceberg runtime fits which Spark, and whether a session has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyspark
from pyspark.errors import AnalysisException

from ..errors import NoRuntime

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

EXTENSIONS = "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"
ARTIFACT = "iceberg-spark-runtime"
# The newest release that exists for each line of Spark that pyspark offers.
_RUNTIMES = {
    "3.5": "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.12.0",
    "4.0": "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.11.0",
    "4.1": "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0",
}


def runtime_coordinate(spark_version: str = pyspark.__version__) -> str:
    """The Maven coordinate of the Iceberg runtime for a Spark version such as `4.1.4`.

    Raises:
        NoRuntime: no Iceberg runtime is known for that version.
    """
    line = ".".join(spark_version.split(".")[:2])
    if line not in _RUNTIMES:
        raise NoRuntime(
            f"No Iceberg runtime is known for Spark {spark_version}.",
            found=f"There is one for Spark {', '.join(_RUNTIMES)}.",
            next_step="Install one of these (pip install 'pyspark==4.1.*'), or name a runtime jar that fits:"
            " --conf spark.jars=/path/to/iceberg-spark-runtime.jar",
        )
    return _RUNTIMES[line]


def runtime_jar(jars: Path) -> Path | None:
    """The Iceberg runtime that lies in this folder of jars, if one does."""
    return next(iter(sorted(jars.glob(f"{ARTIFACT}-*.jar"))), None)


def runtime_version(spark: SparkSession) -> str:
    """The version of the Iceberg runtime in a session, such as `1.12.0`. Runs one small Spark job.

    Raises:
        NoRuntime: the session has none.
    """
    check_runtime(spark)
    row = spark.sql("SELECT java_method('org.apache.iceberg.IcebergBuild', 'version') AS version").collect()
    return str(row[0]["version"])


def check_runtime(spark: SparkSession) -> None:
    """Raise if a session has no Iceberg runtime.

    Spark resolves the class while it analyses the query, so this runs no job, changes nothing, and works over
    Spark Connect too. A session that forbids the function is believed to have a runtime: its own errors will tell.

    Raises:
        NoRuntime: with the ways to a session that has one.
    """
    try:
        # `.schema`, because a Connect session analyses nothing until it is asked for something.
        _ = spark.sql("SELECT java_method('org.apache.iceberg.IcebergBuild', 'version')").schema
    except AnalysisException as error:
        if "class org.apache.iceberg.IcebergBuild not found" not in str(error):
            return
        raise NoRuntime(
            "This Spark session cannot read Iceberg tables.",
            found=f"It runs Spark {spark.version} without the Iceberg runtime.",
            next_step="Start that session with spark.jars.packages="
            f"{runtime_coordinate(spark.version)} and spark.sql.extensions={EXTENSIONS},"
            " or restart the kernel and start no session: the explorer then starts its own.",
        ) from None
